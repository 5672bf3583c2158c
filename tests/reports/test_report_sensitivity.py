"""How far results hang on people with very many followers and on proposals that nobody answered."""

from __future__ import annotations

from dataclasses import replace

from reports import Rows, build_report, render
from reports.model import Report
from tests.reports.enriched import enriched_rows
from tests.reports.synthetic import PERIOD


def with_famous(rows: Rows, issues: frozenset[int]) -> Rows:
    people = tuple(replace(one, followers=90_000 if one.issue_id in issues else 7) for one in rows.participants or ())
    return replace(rows, participants=people)


def section(report: Report, title: str) -> str:
    return render(report).partition(f"## {title}\n")[2].partition("\n## ")[0]


def test_people_with_very_many_followers_stay_and_the_report_says_what_they_do() -> None:
    rows = enriched_rows()
    decided = [one.issue_id for one in rows.records if one.repository_id <= 5 and one.category]
    report = build_report(with_famous(rows, frozenset(decided[:40])), PERIOD)
    check = report.sensitivity.followers
    assert check is not None
    assert check.ml_left_out > 0
    assert check.traditional_left_out == 0
    (row,) = [one for one in report.tables.community if one.indicator == "followers"]
    assert row.cliffs_delta is not None
    assert row.cliffs_delta > 0
    assert check.cliffs_delta == 0.0
    assert f"Sensitivity: {check.ml_left_out} people" in section(report, "People")
    nobody = section(build_report(with_famous(rows, frozenset()), PERIOD), "People")
    assert "nobody here has more than 40,000 followers" in nobody


def test_unconfirmed_proposals_show_how_the_shares_would_move_and_enter_no_test() -> None:
    rows = enriched_rows()
    waiting = tuple(
        replace(one, proposal_category="memory-leak") if one.category is None else one for one in rows.records
    )
    report = build_report(replace(rows, records=waiting), PERIOD)
    by_category = {one.category: one for one in report.sensitivity.proposals}
    leaks = next(one for one in report.tables.categories if one.category == "memory-leak")
    more = by_category["memory-leak"].ml.n - leaks.ml.n
    assert more == by_category["memory-leak"].ml.total - leaks.ml.total > 0
    assert "share of memory leak moves most" in section(report, "Root causes")
    without = tuple(one for one in waiting if one.category is not None)
    answered = build_report(replace(rows, records=without), PERIOD)
    assert answered.sensitivity.proposals == ()
    assert answered.tables.categories == report.tables.categories
    assert "Sensitivity" not in section(answered, "Root causes")
