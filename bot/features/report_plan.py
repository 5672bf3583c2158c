"""How a repository's report is posted: pure decisions from its settings, what stands already, and the month.

Purpose: one report a repository and period, in the style its maintainers chose. Trigger: a report is due, or was asked
for. Effects: none; the decisions are pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bot.github.actions import CreateIssue, UpdateIssue
from bot.github.links import quiet_link
from bot.store.tables import Report
from reports.periods import parse_period

Style = Literal["issue", "update-one", "central"]


@dataclass(frozen=True)
class Plan:
    """Where a repository's reports go, how, and on which `day`; in the style `central` `target` is another one."""

    subject_id: int
    subject: str
    target_id: int
    target: str
    style: Style = "issue"
    assignees: tuple[str, ...] = ()
    close_previous: bool = True
    pin: bool = False
    day: int = 1

    def marker(self, period: str) -> str:
        """Return the hidden first line by which a report is found again; in `update-one` every period has the same."""
        when = "" if self.style == "update-one" else f" period={period}"
        return f"<!-- rootcause:report repository={self.subject_id}{when} -->"

    def title(self, heading: str) -> str:
        """Return the issue's title; in another repository it names the one that it is about."""
        return f"{heading} ({self.subject})" if self.style == "central" else heading


def is_complete(report: Report) -> bool:
    """Whether a report was posted after its month was over; one that was asked for earlier is rewritten then."""
    if report.state == "due" or report.posted_at is None:
        return False
    return report.posted_at >= parse_period(report.period, 1).month.end


def post(
    plan: Plan, period: str, number: int | None, heading: str, body: str, *, reopen: bool = False
) -> CreateIssue | UpdateIssue:
    """Return the writing of a period's report: into the issue that was made for it in the target, or a new one.

    `number` is what is known by the plan's marker, None where there is no such issue. A report's own row may tell of
    an issue elsewhere, from before the style was changed; `reopen` says that the issue was closed because of that.
    """
    if number is not None:
        state: Literal["open"] | None = "open" if reopen else None
        return UpdateIssue(plan.target_id, plan.target, number, title=plan.title(heading), body=body, state=state)
    marker = plan.marker(period)
    return CreateIssue(plan.target_id, plan.target, plan.title(heading), body, marker, assignees=plan.assignees)


def to_close(plan: Plan, report: Report, earlier: Sequence[Report]) -> list[Report]:
    """Return the earlier reports that are still open and make room for this one, each issue once."""
    if not plan.close_previous:
        return []
    open_ones = {old.issue_id: old for old in earlier if old.state == "posted" and old.number is not None}
    return [old for old in open_ones.values() if not same_issue(old, report)]


def left_behind(plan: Plan, report: Report, number: int) -> Report | None:
    """Return the issue that the same period's report has elsewhere, from before its place or style was changed."""
    if report.number is None or (report.number, report.target_id or report.repository_id) == (number, plan.target_id):
        return None
    return Report(**report.model_dump())


def was_closed_by_us(plan: Plan, issue_id: int, report: Report, earlier: Sequence[Report]) -> bool:
    """Say whether an issue made under this marker before was closed when its report went on elsewhere."""
    if not plan.close_previous:
        return False
    went_elsewhere = report.issue_id is not None and report.issue_id != issue_id
    return went_elsewhere or any(old.issue_id == issue_id and old.state == "closed" for old in earlier)


def same_issue(one: Report, other: Report) -> bool:
    """Say whether two reports stand in one issue, as all of the style `update-one` do."""
    return one.issue_id is not None and one.issue_id == other.issue_id


def wants_pin(plan: Plan, report: Report) -> bool:
    """Say whether the report is to be pinned; one that we pinned once is not, as a person may have unpinned it."""
    return plan.pin and not report.pinned


def superseded(body: str, newer: Report) -> str:
    """Return an earlier report's body with a line that leads to the newer one; it notifies nobody.

    The line stands below the hidden marker, and is written once.
    """
    address = quiet_link(newer.url or "")
    line = f"> A newer report: [{newer.period}]({address})" if address else f"> A newer report: `{newer.url}`"
    first, _, rest = body.partition("\n")
    return body if line in body else f"{first}\n\n{line}\n{rest}"


def due_period(now: datetime, day: int, hour: int) -> str:
    """Return the newest month, as `YYYY-MM`, whose report is due at `now`: a month's is on this day of the next one."""
    month = now.year * 12 + now.month - 1
    is_due = (now.day, now.hour) >= (day, hour)
    year, index = divmod(month - (1 if is_due else 2), 12)
    return f"{year:04d}-{index + 1:02d}"
