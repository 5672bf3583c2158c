"""The tables of measures: difficulty and information, overall and by category."""

from collections.abc import Sequence

from reports.markdown import details, table
from reports.model import IndicatorRow, QuartileCell, Report
from reports.numbers import DASH, measure, probability_cell, signed
from reports.sections.untested import untested
from reports.vocabulary import CATEGORY_TITLES, INDICATOR_TITLES, OVERALL

_HEAD = ("ML median [q1–q3]", "n (repos)", "Traditional median [q1–q3]", "n (repos)", "Cliff's δ [95 %]", "p", "q")


def difficulty(report: Report) -> str:
    """Print the seven difficulty measures over all decided issues."""
    intro = (
        "Over all decided system-related issues. *Cliff's δ* runs from -1 (every ML issue lower) to 1 (every ML issue "
        "higher); p and q compare the groups' repository medians."
    )
    return _overall("## Difficulty", intro, report.tables.difficulty)


def information(report: Report) -> str:
    """Print the four information measures over all decided issues."""
    left_out = report.coverage.heuristic_left_out
    intro = "What the reports contain; read as above."
    if left_out:
        intro += f" Guessed reproductions that nobody confirmed are left out ({left_out:,} issues)."
    return _overall("## Information", intro, report.tables.information)


def difficulty_by_category(report: Report) -> str:
    """Print the difficulty measures of each category that occurs, collapsed."""
    return _by_category("Difficulty by root cause", report.tables.difficulty)


def information_by_category(report: Report) -> str:
    """Print the information measures of each category that occurs, collapsed."""
    return _by_category("Information by root cause", report.tables.information)


def _overall(title: str, intro: str, rows: Sequence[IndicatorRow]) -> str:
    overall = [row for row in rows if row.category == OVERALL]
    body = table(("Measure", *_HEAD), [[INDICATOR_TITLES[row.indicator], *_cells(row)] for row in overall])
    reasons = untested([(INDICATOR_TITLES[row.indicator], row.reason) for row in overall])
    return f"{title}\n\n{intro}\n\n{body}\n\n{reasons}".rstrip()


def _by_category(summary: str, rows: Sequence[IndicatorRow]) -> str:
    shown = [row for row in rows if row.category != OVERALL and (row.ml.n or row.traditional.n)]
    if not shown:
        return ""
    body = table(
        ("Root cause", "Measure", *_HEAD),
        [[CATEGORY_TITLES[row.category], INDICATOR_TITLES[row.indicator], *_cells(row)] for row in shown],
        text_columns=2,
    )
    return details(summary, f"Categories without a decided issue are left out here.\n\n{body}")


def _cells(row: IndicatorRow) -> list[str]:
    return [
        *_quartiles(row.ml),
        *_quartiles(row.traditional),
        _effect(row),
        probability_cell(row.p) if row.testable else "too small",
        probability_cell(row.q),
    ]


def _quartiles(cell: QuartileCell) -> tuple[str, str]:
    if cell.n == 0:
        return DASH, "0"
    return f"{measure(cell.median)} [{measure(cell.q1)}–{measure(cell.q3)}]", f"{cell.n:,} ({cell.repositories})"


def _effect(row: IndicatorRow) -> str:
    if row.cliffs_delta is None or not row.testable:
        return DASH
    if row.cliffs_delta_ci is None:
        return signed(row.cliffs_delta)
    low, high = row.cliffs_delta_ci
    return f"{signed(row.cliffs_delta)} [{signed(low)}, {signed(high)}]"
