"""The three sentences: what is said of a difference, of none, and of too little data."""

import re
from dataclasses import replace

import pytest

from reports import Rows, build_report
from reports.findings import OF_TWO_FILES, every_test, expected_by_chance, finding, magnitude
from reports.model import Report
from reports.vocabulary import OVERALL
from tests.reports.enriched import enriched_rows
from tests.reports.synthetic import PERIOD, synthetic_rows


@pytest.fixture(scope="module")
def report() -> Report:
    return build_report(synthetic_rows(6, 40), PERIOD)


@pytest.fixture(scope="module")
def enriched() -> Report:
    return build_report(enriched_rows(4, 30), PERIOD)


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
    assert measures.startswith("Difficulty, information and people: no difference shown")


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
    sentence = finding(replace(report.tables, difficulty=rows), report.coverage)[1]
    assert says in re.sub(r"median \S+ against \S+; ", "", sentence)


def test_medians_are_named_where_they_point_the_same_way(report: Report) -> None:
    row = next(row for row in report.tables.difficulty if (row.category, row.indicator) == (OVERALL, "open_days"))
    for direction, ml, traditional, says in (
        (1, 9.0, 4.5, "median 9 against 4.5; "),
        (-1, 9.0, 4.5, "repositories (small"),
    ):
        changed = replace(
            row,
            ml=replace(row.ml, median=ml),
            traditional=replace(row.traditional, median=traditional),
            direction=direction,
            cliffs_delta=0.2 * direction,
            q=0.01,
        )
        tables = replace(report.tables, difficulty=(changed,), information=())
        assert says in finding(tables, report.coverage)[1]


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
    assert "because there is no traditional repository to compare" in causes
    assert measures.endswith("nothing can be said about a difference, for the same reason.")
    assert "no test was run" in trust


def test_too_few_repositories_are_counted() -> None:
    causes, measures, _ = build_report(synthetic_rows(3, 20), PERIOD).finding
    assert causes.endswith("because ML has 3 repositories (4 needed); traditional has 3 repositories (4 needed).")
    assert measures.endswith("for the same reason.")


def test_an_empty_window_is_named() -> None:
    causes, _, _ = build_report(synthetic_rows(4, 5), "2030-01").finding
    assert "no issue of a compared repository was closed in this window" in causes


def test_closings_without_a_decision_are_named() -> None:
    rows = synthetic_rows(4, 5)
    undecided = tuple(replace(record, category=None, category_source=None) for record in rows.records)
    causes, _, _ = build_report(replace(rows, records=undecided), PERIOD).finding
    assert "none of the closed issues has a decided, system-related root cause" in causes


def test_another_reason_is_told_apart() -> None:
    rows = synthetic_rows(4, 20)
    targeted = tuple(replace(record, selection="targeted") for record in rows.records)
    causes, measures, _ = build_report(replace(rows, records=targeted), PERIOD).finding
    assert causes.endswith("traditional has 0 repositories (4 needed); traditional has 0 issues (5 needed).")
    assert "no difference shown between the groups" in measures


def test_people_and_languages_join_the_second_sentence(enriched: Report) -> None:
    report = enriched
    lines = next(row for row in report.tables.mpl_vs_spl if row.indicator == "changed_lines")
    found = tuple(replace(row, q=0.01) if row == lines else row for row in report.tables.mpl_vs_spl)
    followers = tuple(
        replace(row, q=0.02, direction=1) if row.indicator == "followers" else row for row in report.tables.community
    )
    sentence = finding(replace(report.tables, mpl_vs_spl=found, community=followers), report.coverage)[1]
    assert "followers over all issues: higher in ML repositories" in sentence
    assert f"changed lines higher ({magnitude(lines.cliffs_delta or 0)} effect, " in sentence


def test_what_holds_by_construction_is_no_finding_and_no_test(enriched: Report) -> None:
    report = enriched
    rows = tuple(
        replace(row, q=0.001 if row.indicator in OF_TWO_FILES else 0.9 if row.testable else None)
        for row in report.tables.mpl_vs_spl
    )
    tables = replace(report.tables, mpl_vs_spl=rows)
    assert finding(tables, report.coverage)[1].endswith("against those in one: no difference shown.")
    tested = sum(row.p is not None for row in rows)
    without = replace(tables, mpl_vs_spl=())
    assert len(every_test(tables)) - len(every_test(without)) == tested - sum(
        row.p is not None and row.indicator in OF_TWO_FILES for row in rows
    )


def test_a_difference_comes_with_the_chance_of_a_false_one(report: Report) -> None:
    warning = "about 15 % of such reports name at least one difference even where the groups do not differ"
    assert warning in report.finding[2]
    tables = report.tables
    calm = replace(
        tables,
        categories=tuple(replace(row, q=row.q and 0.5) for row in tables.categories),
        without_dominant=tuple(replace(row, q=row.q and 0.5) for row in tables.without_dominant),
        difficulty=tuple(replace(row, q=row.q and 0.5) for row in tables.difficulty),
        information=tuple(replace(row, q=row.q and 0.5) for row in tables.information),
    )
    trust = finding(calm, report.coverage)[2]
    assert "none kept q" in trust
    assert "15 %" not in trust


def test_nothing_at_all_is_still_three_sentences() -> None:
    causes, measures, trust = build_report(Rows(), PERIOD).finding
    assert "there is no ML and no traditional repository" in causes
    assert measures.endswith("for the same reason.")
    assert "no test was run" in trust


def test_never_that_there_is_no_difference(report: Report) -> None:
    assert "no difference " not in " ".join(report.finding).replace("no difference shown", "").replace(
        "where no difference is shown", ""
    )
