"""Which repositories get which report, and when: what their settings say and what may be written where.

Purpose: reports come where and when their maintainers want them. Trigger: the clock, every day; before each report.
Effects: asks for reports that are due.
"""

from __future__ import annotations

from datetime import UTC, datetime

import structlog
from apscheduler.triggers.cron import CronTrigger
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, select

from bot.features.registration import Entry, Times
from bot.features.report_plan import Plan, due_period
from bot.jobs import defer_report
from bot.services import Services
from bot.store.configurations import configuration_of
from bot.store.repositories import writes
from bot.store.tables import Installation, Report, Repository
from reports.periods import parse_period

log = structlog.get_logger(__name__)

REPORT_HOUR = 6
"""Reports are due at six o'clock UTC of the day that the repository chose, by default the first."""


async def plan_for(session: AsyncSession, repository: Repository, now: datetime, *, asked: bool = False) -> Plan | None:
    """Return how the repository's report is posted; None where none is wanted, or its place may not be written to.

    Somebody who `asked` gets a report also where none is posted every month. A private repository's numbers are never
    posted in a public one.
    """
    options = (await configuration_of(session, repository.id)).report
    if not options.enabled and not asked:
        return None
    target = repository if options.style != "central" else await _named(session, repository, options.repository)
    if target is None or not writes(target, now) or (repository.private and not target.private):
        log.warning("report has no place", repository=repository.full_name, style=options.style)
        return None
    return Plan(
        subject_id=repository.id,
        subject=repository.full_name,
        target_id=target.id,
        target=target.full_name,
        style=options.style,
        assignees=options.assignees,
        close_previous=options.close_previous,
        pin=options.pin,
        day=options.day,
    )


async def _named(session: AsyncSession, repository: Repository, full_name: str | None) -> Repository | None:
    """Return the repository of the same installation that has this name."""
    wanted = select(Repository).where(
        func.lower(Repository.full_name) == (full_name or "").lower(),
        Repository.installation_id == repository.installation_id,
    )
    return (await session.execute(wanted)).scalars().first()


async def defer_due(services: Services) -> None:
    """Ask for the last due month's report of every repository that is written to and was there before that month's end.

    Reports that stand already are left alone, so that asking every day, and after every start, makes up for what was
    missed while nothing ran.
    """
    now = services.clock.now()
    async with services.database.sessions() as session:
        wanted = (
            select(Repository)
            .join(Installation, col(Installation.id) == col(Repository.installation_id))
            .where(Installation.state == "active")
        )
        repositories = (await session.execute(wanted)).scalars().all()
        due = [(one.id, await _due(session, one, now)) for one in repositories if writes(one, now)]
    for repository_id, period in due:
        if period is not None:
            await defer_report(repository_id, period)


async def _due(session: AsyncSession, repository: Repository, now: datetime) -> str | None:
    """Return the period whose report the repository should have and has not."""
    plan = await plan_for(session, repository, now)
    if plan is None:
        return None
    period = due_period(now, plan.day, REPORT_HOUR)
    end = parse_period(period, 1).month.end
    if repository.created_at >= end:
        return None
    stands = select(Report.id).where(
        Report.repository_id == repository.id,
        Report.period == period,
        Report.state != "due",
        col(Report.posted_at) >= end,
    )
    return None if (await session.execute(stands)).first() is not None else period


TIMES: Times = (Entry("due reports", defer_due, CronTrigger(hour=REPORT_HOUR, timezone=UTC)),)
"""Every day: a report that GitHub or the database kept from being posted in time comes a day late, not a month."""
