"""How the numbers came about: tests, definitions, seed and versions, and the line at the report's end."""

from typing import Final

from reports.effects import RESAMPLES
from reports.findings import FALSE_ALARMS, every_test, expected_by_chance
from reports.markdown import details, plain
from reports.model import Report
from reports.relabel import DRAWS, EXACT_LIMIT
from reports.tables.minimum import MIN_ISSUES, MIN_REPOSITORIES

_DEFINITIONS: Final = (
    (
        "An issue counts once a person, a mapped label or the study gave its category; a model's proposal never does. "
        "Issues that are not system-related are in no row and in no total."
    ),
    (
        "Shares use issues drawn at random or imported as a sample, because a share over what people volunteer mirrors "
        "who volunteers; measures use every decided issue. Unknown values are left out of their cell, never counted as "
        "0. Eligibility asks for a minimum of comments, so medians of comments cannot fall below it."
    ),
    (
        "The unit of every p is the repository: the difference between the groups' means of repository shares, or of "
        "repository medians (of log(1 + value) for days, lines, words and other heavy-tailed measures), against the "
        f"same difference with the group labels shuffled; all shufflings up to {EXACT_LIMIT:,}, else {DRAWS:,} drawn; "
        "two-sided. Languages of fixes are compared within repositories: Mann-Whitney in one, and over all by flipping "
        "the signs of the repositories' differences."
    ),
    (
        f"A row is tested where each group has at least {MIN_ISSUES} issues of {MIN_REPOSITORIES} repositories to "
        f"compute it from; a root cause must also be that of at least {MIN_ISSUES} issues in both groups together."
    ),
    (
        "q is p after the correction of Benjamini and Hochberg within its table. Without it about "
        f"{expected_by_chance(100):.0f} of 100 tests would have p below .05 by chance. The five tables that compare "
        "the groups (root causes with and without the most frequent one, difficulty, information, people) together "
        f"still show at least one q below .05 in about {FALSE_ALARMS * 100:.0f} % of reports when nothing differs."
    ),
    (
        "Words for Cliff's δ: negligible below .147, small below .33, medium below .474, else large (Romano et al. "
        '2006). "No difference shown" never means that there is none.'
    ),
    f"Intervals are 95 %: Wilson's for a share, else percentiles of {RESAMPLES:,} resamples of the repositories.",
)


_TITLES: Final = {
    "agreement.people": "agreement between people",
    "bug_types": "bug types",
    "community": "people",
    "languages": "languages of fixes",
    "mpl_vs_spl": "multi-language against single-language fixes",
    "roles": "roles",
    "this_repository": "a repository of its own",
}
"""The tables that may be missing, as they are called here."""


def method(report: Report) -> str:
    """Print the definitions and what is needed to compute the report again."""
    versions = ", ".join(f"{plain(name)} {plain(number)}" for name, number in report.versions)
    window = report.period.window
    lines = [
        (
            f"Period {report.period.name}, UTC; tests use issues whose last closing lies from "
            f"{window.start:%Y-%m-%d} up to, not including, {window.end:%Y-%m-%d}."
        ),
        *_DEFINITIONS,
        f"Seed {report.seed}. Computed with {versions}. Every number is in `report.json`.",
    ]
    missing = "; ".join(
        f"{_TITLES.get(name, plain(name))} ({plain(reason)})" for name, reason in report.coverage.not_available
    )
    if missing:
        lines.append(f"Not in this report: {missing}.")
    return details("Method and definitions", "\n".join(f"- {line}" for line in lines))


def last_line(report: Report) -> str:
    """Warn of what looking every month does, with this report's own number of tests."""
    tests = len(every_test(report.tables))
    if not tests:
        return ""
    year = 12 * tests
    return (
        f"*Twelve such reports a year run 12 × {tests:,} = {year:,} tests; about {expected_by_chance(year):,.0f} of "
        "them would have p below .05 by chance alone. Believe what stays from report to report.*"
    )
