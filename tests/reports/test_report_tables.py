"""The tables: the study's Table 3 recomputed, what is tested, and what enters each cell."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from reports import Record, Rows, build_report
from reports.group_tests import benjamini_hochberg
from reports.model import CategoryRow, IndicatorRow, Report
from reports.study import load_study
from reports.tables.shares import category_rows, dominant_category
from reports.vocabulary import CATEGORY_KEYS, DIFFICULTY, INFORMATION, OVERALL
from tests.reports.synthetic import PERIOD, synthetic_rows

ALL = 10**9
"""More resamples than there are relabelings: scipy then uses each one."""


def _study_counts() -> np.ndarray:
    """Return the study's Table 3 as one repository a group."""
    shares = load_study().shares
    return np.array(
        [[shares[key]["ml"].n for key in CATEGORY_KEYS], [shares[key]["traditional"].n for key in CATEGORY_KEYS]]
    )


def _by_category(rows: tuple[CategoryRow, ...]) -> dict[str, CategoryRow]:
    return {row.category: row for row in rows}


def _measures(rows: tuple[IndicatorRow, ...]) -> dict[tuple[str, str], IndicatorRow]:
    return {(row.category, row.indicator): row for row in rows}


@pytest.fixture(scope="module")
def report() -> Report:
    return build_report(synthetic_rows(6, 40), PERIOD)


@pytest.mark.parametrize(
    ("category", "p", "q"),
    [
        ("configuration-error", 2.9e-20, 4e-19),
        ("memory-leak", 1.7e-4, 0.0012),
        ("multi-threading", 5.1e-4, 0.0024),
        ("performance-regression", 0.031, 0.11),
        ("memory-allocation", 0.126, 0.25),
        ("api-mismatch", 0.66, 0.66),
        ("io-slowdown", 0.11, 0.25),
        ("slow-synchronization", 0.26, 0.30),
    ],
)
def test_fisher_of_the_study_s_pooled_counts(category: str, p: float, q: float) -> None:
    rows = _by_category(category_rows(_study_counts(), 1, seed=1))
    assert rows[category].p_issue_level == pytest.approx(p, rel=0.05)
    qs = dict(zip(rows, benjamini_hochberg([row.p_issue_level for row in rows.values()]), strict=True))
    assert qs[category] == pytest.approx(q, rel=0.05)
    assert qs["resource-usage"] is None


def test_the_study_without_configuration() -> None:
    counts = _study_counts()
    assert dominant_category(counts) == "configuration-error"
    rows = _by_category(category_rows(counts, 1, seed=1, leave_out="configuration-error"))
    assert len(rows) == 14
    assert (rows["memory-leak"].ml.total, rows["memory-leak"].traditional.total) == (119, 214)
    expected = {"memory-leak": 0.19, "multi-threading": 0.026, "performance-regression": 1.0, "api-mismatch": 0.008}
    for category, p in expected.items():
        assert rows[category].p_issue_level == pytest.approx(p, rel=0.05)


def test_fifteen_rows_in_codebook_order_zeros_included(report: Report) -> None:
    rows = report.tables.categories
    assert tuple(row.category for row in rows) == CATEGORY_KEYS
    race = _by_category(rows)["data-race"]
    assert (race.ml.n, race.ml.share, race.p, race.q, race.testable) == (0, 0.0, None, None, False)
    assert race.reason == "too small: the category has 0 issues in both groups together (5 needed)"


def test_share_rows_follow_their_definition(report: Report) -> None:
    rows = synthetic_rows(6, 40)
    counted = [record for record in rows.records if record.selection == "random"]
    leak = _by_category(report.tables.categories)["memory-leak"]
    for group, cell in (("ml", leak.ml), ("traditional", leak.traditional)):
        of_group = [record for record in counted if record.paradigm == group]
        assert (cell.n, cell.total) == (sum(r.category == "memory-leak" for r in of_group), len(of_group))
        assert cell.share == cell.n / cell.total
        assert cell.repositories == 6
    shares = [_share(counted, number) for number in range(1, 13)]
    oracle = stats.permutation_test(
        (shares[:6], shares[6:]), lambda x, y, axis: x.mean(axis) - y.mean(axis), vectorized=True, n_resamples=ALL
    )
    assert leak.difference == pytest.approx(oracle.statistic)
    assert leak.p == pytest.approx(oracle.pvalue)
    assert leak.anova.f == pytest.approx(stats.f_oneway(shares[:6], shares[6:]).statistic)
    assert leak.difference_ci is not None
    assert leak.difference_ci[0] < oracle.statistic < leak.difference_ci[1]
    tested = [row for row in report.tables.categories if row.testable]
    assert [row.q for row in tested] == pytest.approx(stats.false_discovery_control([row.p or 1.0 for row in tested]))


def _share(records: list[Record], repository_id: int) -> float:
    own = [record.category for record in records if record.repository_id == repository_id]
    return own.count("memory-leak") / len(own)


def test_every_category_and_overall_has_every_measure(report: Report) -> None:
    for rows, indicators in ((report.tables.difficulty, DIFFICULTY), (report.tables.information, INFORMATION)):
        expected = [(category, one.key) for category in (OVERALL, *CATEGORY_KEYS) for one in indicators]
        assert [(row.category, row.indicator) for row in rows] == expected


@pytest.mark.parametrize("indicator", ["open_days", "fix_comments", "changed_files"])
def test_measure_rows_follow_their_definition(report: Report, indicator: str) -> None:
    values: dict[int, list[float]] = {}
    for record in synthetic_rows(6, 40).records:
        if getattr(record, indicator) is not None:
            values.setdefault(record.repository_id, []).append(getattr(record, indicator))
    row = _measures(report.tables.difficulty)[OVERALL, indicator]
    ml = np.concatenate([values[number] for number in range(1, 7)])
    traditional = np.concatenate([values[number] for number in range(7, 13)])
    assert (row.ml.n, row.ml.repositories) == (len(ml), 6)
    assert (row.ml.q1, row.ml.median, row.ml.q3) == pytest.approx(tuple(np.quantile(ml, [0.25, 0.5, 0.75])))
    medians = [
        np.median(np.log1p(values[number]) if indicator == "open_days" else values[number]) for number in range(1, 13)
    ]
    oracle = stats.permutation_test(
        (medians[:6], medians[6:]), lambda x, y, axis: x.mean(axis) - y.mean(axis), vectorized=True, n_resamples=ALL
    )
    assert row.p == pytest.approx(oracle.pvalue)
    assert row.direction == np.sign(oracle.statistic)
    u = stats.mannwhitneyu(ml, traditional)
    assert row.cliffs_delta == pytest.approx(2 * u.statistic / (len(ml) * len(traditional)) - 1)
    assert row.p_issue_level == pytest.approx(u.pvalue)
    assert row.anova.f == pytest.approx(stats.f_oneway(ml, traditional).statistic)


def test_a_guessed_reproduction_never_enters(report: Report) -> None:
    row = _measures(report.tables.information)[OVERALL, "comments_until_reproduced"]
    assert (row.ml.n, row.traditional.n) == (120, 120)
    assert report.coverage.heuristic_left_out == 240
    rows = synthetic_rows(6, 40)
    guesses = tuple(
        replace(record, comments_until_reproduced=900)
        if record.comments_until_reproduced_source == "heuristic"
        else record
        for record in rows.records
    )
    again = build_report(replace(rows, records=guesses), PERIOD)
    assert again.tables == report.tables


def test_unknown_values_are_not_zero() -> None:
    rows = synthetic_rows(4, 20)
    blank = tuple(replace(r, changed_files=None) if r.repository_id == 1 else r for r in rows.records)
    row = _measures(build_report(replace(rows, records=blank), PERIOD).tables.difficulty)[OVERALL, "changed_files"]
    assert (row.ml.n, row.ml.repositories, row.traditional.repositories) == (60, 3, 4)
    assert row.reason == "too small: ML has 3 repositories (4 needed)"
    assert (row.p, row.q, row.cliffs_delta_ci) == (None, None, None)
    assert row.cliffs_delta is not None


def test_only_decided_system_related_issues_are_in_the_tables() -> None:
    rows = synthetic_rows(4, 20)
    extra = tuple(
        replace(record, issue_id=record.issue_id + 500_000, **change)
        for record in rows.records
        for change in ({"category": "none"}, {"eligible_system": False}, {"category_source": None})
    )
    assert build_report(Rows(repositories=rows.repositories, records=rows.records + extra), PERIOD).tables == (
        build_report(rows, PERIOD).tables
    )


def test_a_planted_shift_is_found_and_the_order_of_rows_does_not_matter() -> None:
    rows = synthetic_rows(8, 30, shift=1.5)
    report = build_report(rows, PERIOD)
    days = _measures(report.tables.difficulty)[OVERALL, "open_days"]
    assert days.q is not None
    assert days.q < 0.05
    assert (days.cliffs_delta or 0) > 0.474
    backwards = Rows(repositories=rows.repositories[::-1], records=rows.records[::-1])
    assert build_report(backwards, PERIOD) == report
