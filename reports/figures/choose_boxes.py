"""The box plots: measures by category and group, by repository, of people, and of fixes in several languages."""

from collections.abc import Sequence
from typing import Final

from reports.figures import alt
from reports.figures.plans import BoxPanel, BoxPlan, BoxRow, Heading, known
from reports.model import IndicatorRow, Report
from reports.model_fixes import MplRow
from reports.model_own import RepositoryRow
from reports.vocabulary import CATEGORY_TITLES, COMMUNITY, GROUPS, INDICATOR_TITLES, MPL_INDICATORS, OVERALL, PEOPLE

GROUP_SERIES: Final = ("ML", "traditional")
ALL: Final = "All issues"
BOXES: Final = "Box: the middle half of the values; line and mark: the median; no whiskers are drawn."

_BY_CATEGORY: Final = {
    "open_days": "Days from opening to closing",
    "issue_comments": "Comments on the issue",
    "issue_participants": "Participants in the issue",
    "fix_comments": "Comments on the fix",
    "changed_lines": "Changed lines of the fix",
    "description_words": "Words in the description",
}
"""The study's Figures 2 to 4, the people of its section 6.1, and the two measures with heavy tails beside days."""

_BY_REPOSITORY: Final = {
    "open_days": "Days from opening to closing",
    "issue_comments": "Comments on the issue",
    "issue_participants": "Participants in the issue",
}
"""Per framework as in the study's Figures 5 and 7."""

_FIXES: Final = ("changed_lines", "open_days")
_LOG: Final = {one.key for one in (*COMMUNITY, *PEOPLE, *MPL_INDICATORS) if one.log} | {"description_words"}
_FEWEST_REPOSITORIES: Final = 2
_MOST_REPOSITORIES: Final = 30


def window(report: Report) -> str:
    """Say which issues a figure is about."""
    months = report.period.window_months
    return f"{report.period.name} alone" if months == 1 else f"{months} months to {report.period.name}"


def by_category(report: Report) -> tuple[BoxPlan | None, ...]:
    """Return a figure for each of the chosen measures of the difficulty and information tables."""
    rows = (*report.tables.difficulty, *report.tables.information)
    return tuple(_categories(report, key, [row for row in rows if row.indicator == key]) for key in _BY_CATEGORY)


def _categories(report: Report, indicator: str, rows: Sequence[IndicatorRow]) -> BoxPlan | None:
    titles = {OVERALL: ALL, **CATEGORY_TITLES}
    title = f"{_BY_CATEGORY[indicator]}, by root cause"
    shown = known([BoxRow(titles[row.category], ((0, row.ml), (1, row.traditional))) for row in rows])
    heading = Heading(
        name=f"{indicator.replace('_', '-')}-by-root-cause",
        title=title,
        note=f"Decided system-related issues, {window(report)}. {BOXES}",
        alt=alt.boxes(title, shown, GROUP_SERIES),
        series=GROUP_SERIES,
    )
    return BoxPlan(heading, (BoxPanel(INDICATOR_TITLES[indicator], indicator in _LOG, shown),)) if shown else None


def by_repository(report: Report) -> tuple[BoxPlan | None, ...]:
    """Return a figure for each of the chosen measures, a box for each repository that may be named."""
    return tuple(_repositories(report, key) for key in _BY_REPOSITORY)


def _repositories(report: Report, indicator: str) -> BoxPlan | None:
    named = [one for one in report.repositories if indicator in one.cells and one.cells[indicator].n]
    most = sorted(named, key=lambda one: -one.cells[indicator].n)[:_MOST_REPOSITORIES]
    chosen = [one for one in named if one in most]
    if len(chosen) < _FEWEST_REPOSITORIES:
        return None
    names = (*GROUP_SERIES, "in no group") if any(one.paradigm not in GROUPS for one in chosen) else GROUP_SERIES
    rows = tuple(BoxRow(one.repository, ((_group(one), one.cells[indicator]),)) for one in chosen)
    title = f"{_BY_REPOSITORY[indicator]}, by repository"
    left_out = f" The {len(rows)} with the most issues of {len(named)}." if len(named) > len(rows) else ""
    heading = Heading(
        name=f"{indicator.replace('_', '-')}-by-repository",
        title=title,
        note=f"Decided system-related issues, {window(report)}; only repositories that may be named.{left_out} {BOXES}",
        alt=alt.repositories(title, rows),
        series=names,
    )
    return BoxPlan(heading, (BoxPanel(INDICATOR_TITLES[indicator], indicator in _LOG, rows),))


def _group(one: RepositoryRow) -> int:
    return GROUPS.index(one.paradigm) if one.paradigm in GROUPS else len(GROUPS)


def community(report: Report) -> BoxPlan | None:
    """Return the measures of people and members, each over an axis of its own."""
    rows = [row for row in report.tables.community if row.ml.n or row.traditional.n]
    if not rows:
        return None
    panels = tuple(
        BoxPanel(
            INDICATOR_TITLES[row.indicator],
            row.indicator in _LOG,
            (BoxRow("ML", ((0, row.ml),)), BoxRow("traditional", ((1, row.traditional),))),
        )
        for row in rows
    )
    title = "The people behind the issues"
    together = [BoxRow(INDICATOR_TITLES[row.indicator], ((0, row.ml), (1, row.traditional))) for row in rows]
    heading = Heading(
        name="community",
        title=title,
        note=f"Decided system-related issues and everybody who took part, once each, {window(report)}. {BOXES}",
        alt=alt.boxes(title, together, GROUP_SERIES),
        series=GROUP_SERIES,
    )
    return BoxPlan(heading, panels)


def fixes(report: Report) -> tuple[BoxPlan | None, ...]:
    """Return multi-language fixes beside single-language ones, over all and in each repository that may be named."""
    return tuple(_fixes(report, [row for row in report.tables.mpl_vs_spl if row.indicator == key]) for key in _FIXES)


def _fixes(report: Report, rows: Sequence[MplRow]) -> BoxPlan | None:
    chosen = sorted(rows, key=lambda row: (row.repository != OVERALL, -row.mpl.n))[: _MOST_REPOSITORIES + 1]
    shown = known(
        [
            BoxRow("All repositories" if row.repository == OVERALL else row.repository, ((0, row.mpl), (1, row.spl)))
            for row in rows
            if row in chosen
        ]
    )
    if not any(row.mpl.n for row in rows):
        return None
    indicator = rows[0].indicator
    series = ("several languages", "one language")
    title = f"{INDICATOR_TITLES[indicator]}: fixes in several languages and in one"
    heading = Heading(
        name=f"{indicator.replace('_', '-')}-by-languages",
        title=title,
        note=f"Bugs with a landed fix, tests counted, {window(report)}. {BOXES}",
        alt=alt.boxes(title, shown, series),
        series=series,
    )
    return BoxPlan(heading, (BoxPanel(INDICATOR_TITLES[indicator], indicator in _LOG, shown),))
