"""How the numbers came about: the funnel, the study's own test as a replication, definitions, seed and versions."""

from reports.effects import RESAMPLES
from reports.findings import expected_by_chance
from reports.markdown import details, plain, table
from reports.model import Anova, FunnelStep, Report
from reports.numbers import probability_cell, statistic
from reports.relabel import DRAWS, EXACT_LIMIT
from reports.tables.minimum import MIN_ISSUES, MIN_REPOSITORIES
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
    rows = [
        [CATEGORY_TITLES[row.category], *_replicated(row.anova, row.p_issue_level)] for row in report.tables.categories
    ] + [
        [INDICATOR_TITLES[row.indicator], *_replicated(row.anova, row.p_issue_level)]
        for row in (*report.tables.difficulty, *report.tables.information)
        if row.category == OVERALL
    ]
    intro = (
        "The study's one-way analysis of variance (over repository shares for root causes, over issues for measures), "
        "and per-issue tests (Fisher for root causes, Mann-Whitney for measures). Descriptive only: issues of one "
        "repository resemble each other, and tests over issues then find differences that are not there."
    )
    body = table(("Row", "ANOVA F", "ANOVA p", "p over issues"), rows)
    return details("Replication: the study's own test", f"{intro}\n\n{body}")


def method(report: Report) -> str:
    """Print the definitions and what is needed to compute the report again."""
    versions = ", ".join(f"{plain(name)} {plain(number)}" for name, number in report.versions)
    missing = ", ".join(name.replace("_", " ") for name, _ in report.coverage.not_available)
    lines = (
        (
            f"Period {report.period.name}, UTC; tests use issues whose last closing lies from "
            f"{report.period.window.start:%Y-%m-%d} up to, not including, {report.period.window.end:%Y-%m-%d}."
        ),
        (
            "An issue counts once a person, a mapped label or the study gave its category; a model's proposal never "
            "does. Issues that are not system-related are in no row and in no total."
        ),
        (
            "Shares use issues drawn at random or imported as a sample; measures use every decided issue. Unknown "
            "values are left out of their cell, never counted as 0. Eligibility asks for a minimum of comments, so "
            "medians of comments cannot fall below it."
        ),
        (
            "The unit of every p is the repository: the difference between the groups' means of repository shares, or "
            "of repository medians (of log(1 + value) for days, lines and words), against the same difference with the "
            f"group labels shuffled; all shufflings up to {EXACT_LIMIT:,}, else {DRAWS:,} drawn; two-sided."
        ),
        (
            f"A row is tested from {MIN_ISSUES} issues and {MIN_REPOSITORIES} repositories in each group; a root cause "
            f"also needs {MIN_ISSUES} issues in both together."
        ),
        (
            "q is p after the correction of Benjamini and Hochberg within its table. Without it about "
            f"{expected_by_chance(100):.0f} of 100 tests would have p below .05 by chance; "
            "a report each month multiplies such chances."
        ),
        f"Intervals are 95 %: Wilson's for a share, else percentiles of {RESAMPLES:,} resamples of the repositories.",
        f"Seed {report.seed}. Computed with {versions}. Every number is in `report.json`.",
        f"Not computed by this version: {missing}.",
    )
    return details("Method and definitions", "\n".join(f"- {line}" for line in lines))


def _replicated(anova: Anova, p: float | None) -> tuple[str, str, str]:
    return statistic(anova.f), probability_cell(anova.p), probability_cell(p)


def _reasons(step: FunnelStep) -> str:
    """Print the most frequent reasons for exclusion of the compared repositories; an issue may have several."""
    if not step.excluded:
        return ""
    rows = [[plain(reason), f"{count:,}"] for reason, count in step.excluded[:_MOST_REASONS]]
    return table(("Not eligible because", "Issues"), rows)
