"""How closed issues became counted ones, and the tests that the study itself used, as a replication."""

from reports.markdown import details, plain, table
from reports.model import CategoryRow, FunnelStep, IndicatorRow, Report
from reports.numbers import probability_cell, statistic
from reports.vocabulary import CATEGORY_TITLES, GROUPS, INDICATOR_TITLES, OVERALL

_MOST_REASONS = 10


def funnel(report: Report) -> str:
    """Print how many issues were left at each step, for each group and for the report's repository."""
    steps: list[tuple[str, FunnelStep]] = [
        (title, report.funnel.groups[group]) for title, group in zip(("ML", "Traditional"), GROUPS, strict=True)
    ]
    if report.funnel.this_repository is not None:
        steps.append(("This repository", report.funnel.this_repository))
    lines = (
        ("Closed in the window", [step.closed for _, step in steps]),
        ("with a known fix", [step.with_fix for _, step in steps]),
        ("eligible as a bug with a fix (second study)", [step.eligible_bug for _, step in steps]),
        ("eligible as a system-related issue (first study)", [step.eligible_system for _, step in steps]),
        ("of these, decided", [step.decided for _, step in steps]),
        ("of these, system-related: in the tables of measures", [step.system_related for _, step in steps]),
        ("of these, in a random or imported sample: in the shares", [step.in_shares for _, step in steps]),
    )
    body = table(
        ("Step", *(title for title, _ in steps)), [[name, *map("{:,}".format, counts)] for name, counts in lines]
    )
    return details("From closed issues to counted ones", f"{body}\n\n{_reasons(report.coverage.window)}".rstrip())


def replication(report: Report) -> str:
    """Print the study's analysis of variance and the issue-level tests, which ignore that issues cluster."""
    rows = [[CATEGORY_TITLES[row.category], *_replicated(row)] for row in report.tables.categories] + [
        [INDICATOR_TITLES[row.indicator], *_replicated(row)]
        for row in (*report.tables.difficulty, *report.tables.information, *report.tables.community)
        if row.category == OVERALL
    ]
    intro = (
        "The study's one-way analysis of variance and Welch's (over repository shares for root causes, over issues for "
        "measures), and per-issue tests (Fisher for root causes, Mann-Whitney for measures). Descriptive only: issues "
        "of one repository resemble each other, and tests over issues then find differences that are not there."
    )
    body = table(("Row", "ANOVA F", "ANOVA p", "Welch p", "p over issues"), rows)
    return details("Replication: the study's own test", f"{intro}\n\n{body}")


def _replicated(row: CategoryRow | IndicatorRow) -> tuple[str, ...]:
    ps = (probability_cell(p) for p in (row.anova.p, row.welch.p, row.p_issue_level))
    return (statistic(row.anova.f), *ps)


def _reasons(step: FunnelStep) -> str:
    """Print the most frequent reasons for exclusion of the compared repositories; an issue may have several."""
    if not step.excluded:
        return ""
    rows = [[plain(reason.replace("_", " ")), f"{count:,}"] for reason, count in step.excluded[:_MOST_REASONS]]
    return table(("Not eligible because", "Issues"), rows)
