"""The clock of every replica: it only asks for jobs, by keys that make asking twice harmless."""

from __future__ import annotations

from datetime import UTC

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from bot.features.registration import modules, timetable
from bot.services import Services

_GRACE_SECONDS = 24 * 3600

TIMETABLE = timetable(modules())


def start_schedule(services: Services) -> AsyncIOScheduler:
    """Start the clock; the caller shuts it down."""
    scheduler = AsyncIOScheduler(timezone=UTC)
    for one in TIMETABLE:
        scheduler.add_job(
            one.ask, one.when, args=[services], id=one.name, coalesce=True, misfire_grace_time=_GRACE_SECONDS
        )
    scheduler.start()
    return scheduler
