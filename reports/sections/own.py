"""The repository the report is for: its own closings by root cause, never compared or tested."""

from collections import Counter

from reports.cohort import is_decided
from reports.markdown import repository_link, table
from reports.model import Report
from reports.numbers import counted
from reports.vocabulary import CATEGORY_TITLES, GROUP_TITLES, GROUPS, NONE


def this_repository(report: Report) -> str:
    """Print the repository's decided issues by root cause, in the month and in the window."""
    repository, step = report.repository, report.funnel.this_repository
    if repository is None or step is None:
        return ""
    month = [record for record in report.own_records if report.period.month.holds(record.closed_at)]
    place = next((f"in the {GROUP_TITLES[one]} group" for one in GROUPS if repository.paradigm == one), "in no group")
    if not repository.in_comparison:
        place = "not part of the comparison"
    intro = (
        f"The repository {repository_link(repository.repository)} is {place}. In {report.period.name} it closed "
        f"{counted(len(month), 'issue')}; in the window {step.closed:,}, of which {step.eligible_system:,} were "
        f"eligible and {step.decided:,} decided."
    )
    in_month = Counter(record.category for record in month if record.eligible_system and is_decided(record))
    in_window = Counter(
        record.category for record in report.own_records if record.eligible_system and is_decided(record)
    )
    titles = {**CATEGORY_TITLES, NONE: "Not system-related"}
    rows = [[titles[key], str(in_month[key]), str(in_window[key])] for key in titles if in_window[key]]
    body = f"\n\n{table(('Decided root cause', report.period.name, 'Window'), rows)}" if rows else ""
    return f"## This repository\n\n{intro}{body}"
