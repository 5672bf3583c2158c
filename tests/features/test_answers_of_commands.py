"""What an allowed command comes to, in every standing of its issue; and who ticked which box."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.commands.registry import COMMANDS
from bot.commands.words import read_words
from bot.features.answers import Answer, Standing, answer, as_before
from bot.features.event import IssueEvent
from bot.store.tables import Repository

SHOWN = Standing("memory-leak", blind=False)
BLIND = Standing("memory-leak", blind=True)
WITHOUT = Standing(None, blind=False)
ALONE = Standing(None, blind=False, left_alone=True)


@pytest.mark.parametrize(
    ("words", "standing", "expected"),
    [
        ("confirm", SHOWN, Answer("decide", "done", "memory-leak")),
        ("confirm", BLIND, Answer("nothing", "confused")),
        ("confirm", WITHOUT, Answer("nothing", "confused")),
        ("leak", BLIND, Answer("decide", "done", "memory-leak")),
        ("leak race", SHOWN, Answer("decide", "done", "memory-leak", "data-race")),
        ("none", SHOWN, Answer("decide", "done", "none")),
        ("none question", WITHOUT, Answer("decide", "done", "none", None, "question")),
        ("undo", SHOWN, Answer("undo", "done")),
        ("help", SHOWN, Answer("help", "done")),
        ("help", None, Answer("help", "done")),
        ("type memory", SHOWN, Answer("type", "done")),
        ("off", SHOWN, Answer("leave", "done")),
        ("off", None, Answer("leave", "done")),
        ("on", None, Answer("resume", "done")),
        ("recheck", SHOWN, Answer("gather", "pending")),
        ("recheck", ALONE, Answer("nothing", "confused")),
        ("leak", ALONE, Answer("decide", "done", "memory-leak")),
        ("fix #9", BLIND, Answer("gather", "pending")),
        ("reproduced", WITHOUT, Answer("gather", "pending")),
        *[
            (words, None, Answer("nothing", "pending"))
            for words in (
                "confirm",
                "leak",
                "none docs",
                "undo",
                "fix #9",
                "reproduced never",
                "type memory",
                "recheck",
            )
        ],
    ],
)
def test_what_it_comes_to(words: str, standing: Standing | None, expected: Answer) -> None:
    reading = read_words(words)
    assert answer(reading.name, reading.arguments, standing) == expected


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())
@pytest.mark.parametrize("standing", [SHOWN, BLIND, WITHOUT, None])
def test_every_registered_command_means_something(command: Any, standing: Standing | None) -> None:
    reading = read_words(command.example)
    given = answer(reading.name, reading.arguments, standing)
    assert as_before(given.state).reaction == given.reaction, "handled again, it is answered the same"


@pytest.mark.parametrize(
    ("words", "standing", "why"),
    [
        ("confirm", BLIND, "asked blind"),
        ("confirm", WITHOUT, "no proposal"),
        ("recheck", ALONE, "left alone"),
        ("confirm", SHOWN, None),
    ],
)
def test_what_comes_to_nothing_says_why(words: str, standing: Standing, why: str | None) -> None:
    reading = read_words(words)
    assert answer(reading.name, reading.arguments, standing).why == why


def test_a_command_nobody_carries_out_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="dance"):
        answer("dance", (), SHOWN)


@pytest.mark.parametrize(
    ("payload", "before", "after"),
    [
        ({"issue": {"number": 1, "body": "new"}, "changes": {"body": {"from": "old"}}}, "old", "new"),
        ({"issue": {"number": 1, "body": "same"}, "changes": {"title": {"from": "old"}}}, "same", "same"),
        ({"issue": {"number": 1, "body": None}, "changes": {"body": {"from": "old"}}}, "old", ""),
        ({"issue": {"number": 1, "body": "new"}, "changes": {"body": {"from": None}}}, "new", "new"),
        ({"issue": {"number": 1, "body": "x"}, "comment": {"body": "new"}}, "new", "new"),
        (
            {"issue": {"number": 1, "body": "x"}, "comment": {"body": "new"}, "changes": {"body": {"from": "old"}}},
            "old",
            "new",
        ),
    ],
)
def test_the_text_before_and_after_an_edit(payload: dict[str, Any], before: str, after: str) -> None:
    now = datetime(2026, 11, 2, tzinfo=UTC)
    event = IssueEvent("guid", Repository(id=1, full_name="a/b", created_at=now, updated_at=now), payload)
    assert (event.body_before, event.body_after) == (before, after)
