"""The tables of fixes: several languages against one, the languages themselves, and bug types."""

from __future__ import annotations

from bot.web.reports.view import Cell, Column, Table, count, delta, head, middle, name, probability, share, tested, word
from reports.model import Report
from reports.model_fixes import BugTypeRow, MplRow
from reports.numbers import DASH, measure
from reports.vocabulary import INDICATOR_TITLES, OVERALL

_MOST_MIXES = 5
_HEAD = (
    ("MPL median [q1–q3]", "median"), ("MPL n", "mpl"), ("SPL median [q1–q3]", "median"), ("SPL n", "mpl"),
    ("Cliff's δ", "delta"), ("p", "p-fixes"), ("q", "q"),
)  # fmt: skip
_MEDIANS = ("open_days", "issue_comments", "issue_participants", "changed_lines", "changed_files")


def mpl(report: Report) -> tuple[Table, Table | None] | None:
    """Return the measures of MPL against SPL fixes, overall and by repository; None where no fix's languages are known.

    The second is None where no repository may be named.
    """
    rows = report.tables.mpl_vs_spl
    if not rows:
        return None
    overall = [(_measure(row), *_compared(row)) for row in rows if row.repository == OVERALL]
    each = [
        (_where(row.repository), _measure(row), *_compared(row))
        for row in rows
        if row.repository != OVERALL and (row.mpl.n or row.spl.n)
    ]
    return (
        Table(
            "mpl_vs_spl", "Fixes in several languages against fixes in one", head("Measure", *_HEAD), tuple(overall),
            csv="mpl_vs_spl",
        ),
        Table(
            "mpl_by_repository", "MPL against SPL by repository", head("Repository", "Measure", *_HEAD, text=2),
            tuple(each), headers=2,
        ) if each else None,
    )  # fmt: skip


def languages(report: Report) -> Table | None:
    """Return how many fixes are multi-language, or None where nothing is known of languages."""
    columns = (
        *head("Repository", ("Fixes", "mpl"), ("MPL, tests counted, %", "mpl"), ("MPL, tests left out, %", "mpl")),
        Column("Most frequent", number=False),
    )
    body = [
        (
            _where(row.repository), count(row.n), share(row.mpl_share), share(row.mpl_share_without_tests),
            name(", ".join(f"{mix} ({n:,})" for mix, n in row.combinations[:_MOST_MIXES]) or DASH),
        )
        for row in report.tables.languages
    ]  # fmt: skip
    return Table("languages", "Languages of fixes", columns, tuple(body), csv="languages") if body else None


def bug_types(report: Report) -> Table | None:
    """Return the bug types, or None where none is decided."""
    medians = [(INDICATOR_TITLES[key], "median") for key in _MEDIANS]
    columns = head(
        "Repository", "Bug type", ("Fixes", "issues"), ("%", "share"), ("MPL, %", "mpl"), *medians,
        ("p", "p-types"), ("q", "q"), text=2,
    )  # fmt: skip
    body = tuple(map(_type, report.tables.bug_types))
    return Table("bug_types", "Bug types", columns, body, headers=2, csv="bug_types") if body else None


def _type(row: BugTypeRow) -> tuple[Cell, ...]:
    known = [row.indicators.get(key) for key in _MEDIANS]
    return (
        _where(row.repository),
        name(row.bug_type),
        count(row.n),
        share(row.share),
        share(row.mpl_share),
        *(Cell(measure(value), value) for value in known),
        probability(row.p),
        probability(row.q),
    )


def _where(repository: str) -> Cell:
    return word("Overall") if repository == OVERALL else name(repository)


def _measure(row: MplRow) -> Cell:
    return word(INDICATOR_TITLES[row.indicator], row.indicator)


def _compared(row: MplRow) -> tuple[Cell, ...]:
    return (
        middle(row.mpl),
        count(row.mpl.n),
        middle(row.spl),
        count(row.spl.n),
        delta(row.cliffs_delta if row.testable else None),
        tested(row.p, testable=row.testable),
        probability(row.q),
    )
