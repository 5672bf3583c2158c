"""The comment on a closed issue: when it is written, when it is edited, and when it is not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.features.labelling import Facts
from bot.features.sticky_comment import (
    LATE,
    LATE_AFTER,
    LOCKED,
    MANY,
    MOST_A_DAY,
    Commented,
    Decided,
    decide,
    digest,
)
from bot.github.actions import CreateComment, UpdateComment
from bot.texts.proposal import PROPOSAL_MARKER, Guess

NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)
GUESS = Guess("memory-leak", 0.86, "resource-usage", 0.06, ("leak",), (), "model-1")
PROPOSED = Facts(1, "o/r", 12, "proposed", decided=False, category=None, guess="memory-leak", rests=False)
NONE_YET = Commented(None, None, None, 0)


def decided(
    facts: Facts = PROPOSED, commented: Commented = NONE_YET, guess: Guess | None = GUESS, **more: Any
) -> Decided:
    known: dict[str, Any] = {"locked": False, "closed_at": NOW - timedelta(minutes=1), "now": NOW, "public_url": None}
    return decide(facts, guess, None, commented, **known | more)


def test_a_proposal_is_one_comment() -> None:
    action = decided().action
    assert isinstance(action, CreateComment)
    assert (action.repository_id, action.number, action.marker) == (1, 12, PROPOSAL_MARKER)
    assert decided(commented=Commented(5, digest(action.body), None, 1)) == Decided(None)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"locked": True}, LOCKED),
        ({"closed_at": NOW - LATE_AFTER - timedelta(seconds=1)}, LATE),
        ({"commented": replace(NONE_YET, today=MOST_A_DAY)}, MANY),
        ({"commented": replace(NONE_YET, passed_over="a bot opened the issue")}, None),
        ({"facts": replace(PROPOSED, guess=None)}, None),
        ({"facts": replace(PROPOSED, rests=True)}, None),
        ({"facts": replace(PROPOSED, decided=True, category="data-race")}, None),
        ({"facts": replace(PROPOSED, decided=True, state="disputed")}, None),
        ({"guess": None}, None),
    ],
)
def test_when_none_is_written(given: dict[str, Any], reason: str | None) -> None:
    assert decided(**given) == Decided(None, reason)


@pytest.mark.parametrize(
    ("facts", "summary"),
    [
        (
            replace(PROPOSED, decided=True, state="confirmed", category="memory-leak"),
            "<b>memory-leak</b>, confirmed by",
        ),
        (replace(PROPOSED, decided=True, state="corrected", category="data-race"), "<b>data-race</b>, decided by"),
        (replace(PROPOSED, decided=True, state="rejected", category="none"), "not about the system, as"),
        (replace(PROPOSED, decided=True, state="rejected"), "not what the classifier guessed"),
        (replace(PROPOSED, decided=True, state="disputed"), "maintainers disagree"),
        (replace(PROPOSED, state="collected", guess=None), "nothing is proposed any more"),
    ],
)
def test_what_is_settled_is_folded_away(facts: Facts, summary: str) -> None:
    action = decided(facts, Commented(5, "before", None, 99), closed_at=NOW - timedelta(days=90)).action
    assert isinstance(action, UpdateComment)
    assert action.comment_id == 5
    assert f"{PROPOSAL_MARKER}\n\n<details><summary>Root cause: " in action.body
    assert summary in action.body


def test_an_edit_waits_while_the_issue_is_locked_or_open_again() -> None:
    settled = replace(PROPOSED, decided=True, state="corrected", category="data-race")
    written = Commented(5, "before", None, 1)
    assert decided(settled, written, locked=True) == Decided(None, waits=True)
    assert decided(replace(settled, rests=True), written) == Decided(None)
    assert decided(replace(PROPOSED, guess="data-race"), written, guess=replace(GUESS, category="data-race")).action
