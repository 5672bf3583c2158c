"""What a reader sees first: how much was covered, the caller's notes, and the finding."""

from datetime import datetime, timedelta
from typing import Final

from reports.markdown import LONGEST_NOTE, plain
from reports.model import Report
from reports.numbers import counted, percent
from reports.periods import Span
from reports.vocabulary import GROUP_TITLES, GROUPS

_MOST_NOTES: Final = 10


def coverage_line(report: Report) -> str:
    """Say which repositories and how many issues the report rests on, and what is still open."""
    covered, period = report.coverage, report.period
    groups = " and ".join(
        f"{covered.groups[group].reporting} of {covered.groups[group].compared} {GROUP_TITLES[group]}"
        for group in GROUPS
    )
    month, window = covered.month, covered.window
    sentences = [
        (
            f"**Coverage.** {groups} repositories closed issues in the {_months(period.window_months)} up to the end "
            f"of {period.name}: {window.closed:,} closed, {window.with_fix:,} with a known fix, "
            f"{window.eligible_system:,} eligible (fixed, discussed, no question or wish), {window.decided:,} of those "
            "decided by people."
        ),
        _unconfirmed(report),
    ]
    if covered.sampled:
        sentences.append(
            f"Of {covered.sampled:,} eligible issues asked about at random {covered.sampled_unanswered:,} are "
            f"unanswered ({percent(covered.sampled_unanswered / covered.sampled)} %)."
        )
    if month.closed == 0:
        sentences.append(f"**In {period.name} itself no issue was closed in the compared repositories.**")
    else:
        sentences.append(f"In {period.name} itself: {month.closed:,} closed, {month.eligible_system:,} eligible.")
    return " ".join(sentences)


def _unconfirmed(report: Report) -> str:
    """Set the model's unconfirmed proposals against what people decided."""
    open_ones, decided = report.coverage.proposed_unconfirmed, report.coverage.window.decided
    if not open_ones:
        return "No proposal waits for an answer."
    ratio = f", one for every {decided / open_ones:,.1f} decided" if decided else ""
    verb = "waits" if open_ones == 1 else "wait"
    return f"{counted(open_ones, 'proposal')} of the model {verb} unconfirmed{ratio}; these enter no table."


def notes(report: Report) -> str:
    """Print the caller's notes, each as a quoted line."""
    lines = [f"> **Note:** {plain(note, LONGEST_NOTE)}" for note in report.notes[:_MOST_NOTES]]
    return "\n>\n".join(lines)


def finding(report: Report) -> str:
    """Print the three sentences of the finding and what they rest on."""
    window = report.period.window
    intro = (
        "Why issues arise in machine-learning (ML) frameworks and in traditional ones, and how hard they are, "
        f"over issues last closed from {window.start:%Y-%m-%d} to {_last_day(window):%Y-%m-%d}; the tests use all of "
        f"them, never {report.period.name} alone. A difference is named only where q (p corrected for the number of "
        'tests) is below .05; without one it reads "no difference shown", which is not the same as no difference.'
    )
    return f"## What was found\n\n{intro}\n\n" + "\n".join(f"- {sentence}" for sentence in report.finding)


def nothing_to_compare(report: Report) -> bool:
    """Whether the window holds no closed issue of a compared repository."""
    return report.coverage.window.closed == 0


def _last_day(span: Span) -> datetime:
    return span.end - timedelta(days=1)


def _months(count: int) -> str:
    return "month" if count == 1 else f"{count} months"
