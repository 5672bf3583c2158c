"""The tables of measures: difficulty and information, overall and by category."""

from collections.abc import Sequence

from reports.markdown import details, table
from reports.model import IndicatorRow, QuartileCell, Report
from reports.numbers import probability_cell
from reports.sections.cells import effect, p_cell, quartiles
from reports.sections.untested import untested
from reports.tables.minimum import MIN_ISSUES
from reports.vocabulary import CATEGORY_TITLES, INDICATOR_TITLES, OVERALL

_HEAD = ("ML median [q1–q3]", "n (repos)", "Traditional median [q1–q3]", "n (repos)")
_TESTS = ("Cliff's δ [95 %]", "p", "q")
_EFFECT = (
    "*Cliff's δ* runs from -1 (every ML value lower) to 1 (every ML value higher); p and q compare the medians of the "
    "repositories."
)


def difficulty(report: Report) -> str:
    """Print the seven difficulty measures over all decided issues."""
    intro = f"{difficulty_of(report)}. Medians, and quartiles in brackets."
    if any(row.testable and row.category == OVERALL for row in report.tables.difficulty):
        intro += f" {_EFFECT}"
    return measures("## Difficulty", intro, report.tables.difficulty)


def difficulty_of(report: Report) -> str:
    """Say which issues the difficulty over all is of."""
    if report.coverage.facts_alone:
        return (
            "How hard all bugs with a landed fix were, whatever their root cause: nobody has decided one, and only "
            "facts about fixes are known here"
        )
    return "How hard the decided, system-related issues were"


def information(report: Report) -> str:
    """Print the four information measures over all decided issues."""
    left_out = report.coverage.heuristic_left_out
    intro = "What the reports of these issues contain; read as above."
    if left_out:
        intro += f" Guessed reproductions that nobody confirmed are left out ({left_out:,} issues)."
    return measures("## Information", intro, report.tables.information)


def difficulty_by_category(report: Report) -> str:
    """Print the difficulty measures of each category with enough issues, collapsed."""
    return _by_category("Difficulty by root cause", report.tables.difficulty)


def information_by_category(report: Report) -> str:
    """Print the information measures of each category with enough issues, collapsed."""
    return _by_category("Information by root cause", report.tables.information)


def measures(title: str, intro: str, rows: Sequence[IndicatorRow]) -> str:
    """Print the `overall` rows of a table of measures; without a tested row there are no columns for tests."""
    overall = [row for row in rows if row.category == OVERALL]
    tested = any(row.testable for row in overall)
    body = table(
        ("Measure", *_HEAD, *(_TESTS if tested else ())),
        [[INDICATOR_TITLES[row.indicator], *_cells(row, tested=tested)] for row in overall],
    )
    reasons = untested([(INDICATOR_TITLES[row.indicator], row.reason) for row in overall])
    return f"{title}\n\n{intro}\n\n{body}\n\n{reasons}".rstrip()


def _by_category(summary: str, rows: Sequence[IndicatorRow]) -> str:
    most: dict[str, int] = {}
    for row in rows:
        most[row.category] = max(most.get(row.category, 0), row.ml.n + row.traditional.n)
    shown = [row for row in rows if row.category != OVERALL and most[row.category] >= MIN_ISSUES]
    if not shown:
        return ""
    rare = sum(0 < n < MIN_ISSUES for n in most.values())
    intro = f"{rare} root causes with fewer than {MIN_ISSUES} issues in both groups together are left out.\n\n"
    tested = any(row.testable for row in shown)
    body = table(
        ("Root cause", "Measure", *_HEAD, *(_TESTS if tested else ())),
        [
            [CATEGORY_TITLES[row.category], INDICATOR_TITLES[row.indicator], *_cells(row, tested=tested)]
            for row in shown
        ],
        text_columns=2,
    )
    return details(summary, f"{intro if rare else ''}{body}")


def _cells(row: IndicatorRow, *, tested: bool) -> list[str]:
    cells = [quartiles(row.ml), _size(row.ml), quartiles(row.traditional), _size(row.traditional)]
    if tested:
        shown = effect(row.cliffs_delta, row.cliffs_delta_ci) if row.testable else effect(None)
        cells += [shown, p_cell(row.p, testable=row.testable), probability_cell(row.q)]
    return cells


def _size(cell: QuartileCell) -> str:
    return f"{cell.n:,} ({cell.repositories})" if cell.n else "0"
