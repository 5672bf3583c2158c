"""What a reader sees first: how much was covered, the caller's notes, and the finding."""

from typing import Final

from reports.markdown import plain
from reports.model import Report
from reports.vocabulary import GROUP_TITLES, GROUPS

_MOST_NOTES: Final = 10
_LONGEST_NOTE: Final = 400


def coverage_line(report: Report) -> str:
    """Say which repositories and how many issues the report rests on, and what is still open."""
    covered, period = report.coverage, report.period
    groups = " and ".join(
        f"{covered.groups[group].reporting} of {covered.groups[group].compared} {GROUP_TITLES[group]}"
        for group in GROUPS
    )
    month, window = covered.month, covered.window
    line = (
        f"**Coverage.** {groups} repositories closed issues in the {_months(period.window_months)} up to the end of "
        f"{period.name}: {window.closed:,} closed, {window.with_fix:,} with a known fix, "
        f"{window.eligible_system:,} eligible, {window.decided:,} of those decided, "
        f"{covered.proposed_unconfirmed:,} proposed but not confirmed (these enter no table)."
    )
    if covered.sampled:
        line += f" Of {covered.sampled:,} eligible issues drawn at random {covered.sampled_unanswered:,} had no answer."
    if month.closed == 0:
        return f"{line} **In {period.name} itself no issue was closed in the compared repositories.**"
    return f"{line} In {period.name} itself: {month.closed:,} closed, {month.eligible_system:,} eligible."


def notes(report: Report) -> str:
    """Print the caller's notes, each as a quoted line."""
    lines = [f"> **Note:** {plain(note, _LONGEST_NOTE)}" for note in report.notes[:_MOST_NOTES]]
    return "\n>\n".join(lines)


def finding(report: Report) -> str:
    """Print the three sentences of the finding."""
    return "## What was found\n\n" + "\n".join(f"- {sentence}" for sentence in report.finding)


def nothing_to_compare(report: Report) -> bool:
    """Whether the window holds no closed issue of a compared repository."""
    return report.coverage.window.closed == 0


def _months(count: int) -> str:
    return "month" if count == 1 else f"{count} months"
