"""Which repositories and issues enter, row by row of the rules."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from reports import Record, Repository, Rows
from reports.cohort import coverage, enters_shares, funnel_step, is_decided, is_system_related, select
from reports.periods import parse_period

NOVEMBER = parse_period("2026-11")
DECIDED = Record(
    repository_id=1,
    issue_id=1,
    number=1,
    closed_at=datetime(2026, 11, 5, tzinfo=UTC),
    eligible_system=True,
    category="memory-leak",
    category_source="decision",
    selection="random",
    state="confirmed",
)


@pytest.mark.parametrize(
    ("changes", "decided", "system_related", "in_shares"),
    [
        ({}, True, True, True),
        ({"category_source": "label"}, True, True, True),
        ({"category_source": "study", "selection": "imported"}, True, True, True),
        ({"category_source": None}, False, False, False),
        ({"category": None, "state": "disputed"}, False, False, False),
        ({"category": None, "category_source": None, "proposal_category": "memory-leak"}, False, False, False),
        ({"category": "none"}, True, False, False),
        ({"eligible_system": False}, True, False, False),
        ({"eligible_system": False, "eligible_bug": True}, True, False, False),
        ({"selection": "targeted"}, True, True, False),
        ({"selection": "volunteered"}, True, True, False),
        ({"selection": None}, True, True, False),
        ({"blind": True}, True, True, True),
    ],
)
def test_what_enters(changes: dict[str, Any], decided: bool, system_related: bool, in_shares: bool) -> None:
    record = replace(DECIDED, **changes)
    assert (is_decided(record), is_system_related(record), enters_shares(record)) == (
        decided,
        system_related,
        in_shares,
    )


@pytest.mark.parametrize(
    ("changes", "own", "compared"),
    [
        ({}, False, True),
        ({"in_comparison": False}, False, False),
        ({"paradigm": None}, False, False),
        ({"paradigm": "traditional"}, False, True),
        ({"private": True}, False, False),
        ({"private": True}, True, True),
        ({"private": True, "in_comparison": False}, True, False),
    ],
)
def test_which_repositories_are_compared(changes: dict[str, Any], own: bool, compared: bool) -> None:
    repository = replace(Repository(repository_id=1, paradigm="ml", in_comparison=True), **changes)
    other = Repository(repository_id=2, paradigm="ml")
    cohort = select(Rows(repositories=(repository, other), records=(DECIDED,)), NOVEMBER, 1 if own else 2)
    assert (cohort.repositories == (repository,)) is compared
    assert (cohort.records == (DECIDED,)) is compared
    assert (cohort.own_records == (DECIDED,)) is own


@pytest.mark.parametrize(
    ("closed_at", "inside"),
    [
        (datetime(2025, 11, 30, 23, 59, 59, tzinfo=UTC), False),
        (datetime(2025, 12, 1, tzinfo=UTC), True),
        (datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC), True),
        (datetime(2026, 12, 1, tzinfo=UTC), False),
        (None, False),
    ],
)
def test_an_issue_counts_in_the_window_of_its_last_closing(closed_at: datetime | None, inside: bool) -> None:
    rows = Rows(
        repositories=(Repository(repository_id=1, paradigm="ml", in_comparison=True),),
        records=(replace(DECIDED, closed_at=closed_at),),
    )
    assert bool(select(rows, NOVEMBER, None).records) is inside


def test_the_funnel_counts_each_step_and_reason() -> None:
    records = [
        DECIDED,
        replace(DECIDED, issue_id=2, selection="targeted", fix_kind="commit", eligible_bug=True),
        replace(DECIDED, issue_id=3, category="none"),
        replace(DECIDED, issue_id=4, category=None, category_source=None),
        replace(DECIDED, issue_id=5, eligible_system=False, exclusions=("no fix", "few comments")),
        replace(DECIDED, issue_id=6, eligible_system=False, exclusions=("no fix",)),
    ]
    step = funnel_step(records)
    assert (step.closed, step.with_fix, step.eligible_bug, step.eligible_system) == (6, 1, 1, 4)
    assert (step.decided, step.system_related, step.in_shares) == (3, 2, 1)
    assert step.excluded == (("no fix", 2), ("few comments", 1))


def test_coverage_counts_answers_of_the_random_sample_only() -> None:
    records = (
        DECIDED,
        replace(DECIDED, issue_id=2, number=2, category=None, category_source=None, state="proposed"),
        replace(DECIDED, issue_id=3, number=3, category=None, category_source=None, selection="targeted"),
        replace(DECIDED, issue_id=4, number=4, comments_until_reproduced_source="heuristic"),
    )
    repositories = tuple(Repository(repository_id=n, paradigm="ml", in_comparison=True) for n in (1, 2))
    covered = coverage(select(Rows(repositories=repositories, records=records), NOVEMBER, None), {"community": "why"})
    assert (covered.sampled, covered.sampled_unanswered, covered.proposed_unconfirmed) == (3, 1, 1)
    assert covered.heuristic_left_out == 1
    ml = covered.groups["ml"]
    assert (ml.compared, ml.reporting, ml.deciding) == (2, 1, 1)
    assert covered.groups["traditional"].compared == 0
    assert covered.not_available == (("community", "why"),)
