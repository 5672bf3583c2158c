"""The repositories that may be named, side by side, and the window month by month."""

from reports.markdown import details, repository_link, table
from reports.model import Report
from reports.model_own import RepositoryRow
from reports.numbers import DASH, measure
from reports.sections.cells import median_of
from reports.vocabulary import CATEGORY_TITLES, GROUP_TITLES, GROUPS, INDICATOR_TITLES

_SHOWN = ("open_days", "issue_comments", "changed_lines", "changed_files", "description_words", "code_lines")


def repositories(report: Report) -> str:
    """Print a line for each repository that may be named; the own one alone has its section already."""
    rows = report.repositories
    if len(rows) < (1 if report.repository is None else 2):
        return ""
    intro = (
        "Repositories that allow to be named; the others are counted above and stay unnamed. Medians over their "
        "decided issues, with the number of issues in brackets."
    )
    head = ("Repository", "Group", "Issues", "Most frequent root cause", *(INDICATOR_TITLES[key] for key in _SHOWN))
    return details(
        "Repository by repository",
        f"{intro}\n\n{table(head, [_cells(row, report.server) for row in rows], text_columns=2)}",
    )


def _cells(row: RepositoryRow, server: str) -> list[str]:
    group = next((GROUP_TITLES[one] for one in GROUPS if row.paradigm == one), DASH)
    medians = [median_of(row.cells.get(key)) for key in _SHOWN]
    return [repository_link(row.repository, server), group, f"{row.n:,}", _most_frequent(row), *medians]


def _most_frequent(row: RepositoryRow) -> str:
    total = sum(row.category_counts.values())
    if not total:
        return DASH
    category = max(row.category_counts, key=lambda key: row.category_counts[key])
    return f"{CATEGORY_TITLES[category]} ({row.category_counts[category]:,} of {total:,})"


def trend(report: Report) -> str:
    """Print the months of the window; months are described, never tested."""
    points = report.trend
    if not any(point.closed for point in points):
        return ""
    whose = "all compared repositories" if report.repository is None else "this repository"
    body = table(
        ("Month", "Closed", "Eligible", "Decided, system-related", "Days open, median", "Comments, median"),
        [
            [
                point.month,
                f"{point.closed:,}",
                f"{point.eligible_system:,}",
                f"{point.system_related:,}",
                measure(point.open_days),
                measure(point.issue_comments),
            ]
            for point in points
        ],
    )
    intro = f"Closings of {whose}; medians are of the month's eligible issues. Months are described, never tested."
    return details("Month by month", f"{intro}\n\n{body}")
