"""What the columns of a report's tables mean, said on the page below each table and once on the page of definitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from reports.effects import RESAMPLES
from reports.relabel import DRAWS, EXACT_LIMIT
from reports.tables.minimum import MIN_ISSUES, MIN_REPOSITORIES


@dataclass(frozen=True)
class Term:
    """A term by its key (its anchor), as it is written, and what it means."""

    key: str
    title: str
    text: str


_TERMS: Final = (
    Term("issues", "Issues (repositories)", "How many issues the row's numbers rest on, of how many repositories."),
    Term(
        "group",
        "ML, traditional",
        "The two groups that are compared: repositories of machine-learning frameworks and of traditional ones.",
    ),
    Term(
        "n",
        "n",
        "Decided, eligible issues of the root cause, in a random or an imported sample. A model's proposal that nobody "
        "confirmed never counts.",
    ),
    Term(
        "share",
        "%",
        "n of all decided system-related issues of the same sample, in per cent; what is not system-related is no part "
        "of the whole.",
    ),
    Term(
        "interval",
        "95 %",
        "The 95 % interval of the number before it: Wilson's for a share, which takes issues as independent; for an "
        f"effect or a difference percentiles of {RESAMPLES:,} resamples of whole repositories.",
    ),
    Term(
        "difference",
        "Difference",
        "The mean of the ML repositories' shares less that of the traditional ones', in percentage points: each "
        "repository counts once, however many issues it has.",
    ),
    Term(
        "median",
        "Median [q1–q3]",
        "The middle value of the issues, and in brackets the first and third quartile, between which the middle half "
        "of them lies. Unknown values are left out, never counted as 0.",
    ),
    Term(
        "delta",
        "Cliff's δ",
        "How far two sets of issues lie apart: 1 if every value of the first is higher, -1 if every one is lower, 0 if "
        "neither wins. Below .147 it is called negligible, below .33 small, below .474 medium, else large.",
    ),
    Term(
        "p",
        "p",
        "How often a difference at least this large would come about if the groups did not differ. The unit is the "
        f"repository: the labels of the groups are shuffled over them, in all ways up to {EXACT_LIMIT:,}, else "
        f"{DRAWS:,} times. A row is tested where each group has at least {MIN_ISSUES} issues of "
        f"{MIN_REPOSITORIES} repositories.",
    ),
    Term(
        "q",
        "q",
        "p corrected for the number of tests in its table (Benjamini and Hochberg). Only q below .05 is called a "
        'difference; anything else is "no difference shown", which never means that there is none.',
    ),
    Term(
        "p-issues",
        "p over issues",
        "Fisher's or Mann-Whitney's test over single issues. It takes the issues of one repository for independent, "
        "which they are not, and therefore finds too much; printed for comparison only.",
    ),
    Term(
        "anova",
        "ANOVA F, p; Welch p",
        "The one-way analysis of variance that the first study used, and Welch's, which lets the groups spread "
        "differently: over repository shares for root causes, over issues for measures. A replication, on which "
        "nothing here rests.",
    ),
    Term(
        "estimate",
        "Estimated share",
        "What the share would be had every eligible issue been decided: the model's share over all of them, corrected "
        "by its mean error on the decided issues of the random sample (a prediction-powered estimate). Issues that are "
        "not system-related count in the whole here.",
    ),
    Term(
        "mpl",
        "MPL, SPL",
        "A fix is multi-language (MPL) if its source files are in two or more programming languages, else "
        "single-language (SPL). C and C++ are one language; test files count unless it is said otherwise.",
    ),
    Term(
        "p-fixes",
        "p (fixes)",
        "In one repository Mann-Whitney's test over its fixes. Overall: how often the repositories' differences of "
        "medians would point one way so clearly if each had its sign by chance.",
    ),
    Term(
        "p-types",
        "p (bug types)",
        "Fisher's test of the share of multi-language fixes of the type against the other types of the same row.",
    ),
    Term(
        "people",
        "People (repositories)",
        "Everybody who took part, each person once; roles are by the words of public profiles.",
    ),
    Term(
        "of-group",
        "Group",
        "The median over the other repositories of this repository's group, each counted once, with their number in "
        "brackets. Described, never tested.",
    ),
    Term("partner", "Partner", "The most similar repository of the other group, where it allows to be named."),
    Term(
        "kappa",
        "Alike, kappa",
        "The share of issues that both sides coded alike, and Cohen's kappa: 1 for full agreement, 0 for what chance "
        "would give.",
    ),
    Term(
        "study",
        "In the study",
        "The figure printed in the first study (arXiv 2005.06091). A median marked † cannot be one of so many whole "
        "numbers.",
    ),
    Term(
        "month",
        "Month",
        "Issues by the month of their last closing; medians are of the month's eligible issues. Described, not tested.",
    ),
)

TERMS: Final = {one.key: one for one in _TERMS}
"""All terms by their keys, in the order in which the page of definitions prints them."""
