"""What of a record may be seen on its issue."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.features.shown_issue import facts_of
from bot.store.tables import Proposal, Record, Repository

NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)
REPOSITORY = Repository(id=1, full_name="o/r", created_at=NOW, updated_at=NOW)


def record(**facts: Any) -> Record:
    usual: dict[str, Any] = {"state": "proposed", "eligible_bug": True}
    return Record(
        issue_id=9, repository_id=1, number=12, title="t", created_at=NOW, closed_at=NOW, gathered_at=NOW,
        **usual | facts,
    )  # fmt: skip


def proposal(**facts: Any) -> Proposal:
    usual: dict[str, Any] = {"category": "memory-leak", "proposed": True}
    return Proposal(
        issue_id=9, model="m", probability=0.9, second="data-race", second_probability=0.1, system_related=0.9,
        created_at=NOW, **usual | facts,
    )  # fmt: skip


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
    facts = facts_of(REPOSITORY, record(**about), None if said is None else proposal(**said))
    assert (facts.guess, facts.number, facts.repository, facts.decided) == (guess, 12, "o/r", False)


def test_what_is_open_again_or_coded_by_researchers_rests() -> None:
    assert not facts_of(REPOSITORY, record(), proposal()).rests
    assert facts_of(REPOSITORY, record(is_open=True), proposal()).rests
    coded = record(state="corrected", decided_at=NOW, category="data-race", category_source="study")
    assert facts_of(REPOSITORY, coded, proposal()).rests


def test_a_disputed_record_is_decided_without_a_category() -> None:
    facts = facts_of(REPOSITORY, record(state="disputed", decided_at=NOW), proposal())
    assert (facts.decided, facts.category, facts.state) == (True, None, "disputed")
