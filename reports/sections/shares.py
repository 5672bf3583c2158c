"""The root-cause tables and their chart."""

from collections.abc import Sequence
from math import ceil

from reports.markdown import details, table
from reports.model import CategoryRow, Report, ShareCell
from reports.numbers import counted, percent, percent_interval, probability_cell, signed
from reports.sections.cells import p_cell
from reports.sections.untested import untested
from reports.vocabulary import CATEGORIES, CATEGORY_PHRASES, CATEGORY_TITLES

_HEAD = ("Root cause", "ML n", "%", "95 %", "Traditional n", "%", "95 %")
_TESTS = ("Difference", "95 %", "p", "q")


def categories(report: Report) -> str:
    """Print the shares of all 15 categories, zeros included."""
    rows = report.tables.categories
    ml, traditional = rows[0].ml, rows[0].traditional
    intro = (
        f"Issues by root cause, of {_issues(ml)} (ML) and {_issues(traditional)} (traditional), "
        "decided, in a random or imported sample."
    )
    if any(row.testable for row in rows):
        intro += (
            " *Difference*: mean share of the ML repositories minus that of the traditional ones, in percentage "
            "points; p and q come from shuffling repositories between the groups."
        )
    return f"## Root causes\n\n{intro}\n\n{_table(rows)}\n\n{_untested(rows)}".rstrip()


def without_dominant(report: Report) -> str:
    """Print the same table without the most frequent category, which pushes the others down, if a row is tested."""
    dominant = report.tables.dominant
    if dominant is None:
        return ""
    rows = report.tables.without_dominant
    if not any(row.testable for row in rows):
        return ""
    summary = f"Root causes without {CATEGORY_PHRASES[dominant]}, the most frequent"
    intro = f"Of {_issues(rows[0].ml)} (ML) and {_issues(rows[0].traditional)} (traditional)."
    return details(summary, f"{intro}\n\n{_table(rows)}\n\n{_untested(rows)}".rstrip())


def chart(report: Report) -> str:
    """Draw the shares as a Mermaid chart; its numbers are those of the table above it."""
    rows = {row.category: row for row in report.tables.categories}
    shown = [one for one in CATEGORIES if rows[one.key].ml.n or rows[one.key].traditional.n]
    if not shown:
        return ""
    ml = [100 * (rows[one.key].ml.share or 0.0) for one in shown]
    traditional = [100 * (rows[one.key].traditional.share or 0.0) for one in shown]
    top = max(10, 10 * ceil(max(*ml, *traditional) / 10))
    labels = ", ".join(f'"{one.chart_label}"' for one in shown)
    return "\n".join(
        (
            "Shares in per cent: bars are ML, the line is traditional.",
            "",
            "```mermaid",
            "xychart-beta",
            '    title "Share of issues by root cause (bars: ML, line: traditional)"',
            f"    x-axis [{labels}]",
            f'    y-axis "per cent" 0 --> {top}',
            f"    bar [{_series(ml)}]",
            f"    line [{_series(traditional)}]",
            "```",
        )
    )


def _series(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.1f}" for value in values)


def _issues(cell: ShareCell) -> str:
    return f"{counted(cell.total, 'issue')} of {counted(cell.repositories, 'repository')}"


def _table(rows: Sequence[CategoryRow]) -> str:
    tested = any(row.testable for row in rows)
    head = (*_HEAD, *(_TESTS if tested else ()))
    return table(head, [[*_cells(row), *(_tests(row) if tested else ())] for row in rows])


def _cells(row: CategoryRow) -> list[str]:
    groups = [
        text
        for cell in (row.ml, row.traditional)
        for text in (str(cell.n), percent(cell.share), percent_interval(cell.ci))
    ]
    return [CATEGORY_TITLES[row.category], *groups]


def _tests(row: CategoryRow) -> list[str]:
    return [
        signed(row.difference if row.testable else None, scale=100, decimals=1),
        percent_interval(row.difference_ci if row.testable else None),
        p_cell(row.p, testable=row.testable),
        probability_cell(row.q),
    ]


def _untested(rows: Sequence[CategoryRow]) -> str:
    return untested([(CATEGORY_TITLES[row.category], row.reason) for row in rows])
