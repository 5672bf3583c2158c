"""The monthly report: one issue per repository and period, never two.

Purpose: what maintainers read each month. Trigger: the clock asks for the last due month; a maintainer asks by command
for the running one; the demo asks for one. Effects: the report is built from the database and posted as an issue with
a hidden marker, what does not fit into it as comments; each text is read back; the previous report is closed and leads
to this one, and its pin is passed on where the repository asks for one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import structlog
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select, update

from bot.features.configuration import heed
from bot.features.questions import choose_questions
from bot.features.report_earlier import close, pass_on_the_pin, unpin
from bot.features.report_plan import Plan, is_complete, left_behind, post, to_close, was_closed_by_us
from bot.features.report_settings import plan_for
from bot.github.actions import CreateComment, UpdateComment
from bot.github.links import web_address
from bot.github.writer import Outcome, Writer
from bot.jobs import defer_inbox
from bot.metrics import REPORTS
from bot.services import Services
from bot.store.figures import file_names, store_figures
from bot.store.repositories import writes
from bot.store.rows import load_rows
from bot.store.tables import Report, Repository
from bot.store.written import PostgresWritten
from reports import Composed, build_report, compose, title
from reports import Report as BuiltReport
from reports.figures import draw_figures
from reports.overflow import part_marker
from reports.periods import parse_period
from reports.render import BUDGET
from reports.sections.charts import pictures

log = structlog.get_logger(__name__)

WINDOW_MONTHS = 12
_READS = 10
"""Requests that a report is booked with: what stands is looked up, and each text that is written is read back."""

_ROOM = 300
"""Code points kept free in a body for the line that leads to a newer report."""

_NO_LONGER = "*Nothing is continued here this time.*\n"


async def publish(
    services: Services,
    repository_id: int,
    period: str,
    *,
    window_months: int = WINDOW_MONTHS,
    again: bool = False,
) -> Report | None:
    """Post one repository's report of one period; return its row, or None where nothing may be written there.

    A report that was posted after its month was over stands, and is only written `again` when somebody asks for it.
    """
    await heed(services, repository_id)
    now = services.clock.now()
    async with services.database.sessions.begin() as session:
        repository = await session.get(Repository, repository_id)
        if repository is None or repository.installation_id is None or not writes(repository, now):
            return None
        plan = await plan_for(session, repository, now, asked=again)
        if plan is None:
            return None
        row = {"repository_id": repository_id, "period": period, "state": "due", "created_at": now}
        await session.execute(insert(Report).values(**row).on_conflict_do_nothing())
        report = await _report(session, repository_id, period)
        before = select(Report).where(Report.repository_id == repository_id, Report.period < period)
        earlier = (await session.execute(before.order_by(col(Report.period)))).scalars().all()
        after = select(Report.id).where(Report.repository_id == repository_id, Report.period > period)
        newer = (await session.execute(after.where(Report.state == "posted"))).first()
    if newer is not None and plan.style == "update-one":
        log.info("the one issue shows a newer report", repository=repository.full_name, period=period)
        return report
    if not again:
        await services.background_client(repository.installation_id).book("core", _READS)
    writer = await services.writer(repository.installation_id, plan.target_id, observe=False, live=again)
    if again or not is_complete(report):
        await _refresh_questions(services, repository)
        heading, composed, shown = await _compose(services, plan, period, window_months)
        known = PostgresWritten(services.database.sessions, plan.target_id, services.clock)
        stands = await known.get(plan.marker(period))
        number = None if stands is None else stands.number
        reopen = stands is not None and was_closed_by_us(plan, stands.github_id, report, earlier)
        outcome = await writer.perform(post(plan, period, number, heading, composed.body, reopen=reopen))
        if outcome.number is None:
            log.info("report not posted", repository=repository.full_name, period=period, reason=outcome.reason)
            return None
        await _continue_in_comments(writer, known, plan, period, outcome.number, composed.comments)
        await _leave(services, plan, report, outcome, live=again)
        report = await _remember(services, plan, report, outcome, shown)
    for old in to_close(plan, report, earlier):
        if await close(services, old, report, live=again):
            await _note_closed(services, old)
    await pass_on_the_pin(services, writer, plan, report, earlier, live=again)
    return report


async def _refresh_questions(services: Services, repository: Repository) -> None:
    """Draw the samples of weeks that are over, so that the report counts what was asked."""
    async with services.database.sessions.begin() as session:
        await choose_questions(session, repository, services.clock.now())
    await defer_inbox(repository.id, services.settings.inbox_delay_seconds)


async def _compose(services: Services, plan: Plan, period: str, window_months: int) -> tuple[str, Composed, list[str]]:
    """Return the report's title, its text, and the names of the figures' files that the text may show."""
    when = parse_period(period, window_months)
    async with services.database.sessions() as session:
        rows = await load_rows(session, plan.subject_id, when.window.start, when.window.end)

    server = web_address(services.settings.github_api_url)
    built = await asyncio.to_thread(build_report, rows, period, window_months, plan.subject_id, server=server)
    images, shown = await _pictures(services, plan.subject_id, built)
    composed = await asyncio.to_thread(compose, built, plan.marker(period), BUDGET - _ROOM, images)
    return title(built.period), composed, shown


async def _pictures(
    services: Services, repository_id: int, built: BuiltReport
) -> tuple[Mapping[str, str] | None, list[str]]:
    """Draw the figures and keep them under the web process's address; none where it has none, or nobody may look."""
    address = services.settings.public_url
    if address is None or built.repository is None or built.repository.private:
        return None, []
    figures = await asyncio.to_thread(draw_figures, built)
    async with services.database.sessions.begin() as session:
        if not await store_figures(session, repository_id, figures, services.clock.now()):
            return None, []
    return pictures(figures, f"{address}/figures"), file_names(figures)


async def _continue_in_comments(
    writer: Writer, known: PostgresWritten, plan: Plan, period: str, number: int, comments: Sequence[str]
) -> None:
    """Write the comments that the body goes on in, in place where they stand; those not needed any more say so."""
    part = 1
    while True:
        marker = part_marker(plan.marker(period), part)
        stands = await known.get(f"#{number} {marker}")
        if part > len(comments) and stands is None:
            return
        text = comments[part - 1] if part <= len(comments) else f"{marker}\n\n{_NO_LONGER}"
        if stands is None:
            outcome = await writer.perform(CreateComment(plan.target_id, plan.target, number, text, marker))
            written = outcome.github_id if outcome.status == "unchanged" else None
        else:
            written = stands.github_id
        if written is not None:
            await writer.perform(UpdateComment(plan.target_id, plan.target, written, text))
        part += 1


async def _leave(services: Services, plan: Plan, report: Report, outcome: Outcome, *, live: bool) -> None:
    """Close and unpin the issue that this period's report has elsewhere, before its row forgets it."""
    if outcome.number is None or (left := left_behind(plan, report, outcome.number)) is None:
        return
    newer = Report(repository_id=left.repository_id, period=left.period, url=outcome.url, created_at=left.created_at)
    if plan.close_previous and left.state == "posted":
        await close(services, left, newer, live=live)
    if left.pinned:
        await unpin(services, left, live=live)


async def _remember(services: Services, plan: Plan, due: Report, outcome: Outcome, shown: list[str]) -> Report:
    """Note where the report stands and what it shows; what else its issue showed before is shown no more."""
    async with services.database.sessions.begin() as session:
        report = await _report(session, due.repository_id, due.period)
        replaced = update(Report).where(col(Report.repository_id) == due.repository_id)
        await session.execute(replaced.where(col(Report.issue_id) == outcome.github_id).values(figures=[]))
        stays_elsewhere = report.issue_id not in {None, outcome.github_id}
        report.figures = sorted({*shown, *((report.figures or ()) if stays_elsewhere else ())})
        report.state = "posted"
        report.pinned = report.pinned and report.issue_id == outcome.github_id
        report.target_id = plan.target_id
        report.number = outcome.number
        report.issue_id = outcome.github_id
        report.url = outcome.url
        report.posted_at = services.clock.now()
    REPORTS.inc()
    log.info("report posted", repository=due.repository_id, period=due.period, number=outcome.number)
    return report


async def _note_closed(services: Services, old: Report) -> None:
    """Note that an earlier report's issue is closed, for every period that it held."""
    async with services.database.sessions.begin() as session:
        held = update(Report).where(col(Report.repository_id) == old.repository_id, col(Report.state) == "posted")
        await session.execute(held.where(col(Report.issue_id) == old.issue_id).values(state="closed"))


async def _report(session: AsyncSession, repository_id: int, period: str) -> Report:
    found = select(Report).where(Report.repository_id == repository_id, Report.period == period)
    return (await session.execute(found)).scalars().one()
