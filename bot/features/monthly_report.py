"""The monthly report: one issue per repository and period, never two.

Purpose: what maintainers read each month. Trigger: the clock asks for the last due month; the demo asks for one.
Effects: the report is built from the database, posted as an issue with a hidden marker, read back, remembered, and
the previous one is closed.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence

import structlog
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.features.questions import choose_questions
from bot.github.actions import Action, CreateIssue, UpdateIssue
from bot.github.writer import Outcome
from bot.jobs import defer_inbox, defer_report
from bot.metrics import REPORTS
from bot.services import Services
from bot.store.repositories import writes
from bot.store.rows import load_rows
from bot.store.tables import Installation, Report, Repository
from reports import build_report, render, title
from reports.periods import parse_period

log = structlog.get_logger(__name__)

WINDOW_MONTHS = 12


def report_marker(repository_id: int, period: str) -> str:
    """Return the hidden first line by which a report is found again."""
    return f"<!-- rootcause:report repository={repository_id} period={period} -->"


def decide(
    repository: Repository, report: Report, text: str | None, heading: str, earlier: Sequence[Report]
) -> list[Action]:
    """Return the report to post, unless this period's stands already, and the earlier ones to close."""
    actions: list[Action] = []
    if report.state == "due" and text is not None:
        marker = report_marker(repository.id, report.period)
        actions.append(CreateIssue(repository.id, repository.full_name, heading, text, marker))
    actions += [
        UpdateIssue(repository.id, repository.full_name, old.number, state="closed")
        for old in earlier
        if old.state == "posted" and old.number is not None
    ]
    return actions


async def publish(
    services: Services,
    repository_id: int,
    period: str,
    *,
    window_months: int = WINDOW_MONTHS,
    notes: tuple[str, ...] = (),
) -> Report | None:
    """Post one repository's report of one period; return its row, or None where nothing may be written there."""
    now = services.clock.now()
    async with services.database.sessions.begin() as session:
        repository = await session.get(Repository, repository_id)
        if repository is None or repository.installation_id is None or not writes(repository, now):
            return None
        row = {"repository_id": repository_id, "period": period, "state": "due", "created_at": now}
        await session.execute(insert(Report).values(**row).on_conflict_do_nothing())
        report = await _report(session, repository_id, period)
        earlier = (
            (await session.execute(select(Report).where(Report.repository_id == repository_id, Report.period < period)))
            .scalars()
            .all()
        )
    heading, text = "", None
    if report.state == "due":
        async with services.database.sessions.begin() as session:
            await choose_questions(session, repository, now)
        await defer_inbox(repository_id, services.settings.inbox_delay_seconds)
        heading, text = await _compose(services, repository_id, period, window_months, notes)
    writer = await services.writer(repository.installation_id, repository_id, observe=False)
    for action in decide(repository, report, text, heading, earlier):
        outcome = await writer.perform(action)
        if isinstance(action, CreateIssue):
            if outcome.number is None:
                log.info("report not posted", repository=repository.full_name, period=period, reason=outcome.reason)
                return None
            report = await _remember(services, report, outcome, action.body)
        elif isinstance(action, UpdateIssue):
            await _closed(services, repository_id, action.number)
    return report


async def _compose(
    services: Services, repository_id: int, period: str, window_months: int, notes: tuple[str, ...]
) -> tuple[str, str]:
    when = parse_period(period, window_months)
    async with services.database.sessions() as session:
        rows = await load_rows(session, repository_id, when.window.start, when.window.end)

    def compose() -> tuple[str, str]:
        built = build_report(rows, period, window_months, repository_id=repository_id, notes=notes)
        return title(built.period), render(built, marker=report_marker(repository_id, period))

    return await asyncio.to_thread(compose)


async def _remember(services: Services, due: Report, outcome: Outcome, text: str) -> Report:
    async with services.database.sessions.begin() as session:
        report = await _report(session, due.repository_id, due.period)
        report.state = "posted"
        report.number = outcome.number
        report.issue_id = outcome.github_id
        report.url = outcome.url
        report.body_digest = hashlib.sha256(text.encode()).hexdigest()
        report.posted_at = services.clock.now()
    REPORTS.inc()
    log.info("report posted", repository=due.repository_id, period=due.period, number=outcome.number)
    return report


async def _closed(services: Services, repository_id: int, number: int) -> None:
    async with services.database.sessions.begin() as session:
        found = select(Report).where(Report.repository_id == repository_id, Report.number == number)
        (await session.execute(found)).scalars().one().state = "closed"


async def _report(session: AsyncSession, repository_id: int, period: str) -> Report:
    found = select(Report).where(Report.repository_id == repository_id, Report.period == period)
    return (await session.execute(found)).scalars().one()


async def defer_due(services: Services, period: str) -> None:
    """Ask for the period's report of every repository that is written to and was there before the period's end."""
    now = services.clock.now()
    end = parse_period(period, 1).window.end
    async with services.database.sessions() as session:
        posted = select(Report.repository_id).where(Report.period == period, Report.state != "due")
        wanted = (
            select(Repository)
            .join(Installation, col(Installation.id) == col(Repository.installation_id))
            .where(Installation.state == "active")
            .where(col(Repository.created_at) < end, col(Repository.id).not_in(posted))
        )
        repositories = (await session.execute(wanted)).scalars().all()
    for repository in repositories:
        if writes(repository, now):
            await defer_report(repository.id, period)
