"""What the scripted maintainers decide, and how often."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from bot.commands.grammar import parse
from bot.demo.maintainers import Question, comment_for

MANY = 20_000
DECIDED = [1, 2, 3, 6, 11]
QUESTION = Question("acme/frame", 1, guess="memory-leak", second="multi-threading", blind=False, truth=None)


def said(question: Question, count: int = MANY) -> Counter[str | None]:
    """Count what is written in so many issues that differ by their number only."""
    return Counter(comment_for(replace(question, number=number)) for number in range(1, count + 1))


def test_of_real_issues_sixty_in_a_hundred_are_decided_and_four_fifths_of_them_confirmed() -> None:
    counts = said(QUESTION)
    decided = MANY - counts[None]
    assert decided / MANY == pytest.approx(0.6, abs=0.015)
    assert counts["/rootcause confirm"] / decided == pytest.approx(0.8, abs=0.015)
    assert counts["/rootcause multi-threading"] == decided - counts["/rootcause confirm"]


def test_whether_an_issue_is_decided_says_nothing_about_how() -> None:
    one, other = said(QUESTION), said(replace(QUESTION, repository="acme/other"))
    assert one != other, "each repository draws for itself"
    assert other["/rootcause confirm"] / (MANY - other[None]) == pytest.approx(0.8, abs=0.015)


def test_of_samples_most_are_decided_and_always_as_they_truly_are() -> None:
    right = said(replace(QUESTION, truth="memory-leak"))
    assert set(right) == {None, "/rootcause confirm"}
    assert right[None] / MANY == pytest.approx(0.15, abs=0.01)
    assert set(said(replace(QUESTION, truth="data-race"))) == {None, "/rootcause data-race"}
    assert set(said(replace(QUESTION, truth="none"))) == {None, "/rootcause none"}


def test_where_no_proposal_was_shown_the_category_is_named() -> None:
    assert set(said(replace(QUESTION, blind=True), 500)) == {
        None,
        "/rootcause memory-leak",
        "/rootcause multi-threading",
    }
    assert set(said(replace(QUESTION, blind=True, truth="memory-leak"), 500)) == {None, "/rootcause memory-leak"}


def test_the_same_question_is_always_answered_the_same() -> None:
    # Written down once: another process, another day and another order must say the same.
    asked = {number: comment_for(replace(QUESTION, number=number)) for number in reversed(range(1, 13))}
    assert sorted(number for number, text in asked.items() if text is not None) == DECIDED
    assert [number for number, text in asked.items() if text == "/rootcause multi-threading"] == [6]


def test_a_comment_is_a_command_that_the_bot_understands() -> None:
    for text in said(replace(QUESTION, blind=True, truth="none"), 50) | said(QUESTION, 50):
        if text is not None:
            (command,) = parse(text, "rootcause")
            assert command.name in {"confirm", "categorise", "none"}, text
