"""The tables that compare the two groups: root causes, measures, people, estimates, and the study's own tests."""

from __future__ import annotations

from collections.abc import Sequence

from bot.web.reports.view import (
    Cell,
    Table,
    count,
    delta,
    difference,
    head,
    interval,
    middle,
    probability,
    ratio,
    share,
    size,
    tested,
    word,
)
from reports.model import CategoryRow, IndicatorRow, Report, ShareCell
from reports.model_own import EstimatedCell
from reports.model_people import RoleCell
from reports.vocabulary import CATEGORY_TITLES, INDICATOR_TITLES, OVERALL, ROLES

_GROUP_SHARES = (
    ("ML n", "n"), ("ML %", "share"), ("ML 95 %", "interval"),
    ("Traditional n", "n"), ("Traditional %", "share"), ("Traditional 95 %", "interval"),
)  # fmt: skip
_GROUP_MEDIANS = (
    ("ML median [q1–q3]", "median"), ("ML n (repos)", "issues"),
    ("Traditional median [q1–q3]", "median"), ("Traditional n (repos)", "issues"),
)  # fmt: skip


def categories(key: str, caption: str, rows: Sequence[CategoryRow]) -> Table:
    """Return the shares of the root causes and their tests; the rows not tested say so."""
    columns = head(
        "Root cause", *_GROUP_SHARES, ("Difference", "difference"), ("95 % of it", "interval"), ("p", "p"), ("q", "q")
    )
    return Table(key, caption, columns, tuple(map(_category, rows)), csv=key)


def _category(row: CategoryRow) -> tuple[Cell, ...]:
    shown = row.testable
    return (
        word(CATEGORY_TITLES[row.category]),
        *_group_share(row.ml),
        *_group_share(row.traditional),
        difference(row.difference if shown else None),
        interval(row.difference_ci if shown else None),
        tested(row.p, testable=shown),
        probability(row.q),
    )


def _group_share(cell: ShareCell) -> tuple[Cell, Cell, Cell]:
    return count(cell.n), share(cell.share), interval(cell.ci)


def estimated(report: Report) -> Table | None:
    """Return the estimated shares of those that have one, or None where nobody has."""
    rows = report.tables.estimated
    named = [
        (title, [cell for cell in cells if cell is not None])
        for title, cells in (
            ("ML", [row.ml for row in rows]),
            ("Traditional", [row.traditional for row in rows]),
            ("This repository", [row.this_repository for row in rows]),
        )
    ]
    shown = [(title, cells) for title, cells in named if cells and cells[0].share is not None]
    if not shown:
        return None
    pairs = [((f"{title} %", "estimate"), (f"{title} 95 %", "interval")) for title, _ in shown]
    columns = head("Root cause", *(column for pair in pairs for column in pair))
    body = [
        (word(CATEGORY_TITLES[row.category]), *(part for _, cells in shown for part in _estimate(cells[place])))
        for place, row in enumerate(rows)
    ]
    sizes = "; ".join(f"{title}: {cells[0].issues:,} issues, {cells[0].labelled:,} decided" for title, cells in shown)
    caption = f"Estimated shares of all eligible issues ({sizes})"
    return Table("categories_estimated", caption, columns, tuple(body), csv="categories_estimated")


def _estimate(cell: EstimatedCell) -> tuple[Cell, Cell]:
    return share(cell.share), interval(cell.ci)


def measures(key: str, caption: str, rows: Sequence[IndicatorRow]) -> Table:
    """Return the measures over all decided issues."""
    columns = head(
        "Measure", *_GROUP_MEDIANS, ("Cliff's δ [95 %]", "delta"), ("p", "p"), ("q", "q")
    )  # fmt: skip
    body = [(_measure(row), *_compared(row)) for row in rows if row.category == OVERALL]
    return Table(key, caption, columns, tuple(body), csv=key)


def measures_by_category(key: str, caption: str, rows: Sequence[IndicatorRow]) -> Table | None:
    """Return the measures of each root cause that has issues, or None where none has."""
    columns = head(
        "Root cause", "Measure", *_GROUP_MEDIANS, ("Cliff's δ [95 %]", "delta"), ("p", "p"), ("q", "q"), text=2
    )
    body = [
        (word(CATEGORY_TITLES[row.category]), _measure(row), *_compared(row))
        for row in rows
        if row.category != OVERALL and (row.ml.n or row.traditional.n)
    ]
    return Table(f"{key}_by_category", caption, columns, tuple(body), headers=2) if body else None


def _measure(row: IndicatorRow) -> Cell:
    return word(INDICATOR_TITLES[row.indicator], row.indicator)


def _compared(row: IndicatorRow) -> tuple[Cell, ...]:
    return (
        middle(row.ml),
        size(row.ml.n, row.ml.repositories),
        middle(row.traditional),
        size(row.traditional.n, row.traditional.repositories),
        delta(row.cliffs_delta, row.cliffs_delta_ci) if row.testable else delta(None),
        tested(row.p, testable=row.testable),
        probability(row.q),
    )


def roles(report: Report) -> Table | None:
    """Return the roles by the profiles' own words, or None where no profile was read."""
    rows = [row for row in report.tables.roles if row.ml.total or row.traditional.total]
    columns = head(
        "Role", ("ML people (repos)", "people"), ("ML %", "share"),
        ("Traditional people (repos)", "people"), ("Traditional %", "share"),
    )  # fmt: skip
    body = [(word(ROLES[row.role]), *_role(row.ml), *_role(row.traditional)) for row in rows]
    return Table("roles", "Roles by the words of public profiles", columns, tuple(body), csv="roles") if body else None


def _role(cell: RoleCell) -> tuple[Cell, Cell]:
    return Cell(f"{cell.n:,} of {cell.total:,} ({cell.repositories})", cell.n), share(cell.share)


def replication(report: Report) -> Table:
    """Return the study's analysis of variance and the tests over issues, which ignore that issues cluster."""
    columns = head(
        "Row", ("ANOVA F", "anova"), ("ANOVA p", "anova"), ("Welch p", "anova"), ("p over issues", "p-issues")
    )
    tables = report.tables
    measures = (*tables.difficulty, *tables.information, *tables.community)
    rows: list[tuple[str, CategoryRow | IndicatorRow]] = [
        *((CATEGORY_TITLES[row.category], row) for row in tables.categories),
        *((INDICATOR_TITLES[row.indicator], row) for row in measures if row.category == OVERALL),
    ]
    body = [
        (
            word(title),
            ratio(row.anova.f),
            probability(row.anova.p),
            probability(row.welch.p),
            probability(row.p_issue_level),
        )
        for title, row in rows
    ]
    return Table("replication", "The study's own test, and tests over issues", columns, tuple(body))
