"""The clock of every replica: it only asks for jobs, by keys that make asking twice harmless."""

from __future__ import annotations

from datetime import UTC, datetime

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger

from bot.features.monthly_report import defer_due
from bot.services import Services

log = structlog.get_logger(__name__)

_GRACE_SECONDS = 24 * 3600
REPORT_DAY, REPORT_HOUR = 1, 6
"""Reports of a month are due on the first day of the next one, at six o'clock UTC."""


def last_due_period(now: datetime) -> str:
    """Return the newest month, as `YYYY-MM`, whose report is due at `now`."""
    month = now.year * 12 + now.month - 1
    is_due = (now.day, now.hour) >= (REPORT_DAY, REPORT_HOUR)
    year, index = divmod(month - (1 if is_due else 2), 12)
    return f"{year:04d}-{index + 1:02d}"


async def defer_last_due(services: Services) -> None:
    """Ask for the reports of the last due month; those that stand already are left alone."""
    await defer_due(services, last_due_period(services.clock.now()))


def start_schedule(services: Services) -> AsyncIOScheduler:
    """Start the clock; the caller shuts it down.

    The due month is asked for every day: a report that GitHub or the database kept from being posted on the first one
    comes a day late, not a month.
    """
    scheduler = AsyncIOScheduler(timezone=UTC)
    scheduler.add_job(
        defer_last_due,
        CronTrigger(hour=REPORT_HOUR, timezone=UTC),
        args=[services],
        id="due reports",
        coalesce=True,
        misfire_grace_time=_GRACE_SECONDS,
    )
    scheduler.start()
    return scheduler
