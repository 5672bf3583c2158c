"""The root-cause tables: shares of issues, with and without the most frequent one."""

from collections.abc import Sequence

from reports.markdown import details, table
from reports.model import CategoryRow, Report, ShareCell
from reports.numbers import counted, percent, percent_interval, probability_cell, signed
from reports.sections import sensitivity
from reports.sections.cells import p_cell
from reports.sections.untested import untested
from reports.vocabulary import CATEGORY_PHRASES, CATEGORY_TITLES

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
    parts = (f"## Root causes\n\n{intro}", _table(rows), _untested(rows), sensitivity.proposals(report))
    return "\n\n".join(filter(None, parts))


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
