"""What of a record may be seen on its issue."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.shown_issue import facts_of
from bot.store.tables import Record
from tests.support.factories import NOW, a_proposal, a_record, a_repository

REPOSITORY = a_repository(1, "o/r")


def record(**facts: Any) -> Record:
    usual: dict[str, Any] = {"number": 12, "state": "proposed", "eligible_bug": True}
    return a_record(**usual | facts)


@pytest.mark.parametrize(
    ("about", "said", "guess"),
    [
        ({}, {}, "memory-leak"),
        ({"eligible_bug": False, "eligible_system": True}, {}, "memory-leak"),
        ({"eligible_bug": False}, {}, None),
        ({"blind": True}, {}, None),
        ({"backfilled": True}, {}, None),
        ({}, {"proposed": False}, None),
        ({}, {"category": "none"}, None),
        ({}, None, None),
    ],
)
def test_only_what_the_inbox_could_show_is_shown(
    about: dict[str, Any], said: dict[str, Any] | None, guess: str | None
) -> None:
    facts = facts_of(REPOSITORY, record(**about), None if said is None else a_proposal(**said))
    assert (facts.guess, facts.number, facts.repository, facts.decided) == (guess, 12, "o/r", False)


def test_what_is_open_again_or_coded_by_researchers_rests() -> None:
    assert not facts_of(REPOSITORY, record(), a_proposal()).rests
    assert facts_of(REPOSITORY, record(is_open=True), a_proposal()).rests
    coded = record(state="corrected", decided_at=NOW, category="data-race", category_source="study")
    assert facts_of(REPOSITORY, coded, a_proposal()).rests


def test_a_disputed_record_is_decided_without_a_category() -> None:
    facts = facts_of(REPOSITORY, record(state="disputed", decided_at=NOW), a_proposal())
    assert (facts.decided, facts.category, facts.state) == (True, None, "disputed")
