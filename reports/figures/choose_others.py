"""The figures that are no box plots: shares, the study's shares, roles, effects and the trend."""

from collections.abc import Sequence

from reports.effects import wilson
from reports.figures import alt
from reports.figures.choose_boxes import GROUP_SERIES, window
from reports.figures.lettering import fitted
from reports.figures.plans import Bar, BarPlan, BarRow, Effect, ForestPlan, Heading, Line, TrendPanel, TrendPlan
from reports.figures.theme import TITLE
from reports.model import CategoryRow, IndicatorRow, Report, ShareCell
from reports.model_people import RoleCell
from reports.study import StudyShare
from reports.vocabulary import CATEGORY_PHRASES, CATEGORY_TITLES, GROUPS, INDICATOR_TITLES, OVERALL, ROLES

_INTERVAL = "Thin line: 95 % interval (Wilson), which takes {what} as independent."
_LONGEST_NAME = 300.0
_ISSUES = _INTERVAL.format(what="issues")
_PEOPLE = _INTERVAL.format(what="people")


def shares(report: Report) -> tuple[BarPlan | None, ...]:
    """Return the shares of the categories, and again without the most frequent one."""
    dominant = report.tables.dominant
    without = f", {CATEGORY_PHRASES[dominant]} left out" if dominant else ""
    return (
        _shares(report, "root-causes", "", report.tables.categories),
        _shares(report, "root-causes-without-dominant", without, report.tables.without_dominant),
    )


def _shares(report: Report, name: str, without: str, rows: Sequence[CategoryRow]) -> BarPlan | None:
    shown = [BarRow(CATEGORY_TITLES[row.category], (_bar(row.ml), _bar(row.traditional))) for row in rows]
    title = f"Share of issues by root cause{without}"
    note = f"Decided issues of random or imported samples, {window(report)}. {_ISSUES}"
    return _bars(name, title, note, "Share of the group's issues", shown)


def study(report: Report) -> BarPlan | None:
    """Return the first study's shares, while they stand in as the reference."""
    if report.study is None:
        return None
    counted = [(CATEGORY_TITLES[key], [pair[group] for group in GROUPS]) for key, pair in report.study.shares.items()]
    shown = [BarRow(label, tuple(map(_bar, cells))) for label, cells in counted]
    title = "For reference: the first study's shares by root cause"
    note = f"Published figures of {report.study.source}, not measured here. {_ISSUES}"
    return _bars("root-causes-of-the-study", title, note, "Share of the group's issues", shown)


def roles(report: Report) -> BarPlan | None:
    """Return what the people of the groups call themselves (the study's Figure 6)."""
    shown = [BarRow(ROLES[row.role], (_bar(row.ml), _bar(row.traditional))) for row in report.tables.roles]
    note = f"Everybody who took part and whose profile was read, once each, {window(report)}. {_PEOPLE}"
    return _bars("roles", "Roles by the profile's own words", note, "Share of the group's people", shown)


def _bars(name: str, title: str, note: str, axis: str, rows: Sequence[BarRow]) -> BarPlan | None:
    shown = tuple(row for row in rows if any(bar.n for bar in row.bars))
    heading = Heading(name, title, note, alt.bars(title, shown, GROUP_SERIES), GROUP_SERIES)
    return BarPlan(heading, axis, shown) if shown else None


def _bar(cell: ShareCell | RoleCell | StudyShare) -> Bar:
    return Bar(cell.n, cell.total, cell.share, wilson(cell.n, cell.total))


def effects(report: Report) -> ForestPlan | None:
    """Return Cliff's delta of every measure over all issues, table by table."""
    tables = report.tables
    parts = tuple(
        (name, found)
        for name, rows in (
            ("Difficulty", tables.difficulty),
            ("Information", tables.information),
            ("Community", tables.community),
        )
        if (found := _effects(rows))
    )
    if not parts:
        return None
    title = "How the groups differ, measure by measure"
    heading = Heading(
        name="effects",
        title=title,
        note=(
            f"All decided system-related issues, {window(report)}. Line: 95 % interval, repositories drawn anew; "
            "hollow mark: too few to test; grey band: negligible; bold q: below .05."
        ),
        alt=alt.effects(title, [one for _, found in parts for one in found]),
        series=("higher in ML", "higher in traditional"),
    )
    return ForestPlan(heading, "Cliff's delta: traditional higher ◂  ▸ ML higher", parts)


def _effects(rows: Sequence[IndicatorRow]) -> tuple[Effect, ...]:
    return tuple(
        Effect(INDICATOR_TITLES[row.indicator], row.cliffs_delta, row.cliffs_delta_ci, row.q, row.testable)
        for row in rows
        if row.category == OVERALL and row.cliffs_delta is not None
    )


def trend(report: Report) -> TrendPlan | None:
    """Return the window month by month: how much was closed, and the medians of days and comments."""
    points = report.trend
    if not any(point.closed for point in points):
        return None
    closed = tuple(float(point.closed) for point in points)
    eligible = tuple(float(point.eligible_system) for point in points)
    related = tuple(float(point.system_related) for point in points)
    days, comments = tuple(point.open_days for point in points), tuple(point.issue_comments for point in points)
    panels = [TrendPanel("Issues closed in the month", (Line(0, closed), Line(1, eligible), Line(2, related)))]
    if any(value is not None for value in days):
        panels.append(TrendPanel("Days open, median of the eligible issues", (Line(1, days),)))
    if any(value is not None for value in comments):
        panels.append(TrendPanel("Comments on the issue, median of the eligible issues", (Line(1, comments),)))
    own = report.repository
    who = "All compared repositories" if own is None else fitted(own.repository, TITLE, _LONGEST_NAME)
    title = f"{who}, month by month"
    series = ("closed", "eligible", "decided as system-related")
    heading = Heading(
        name="trend",
        title=title,
        note=f"{window(report).capitalize()}. Months are shown, not tested; a gap means that nothing is known.",
        alt=alt.trend(title, points),
        series=series,
    )
    return TrendPlan(heading, tuple(point.month for point in points), tuple(panels))
