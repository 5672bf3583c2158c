"""The tables of single repositories: the one the report is for, those that may be named, months, steps, agreement."""

from __future__ import annotations

from collections import Counter

from bot.web.reports.view import Cell, Column, Table, count, head, middle, name, ratio, share, word
from reports.cohort import is_decided
from reports.model import FunnelStep, Report
from reports.model_fixes import FixCell
from reports.model_own import OwnRow, RepositoryRow
from reports.model_people import AgreementCell
from reports.numbers import DASH, measure, percent
from reports.sections.cells import median_of
from reports.tables.own import SHARE
from reports.vocabulary import CATEGORY_TITLES, GROUP_TITLES, GROUPS, INDICATOR_TITLES, NONE

_UNBROKEN = "\N{NON-BREAKING HYPHEN}"
_SHOWN = ("open_days", "issue_comments", "changed_lines", "changed_files", "description_words", "code_lines")


def root_causes(report: Report) -> Table | None:
    """Return what this repository's issues came from, in the month and the window; None where nothing is decided."""
    decided = [one for one in report.own_records if one.eligible_system and is_decided(one)]
    if not decided:
        return None
    month = Counter(one.category for one in decided if report.period.month.holds(one.closed_at))
    window = Counter(one.category for one in decided)
    rows = {row.indicator.removeprefix(SHARE): row for row in report.own if row.indicator.startswith(SHARE)}
    body = [
        (word(title), count(month[key]), count(window[key]), *_shares(report, rows.get(key)))
        for key, title in {**CATEGORY_TITLES, NONE: "Not system-related"}.items()
    ]
    columns = head(
        "Decided root cause",
        (report.period.name.replace("-", _UNBROKEN), "month"),
        ("Window", "issues"),
        ("%", "share"),
        *_beside(report),
    )
    caption = f"Root causes here: {len(decided):,} decided issues"
    return Table("own_root_causes", caption, columns, tuple(body), csv="this_repository")


def own_measures(report: Report) -> Table | None:
    """Return this repository's measures beside its group's and its partner's; None where nothing is known."""
    rows = [row for row in report.own if not row.indicator.startswith(SHARE) and row.own.n]
    body = [
        (
            word(INDICATOR_TITLES[row.indicator], row.indicator),
            middle(row.own),
            count(row.own.n),
            _of_group(row, measure(row.group_median)),
            *([_median(row.partner)] if report.partner is not None else []),
        )
        for row in rows
    ]
    columns = head("Measure", ("Here [q1–q3]", "median"), ("n", "issues"), *_beside(report))
    return Table("own_measures", "Measures here", columns, tuple(body), csv="this_repository") if body else None


def _beside(report: Report) -> tuple[tuple[str, str], ...]:
    group = (("Group (repos)", "of-group"),)
    return group if report.partner is None else (*group, ("Partner (n)", "partner"))


def _shares(report: Report, row: OwnRow | None) -> tuple[Cell, ...]:
    cells = [share(None), Cell(DASH)]
    if row is not None:
        cells = [share(row.own.median), _of_group(row, percent(row.group_median))]
    if report.partner is not None:
        partner = row.partner if row else None
        known = partner is not None and partner.median is not None
        text = f"{percent(partner.median)} ({partner.n:,})" if partner and known else DASH
        cells.append(Cell(text, partner.median if partner else None))
    return tuple(cells)


def _of_group(row: OwnRow, text: str) -> Cell:
    return Cell(f"{text} ({row.group_repositories})" if row.group_repositories else DASH, row.group_median)


def _median(cell: FixCell | None) -> Cell:
    return Cell(median_of(cell), cell.median if cell else None)


def repositories(report: Report) -> Table | None:
    """Return a line for each repository that may be named; None where that is nobody but this one."""
    if len(report.repositories) < 2:
        return None
    medians = [(f"{INDICATOR_TITLES[key]} (n)", "median") for key in _SHOWN]
    columns = (
        *head("Repository", "Group", text=2),
        Column("Issues", "issues"),
        Column("Most frequent root cause", number=False),
        *(Column(label, term) for label, term in medians),
    )
    body = tuple(map(_repository, report.repositories))
    return Table("repositories", "Repositories that allow to be named", columns, body, csv="repositories")


def _repository(row: RepositoryRow) -> tuple[Cell, ...]:
    group = next((GROUP_TITLES[one] for one in GROUPS if row.paradigm == one), DASH)
    medians = [_median(row.cells.get(key)) for key in _SHOWN]
    return name(row.repository), word(group), count(row.n), _most_frequent(row), *medians


def _most_frequent(row: RepositoryRow) -> Cell:
    total = sum(row.category_counts.values())
    if not total:
        return word(DASH)
    category = max(row.category_counts, key=lambda key: row.category_counts[key])
    return word(f"{CATEGORY_TITLES[category]} ({row.category_counts[category]:,} of {total:,})")


def trend(report: Report) -> Table | None:
    """Return the window month by month, or None where nothing was closed in it."""
    if not any(point.closed for point in report.trend):
        return None
    columns = head(
        ("Month", "month"), ("Closed", "month"), ("Eligible", "month"), ("Decided, system-related", "month"),
        ("Days open, median", "median"), ("Comments, median", "median"),
    )  # fmt: skip
    body = [
        (
            word(point.month), count(point.closed), count(point.eligible_system), count(point.system_related),
            Cell(measure(point.open_days), point.open_days), Cell(measure(point.issue_comments), point.issue_comments),
        )
        for point in report.trend
    ]  # fmt: skip
    return Table("trend", "Month by month", columns, tuple(body), csv="trend")


def funnel(report: Report) -> Table:
    """Return how many issues were left at each step, for each group and for this repository."""
    steps = [(title, report.funnel.groups[group]) for title, group in zip(("ML", "Traditional"), GROUPS, strict=True)]
    if report.funnel.this_repository is not None:
        steps.append(("This repository", report.funnel.this_repository))
    body = [(word(title, term), *(count(getattr(step, field)) for _, step in steps)) for field, title, term in _STEPS]
    columns = head("Step", *((title, "group") for title, _ in steps))
    return Table("funnel", "From closed issues to counted ones", columns, tuple(body))


_STEPS = (
    ("closed", "Closed in the window", "closed_at"),
    ("with_fix", "with a known fix", "fix_kind"),
    ("eligible_bug", "eligible as a bug with a fix (second study)", "eligible_bug"),
    ("eligible_system", "eligible as a system-related issue (first study)", "eligible_system"),
    ("decided", "of these, decided", "category_source"),
    ("system_related", "of these, system-related: in the tables of measures", "category"),
    ("in_shares", "of these, in a random or imported sample: in the shares", "selection"),
)


def exclusions(step: FunnelStep) -> Table | None:
    """Return why issues were not eligible, the most frequent reason first; None where none was left out."""
    body = [(name(reason.replace("_", " ")), count(issues)) for reason, issues in step.excluded]
    columns = head("Not eligible because", ("Issues", "issues"))
    return Table("exclusions", "Why issues were left out", columns, tuple(body)) if body else None


def agreement(report: Report) -> Table | None:
    """Return how far people agree, with each other and with the model; None where nothing could be measured."""
    found = report.agreement
    here = () if found.people_here is None else (("Two people, in this repository", found.people_here),)
    lines = (
        ("Two people", found.people),
        *here,
        ("People and the model, hidden until they decided", found.model_blind),
        ("People and the model, shown to them", found.model_shown),
    )
    columns = (
        *head("Between", ("Issues (repos)", "issues"), ("Alike, %", "kappa"), ("Kappa", "kappa")),
        Column("Why there is none", number=False),
    )
    body = [(word(title), *_agreement(cell)) for title, cell in lines]
    shown = any(cell.n for _, cell in lines)
    return Table("agreement", "Agreement on root causes", columns, tuple(body), csv="agreement") if shown else None


def _agreement(cell: AgreementCell) -> tuple[Cell, ...]:
    issues = Cell(f"{cell.n:,} ({cell.repositories})" if cell.n else "0", cell.n)
    return issues, share(cell.observed), ratio(cell.kappa), word(cell.reason or "")
