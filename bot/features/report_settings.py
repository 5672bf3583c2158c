"""Which repositories get which report, and when: what their settings say and what may be written where.

Purpose: reports come where and when their maintainers want them. Trigger: the clock, every day; before each report.
Effects: asks for reports that are due.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.features.report_plan import Plan, due_period
from bot.jobs import defer_report
from bot.services import Services
from bot.store.repositories import writes
from bot.store.tables import Installation, Report, Repository
from reports.periods import parse_period

REPORT_DAY, REPORT_HOUR = 1, 6
"""Reports of a month are due on the first day of the next one, at six o'clock UTC."""


async def plan_for(session: AsyncSession, repository: Repository, now: datetime) -> Plan | None:
    """Return how the repository's report is posted, or None where none is."""
    return Plan(repository.id, repository.full_name, repository.id, repository.full_name)


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
    period = due_period(now, REPORT_DAY, REPORT_HOUR)
    end = parse_period(period, 1).month.end
    if repository.created_at >= end or await plan_for(session, repository, now) is None:
        return None
    stands = select(Report.id).where(
        Report.repository_id == repository.id,
        Report.period == period,
        Report.state != "due",
        col(Report.posted_at) >= end,
    )
    return None if (await session.execute(stands)).first() is not None else period
