"""What becomes of the reports before the one just posted: closed with a link to it, and their pins passed on.

Purpose: one live report, wherever earlier ones were posted. Trigger: a report was posted. Effects: earlier reports are
closed and lead to the newer one, in whichever repository they stand; pins that the App gave them are taken away, and
the newer one is pinned where its repository asks for that and fewer than three others are.
"""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from bot.features.report_plan import Plan, same_issue, superseded, wants_pin
from bot.github.actions import PinIssue, UnpinIssue, UpdateIssue
from bot.github.errors import Gone, NotFound
from bot.github.writer import Writer
from bot.services import Services
from bot.store.repositories import writes
from bot.store.tables import Installation, Report, Repository

log = structlog.get_logger(__name__)


async def close(services: Services, old: Report, newer: Report, *, live: bool) -> bool:
    """Close an earlier report and let it lead to the newer one; say whether nothing is left to do about it.

    What people deleted or moved is let be. A report in a place that may not be written to any more stays open, and the
    log says why; it is tried again with the next report.
    """
    place = await _place(services, old)
    if place is None or old.number is None:
        return False
    target, installation_id = place
    try:
        issue = await services.client(installation_id).get(f"/repos/{target.full_name}/issues/{old.number}")
    except (NotFound, Gone):
        issue = None
    if issue is None or issue["id"] != old.issue_id:
        log.info("earlier report is gone", repository=target.full_name, number=old.number, period=old.period)
        return True
    writer = await services.writer(installation_id, target.id, observe=False, live=live)
    body = superseded(issue["body"] or "", newer)
    outcome = await writer.perform(UpdateIssue(target.id, target.full_name, old.number, body=body, state="closed"))
    return outcome.status != "skipped"


async def unpin(services: Services, old: Report, *, live: bool) -> bool:
    """Take away the pin that an earlier report was given; say whether nothing is left to do about it."""
    place = await _place(services, old)
    if place is None or old.number is None:
        return False
    target, installation_id = place
    writer = await services.writer(installation_id, target.id, observe=False, live=live)
    outcome = await writer.perform(UnpinIssue(target.id, target.full_name, old.number))
    return outcome.status != "skipped" or outcome.reason in {"deleted", "pinned by somebody else"}


async def pass_on_the_pin(
    services: Services, writer: Writer, plan: Plan, report: Report, earlier: Sequence[Report], *, live: bool
) -> None:
    """Unpin the earlier reports and pin this one, once: what a person unpinned stays so."""
    for old in earlier:
        if old.pinned and (same_issue(old, report) or await unpin(services, old, live=live)):
            await _note_pin(services, old, pinned=False)
            if same_issue(old, report):
                await _note_pin(services, report, pinned=True)
                report.pinned = True
    if wants_pin(plan, report) and report.number is not None:
        outcome = await writer.perform(PinIssue(plan.target_id, plan.target, report.number))
        if outcome.status != "skipped" and outcome.reason is None:
            await _note_pin(services, report, pinned=True)
        elif outcome.reason is not None:
            log.info("report not pinned", repository=plan.target, number=report.number, reason=outcome.reason)


async def _note_pin(services: Services, report: Report, *, pinned: bool) -> None:
    async with services.database.sessions.begin() as session:
        (await session.get_one(Report, report.id)).pinned = pinned


async def _place(services: Services, report: Report) -> tuple[Repository, int] | None:
    """Return the repository that a report stands in and its installation, or None where nothing may be written."""
    async with services.database.sessions() as session:
        target = await session.get(Repository, report.target_id or report.repository_id)
        its_id = None if target is None else target.installation_id
        installation = None if its_id is None else await session.get(Installation, its_id)
    if target is None or installation is None or installation.state != "active":
        reason = "the App is not installed there any more"
    elif target.archived:
        reason = "the repository is archived"
    elif not writes(target, services.clock.now()):
        reason = "the repository is not written to"
    else:
        return target, installation.id
    log.warning("earlier report stays as it is", url=report.url, period=report.period, reason=reason)
    return None
