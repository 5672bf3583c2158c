"""What people's decisions make of a record."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.decisions.verdict import Said, Settled, answers_given, settle

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


def said(
    category: str,
    person: int | None = 1,
    minute: int = 0,
    *,
    via: str = "comment",
    maintains: bool = False,
    **facts: str,
) -> Said:
    at = START + timedelta(minutes=minute)
    return Said(person, category, facts.get("category2"), facts.get("none_kind"), via, at, maintains)


@pytest.mark.parametrize(("proposed", "state"), [(True, "proposed"), (False, "collected")])
def test_without_a_decision(proposed: bool, state: str) -> None:
    assert settle([], "memory-leak", proposed=proposed) == Settled(state)


@pytest.mark.parametrize(
    ("category", "guess", "state"),
    [
        ("memory-leak", "memory-leak", "confirmed"),
        ("data-race", "memory-leak", "corrected"),
        ("none", "memory-leak", "rejected"),
        ("none", "none", "confirmed"),
        ("memory-leak", "none", "corrected"),
        ("memory-leak", None, "corrected"),
        ("none", None, "corrected"),
    ],
)
def test_one_decision(category: str, guess: str | None, state: str) -> None:
    settled = settle([said(category)], guess, proposed=True)
    assert (settled.state, settled.category, settled.category_source) == (state, category, "decision")
    assert settled.decided_at == START


def test_each_persons_last_word_counts() -> None:
    settled = settle([said("none", none_kind="docs"), said("data-race", minute=1)], "data-race", proposed=True)
    assert settled == Settled("confirmed", "data-race", None, None, "decision", START + timedelta(minutes=1))
    settled = settle([said("data-race", 1), said("conversion", 2, 1), said("conversion", 1, 2)], None, proposed=False)
    assert (settled.state, settled.category) == ("corrected", "conversion")


def test_two_people_of_different_opinion() -> None:
    settled = settle([said("data-race", 1), said("conversion", 2, 1)], "data-race", proposed=True)
    assert settled == Settled("disputed", decided_at=START + timedelta(minutes=1))


LEAK, RACE = said("memory-leak", 1), said("data-race", 2, 1)


@pytest.mark.parametrize(
    ("decisions", "category", "answers"),
    [
        ([LEAK, RACE], None, ("memory-leak", "data-race")),
        ([LEAK, RACE, said("data-race", 1, 2)], "data-race", ("data-race",)),
        ([LEAK, RACE, said("memory-leak", 1, 2)], None, ("memory-leak", "data-race")),
        ([LEAK, RACE, said("data-race", 3, 2)], None, ("memory-leak", "data-race")),
        ([LEAK, RACE, said("data-race", 3, 2, maintains=True)], "data-race", ("data-race",)),
        ([LEAK, RACE, said("conversion", 3, 2, maintains=True)], "conversion", ("conversion",)),
        ([LEAK, said("data-race", 2, 1, maintains=True)], None, ("memory-leak", "data-race")),
        ([LEAK, said("data-race", 2, 1, maintains=True), said("data-race", 2, 2, maintains=True)], "data-race", None),
        ([LEAK, RACE, said("none", 3, 2, maintains=True), said("data-race", 2, 3)], None, ("none", "data-race")),
    ],
)
def test_two_answers_stand_until_one_gives_way_or_somebody_who_maintains_decides(
    decisions: list[Said], category: str | None, answers: tuple[str, ...] | None
) -> None:
    settled = settle(decisions, "memory-leak", proposed=True)
    assert (settled.state == "disputed", settled.category) == (category is None, category)
    assert answers_given(decisions) == (answers or (category,))


def test_a_second_choice_alone_is_no_dispute() -> None:
    settled = settle([said("data-race", 1, 1, category2="conversion"), said("data-race", 2)], None, proposed=False)
    assert (settled.category, settled.category2) == ("data-race", "conversion"), "the newest says the rest"


@pytest.mark.parametrize(
    ("via", "source"),
    [("comment", "decision"), ("tick", "decision"), ("import", "decision"), ("label", "label"), ("study", "study")],
)
def test_the_source(via: str, source: str) -> None:
    assert settle([said("data-race", via=via)], None, proposed=False).category_source == source
