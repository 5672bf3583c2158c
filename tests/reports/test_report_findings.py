"""The three sentences: what is said of a difference, of none, and of too little data."""

from dataclasses import replace

import pytest

from reports import Rows, build_report
from reports.findings import expected_by_chance, finding, magnitude
from reports.model import Report
from reports.vocabulary import OVERALL
from tests.reports.synthetic import PERIOD, synthetic_rows


@pytest.fixture(scope="module")
def report() -> Report:
    return build_report(synthetic_rows(6, 40), PERIOD)


@pytest.mark.parametrize(
    ("delta", "word"),
    [
        (0.0, "negligible"),
        (0.146, "negligible"),
        (-0.147, "small"),
        (0.33, "medium"),
        (-0.474, "large"),
        (1.0, "large"),
    ],
)
def test_words_for_sizes(delta: float, word: str) -> None:
    assert magnitude(delta) == word


def test_a_difference_is_named_with_its_size_and_q(report: Report) -> None:
    causes, _, trust = report.finding
    assert "configuration error is a larger share in traditional repositories (by 3" in causes
    assert "memory leak is a larger share in ML repositories" in causes
    assert "q = .0" in causes
    assert "14 of 15 categories" in causes
    tests = [
        row.p
        for rows in (
            report.tables.categories,
            report.tables.without_dominant,
            report.tables.difficulty,
            report.tables.information,
        )
        for row in rows
        if row.p is not None
    ]
    assert f"{len(tests)} tests were run, of which about {expected_by_chance(len(tests)):.1f}" in trust


def test_nothing_found_is_no_difference_shown(report: Report) -> None:
    flat = replace(
        report.tables,
        categories=tuple(replace(row, q=row.q and 0.5) for row in report.tables.categories),
        difficulty=tuple(replace(row, q=row.q and 0.5) for row in report.tables.difficulty),
        information=tuple(replace(row, q=row.q and 0.5) for row in report.tables.information),
    )
    causes, measures, _ = finding(flat, report.coverage)
    assert causes.startswith("Root causes: no difference shown")
    assert measures.startswith("Difficulty: no difference shown")


def test_the_dominant_category_is_taken_out_and_counted(report: Report) -> None:
    assert report.tables.dominant == "configuration-error"
    remain = sum(row.q is not None and row.q < 0.05 for row in report.tables.without_dominant)
    words = {0: "none of the others differs", 1: "one other differs"}.get(remain, f"{remain} others differ")
    assert f"with configuration error left out, {words}" in report.finding[0]


@pytest.mark.parametrize(
    ("delta", "direction", "says"),
    [
        (0.6, 1, "days open over all issues: higher in ML repositories (large effect, Cliff's delta +0.60, q = .010)"),
        (-0.2, -1, "higher in traditional repositories (small effect, Cliff's delta -0.20"),
        (0.01, 1, "higher in ML repositories (seen between repositories, hardly between single issues"),
        (-0.5, 1, "higher in ML repositories (seen between repositories, hardly between single issues"),
    ],
)
def test_a_measure_that_differs_says_where_it_is_higher(
    report: Report, delta: float, direction: int, says: str
) -> None:
    rows = tuple(
        replace(row, q=0.01, cliffs_delta=delta, direction=direction)
        if (row.category, row.indicator) == (OVERALL, "open_days")
        else replace(row, q=row.q and 0.5)
        for row in report.tables.difficulty
    )
    assert says in finding(replace(report.tables, difficulty=rows), report.coverage)[1]


def test_many_differences_are_counted_not_listed(report: Report) -> None:
    rows = tuple(replace(row, q=0.01) if row.testable else row for row in report.tables.difficulty)
    sentence = finding(replace(report.tables, difficulty=rows), report.coverage)[1]
    assert sentence.count("Cliff's delta") == 3
    count = sum(row.testable for row in rows) + sum(
        row.q is not None and row.q < 0.05 for row in report.tables.information
    )
    assert f"and {count - 3} more" in sentence


def test_a_missing_group_is_named() -> None:
    causes, measures, trust = build_report(synthetic_rows(5, 20, traditional=0), PERIOD).finding
    for sentence in (causes, measures):
        assert "because there is no traditional repository to compare" in sentence
    assert "no test was run" in trust


def test_too_few_repositories_are_counted() -> None:
    causes, measures, _ = build_report(synthetic_rows(3, 20), PERIOD).finding
    for sentence in (causes, measures):
        assert "ML has 3 repositories (4 needed); traditional has 3 repositories (4 needed)" in sentence


def test_an_empty_window_is_named() -> None:
    causes, measures, _ = build_report(synthetic_rows(4, 5), "2030-01").finding
    for sentence in (causes, measures):
        assert "no issue of a compared repository was closed in this window" in sentence


def test_closings_without_a_decision_are_named() -> None:
    rows = synthetic_rows(4, 5)
    undecided = tuple(replace(record, category=None, category_source=None) for record in rows.records)
    causes, measures, _ = build_report(replace(rows, records=undecided), PERIOD).finding
    for sentence in (causes, measures):
        assert "none of the closed issues has a decided, system-related root cause" in sentence


def test_nothing_at_all_is_still_three_sentences() -> None:
    causes, measures, trust = build_report(Rows(), PERIOD).finding
    assert "there is no ML and no traditional repository" in causes
    assert "there is no ML and no traditional repository" in measures
    assert "no test was run" in trust


def test_never_that_there_is_no_difference(report: Report) -> None:
    assert "no difference " not in " ".join(report.finding).replace("no difference shown", "").replace(
        "where no difference is shown", ""
    )
