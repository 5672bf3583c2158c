"""The people's tables, agreement, estimates, and the own repository beside the others."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from reports import Decision, Participant, Record, Repository, Rows, build_report
from reports.model import IndicatorRow, Report
from reports.prediction_powered import prediction_powered_share
from reports.tables.own import SHARE
from reports.vocabulary import COMMUNITY, PEOPLE
from tests.reports.synthetic import PERIOD, synthetic_rows


def person(name: str, record: Record, **values: object) -> Participant:
    return Participant(person=name, repository_id=record.repository_id, issue_id=record.issue_id, **values)  # type: ignore[arg-type]


def with_people(rows: Rows, *people: Participant) -> Report:
    return build_report(replace(rows, participants=people), PERIOD)


def measure(report: Report, indicator: str) -> IndicatorRow:
    (row,) = [one for one in report.tables.community if one.indicator == indicator]
    return row


def test_each_person_counts_once_where_they_took_part_most() -> None:
    rows = synthetic_rows(2, 5)
    of = {one: [record for record in rows.records if record.repository_id == one] for one in (1, 2, 3)}
    report = with_people(
        rows,
        person("ann", of[1][0], account_years=2, followers=10, profile_role="researcher"),
        person("ann", of[2][0], account_years=3, followers=10, profile_role="researcher"),
        person("ann", of[2][1], account_years=4, followers=10, profile_role="researcher"),
        person("bob", of[2][1], account_years=9, followers=50, profile_role="engineer"),
        person("eve", of[3][0], account_years=1, followers=None, profile_role=None),
    )
    years = measure(report, "account_years")
    assert (years.ml.n, years.ml.repositories, years.ml.median) == (2, 1, 6.0)
    assert years.traditional.n == 1
    assert measure(report, "followers").traditional.n == 0
    roles = {row.role: row for row in report.tables.roles}
    assert (roles["researcher"].ml.n, roles["researcher"].ml.total, roles["researcher"].ml.share) == (1, 2, 0.5)
    assert (roles["engineer"].traditional.n, roles["engineer"].traditional.share) == (0, None)


def test_measures_of_an_issues_people_come_from_the_records() -> None:
    rows = synthetic_rows(4, 6)
    records = tuple(replace(one, members=one.number, participation_percent=50.0) for one in rows.records)
    report = with_people(replace(rows, records=records))
    assert [row.indicator for row in report.tables.community] == [one.key for one in (*COMMUNITY, *PEOPLE)]
    members = measure(report, "members")
    assert (members.ml.n, members.ml.repositories, members.ml.median, members.p) == (24, 4, 2.5, 1.0)
    assert measure(report, "fix_author_contributions").reason is not None


def test_without_participants_the_tables_are_missing_with_a_reason() -> None:
    report = build_report(synthetic_rows(2, 5), PERIOD)
    assert report.tables.community == ()
    assert dict(report.coverage.not_available)["community"] == "participants.jsonl is not there"


def test_agreement_between_two_people_by_hand() -> None:
    rows = synthetic_rows(2, 6)
    first, second, third = rows.records[:3]

    def said(record: Record, coder: str, category: str, undone: bool = False) -> Decision:
        moment = datetime(2026, 11, 1, tzinfo=UTC)
        return Decision(issue_id=record.issue_id, coder=coder, category=category, undone_at=moment if undone else None)

    decisions = (
        said(first, "ann", "memory-leak"),
        said(first, "bob", "memory-leak"),
        said(second, "bob", "data-race"),
        said(second, "ann", "conversion"),
        said(third, "ann", "none"),
        said(third, "bob", "none", undone=True),
    )
    people = build_report(replace(rows, decisions=decisions), PERIOD).agreement.people
    # Alike 1 of 2; by chance: leak 1 * 1, so (1 * 2 - 1) / (4 - 1).
    assert (people.n, people.observed) == (2, 0.5)
    assert people.kappa == pytest.approx(1 / 3)


def test_each_repository_has_its_own_agreement() -> None:
    rows = synthetic_rows(2, 6)
    answers = {1: ["memory-leak", "memory-leak", "data-race"], 2: ["conversion", "memory-leak", "data-race"]}
    decisions = tuple(
        Decision(issue_id=record.issue_id, coder=coder, category=category)
        for repository, categories in answers.items()
        for record, category in zip(
            [one for one in rows.records if one.repository_id == repository], categories, strict=False
        )
        for coder, category in (("ann", "memory-leak" if repository == 1 else "data-race"), ("bob", category))
    )
    by_repository = {
        number: build_report(replace(rows, decisions=decisions), PERIOD, repository_id=number).agreement
        for number in answers
    }
    here = {number: one.people_here for number, one in by_repository.items()}
    assert here[1] is not None
    assert here[2] is not None
    assert [(cell.n, cell.repositories, round(cell.observed or 0, 3)) for cell in (here[1], here[2])] == [
        (3, 1, 0.667),
        (3, 1, 0.333),
    ]
    assert by_repository[1].people == by_repository[2].people
    assert by_repository[1].people.n == 6
    assert build_report(replace(rows, decisions=decisions), PERIOD).agreement.people_here is None


def test_agreement_with_the_model_blind_and_shown_apart() -> None:
    rows = synthetic_rows(1, 20)
    records = tuple(
        replace(
            one,
            blind=one.number < 6,
            selection="random",
            proposal_category=one.category if one.number % 2 else "none",
        )
        for one in rows.records
    )
    agreement = build_report(replace(rows, records=records), PERIOD).agreement
    assert agreement.model_blind.n == 12
    assert agreement.model_shown.n == 28
    assert agreement.model_blind.observed == 0.5
    assert build_report(rows, PERIOD).agreement.model_blind.reason == "no blind issue is decided"


def test_estimates_are_the_prediction_powered_ones() -> None:
    rows = synthetic_rows(1, 60)
    records = tuple(
        replace(
            one,
            proposal_category="memory-leak" if one.number % 3 else one.category,
            selection="random" if one.number < 25 else None,
            category=one.category if one.number < 25 else None,
        )
        for one in rows.records
    )
    report = build_report(replace(rows, records=records), PERIOD, repository_id=1)
    row = next(one for one in report.tables.estimated if one.category == "memory-leak")
    own = [one for one in records if one.repository_id == 1]
    decided = [one for one in own if one.selection == "random"]
    guessed = [np.array([float(one.proposal_category == "memory-leak") for one in part]) for part in (own, decided)]
    labels = np.array([float(one.category == "memory-leak") for one in decided])
    expected = prediction_powered_share(guessed[0], guessed[1], labels)
    assert expected is not None
    assert row.ml.share == pytest.approx(expected.share)
    assert row.ml.ci == pytest.approx(expected.ci)
    assert row.this_repository == row.ml
    assert (row.ml.issues, row.ml.labelled) == (60, 25)


def test_the_own_repository_beside_its_group_and_partner() -> None:
    rows = synthetic_rows(3, 20)
    own, partner = replace(rows.repositories[0], matched_with=5), replace(rows.repositories[4], share="named")
    repositories = (own, *rows.repositories[1:4], partner, rows.repositories[5])
    report = build_report(replace(rows, repositories=repositories), PERIOD, repository_id=1)
    assert report.partner == partner.repository
    days = report.own[0]
    medians = [
        float(np.median([one.open_days for one in rows.records if one.repository_id == other and one.open_days]))
        for other in (1, 2, 3, 5)
    ]
    assert days.own.median == pytest.approx(medians[0])
    assert days.group_median == pytest.approx((medians[1] + medians[2]) / 2)
    assert days.partner is not None
    assert days.partner.median == pytest.approx(medians[3])
    leak = next(one for one in report.own if one.indicator == f"{SHARE}memory-leak")
    counted = [one for one in rows.records if one.repository_id == 1 and one.selection == "random"]
    assert leak.own.n == len(counted)
    assert leak.own.median == sum(one.category == "memory-leak" for one in counted) / len(counted)


def test_a_partner_that_wants_no_name_is_not_named() -> None:
    rows = synthetic_rows(2, 5)
    own = replace(rows.repositories[0], matched_with=3)
    report = build_report(replace(rows, repositories=(own, *rows.repositories[1:])), PERIOD, repository_id=1)
    assert report.partner is None
    assert all(row.partner is None for row in report.own)
    assert [row.repository for row in report.repositories] == [own.repository]


def test_twelve_months_empty_ones_included() -> None:
    repository = Repository(repository_id=1, repository="made-up/one")
    record = Record(
        repository_id=1,
        issue_id=1,
        number=1,
        closed_at=datetime(2026, 3, 31, 23, 59, tzinfo=UTC),
        eligible_system=True,
        open_days=4.0,
    )
    trend = build_report(Rows(repositories=(repository,), records=(record,)), PERIOD, repository_id=1).trend
    assert [point.month for point in trend][:2] == ["2025-12", "2026-01"]
    assert len(trend) == 12
    march = trend[3]
    assert (march.closed, march.eligible_system, march.system_related, march.open_days) == (1, 1, 0, 4.0)
    assert (trend[4].closed, trend[4].open_days) == (0, None)
