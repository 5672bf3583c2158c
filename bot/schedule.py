"""The clock of every replica: it only asks for jobs, by keys that make asking twice harmless."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger

from bot.features.configuration_issue import ask_again
from bot.features.forgetting import FORGET_HOUR, forget_the_left
from bot.features.inbox_round import ROUND_HOUR, ask_for_inboxes
from bot.features.late_links import ask_for_links
from bot.features.refit import ask_for_refit, ask_nightly
from bot.features.report_settings import REPORT_HOUR, defer_due
from bot.services import Services

log = structlog.get_logger(__name__)

_GRACE_SECONDS = 24 * 3600
REFIT_HOUR, REFIT_MINUTES = 3, "*/10"
"""A refit is due each night at three o'clock UTC, and, every ten minutes, where enough decisions are new."""

LINKS_MINUTE = 20
"""Of every hour, at which late links are asked for that no job is on its way for."""

MISTAKES_MINUTES = "5-59/15"
"""Of every hour, at which configurations with mistakes are read again, so that the issues about them close."""


@dataclass(frozen=True)
class Entry:
    """One line of the timetable: what is asked, by its name, and when."""

    name: str
    ask: Callable[[Services], Awaitable[None]]
    when: CronTrigger


TIMETABLE = (
    Entry("due reports", defer_due, CronTrigger(hour=REPORT_HOUR, timezone=UTC)),
    Entry("inboxes", ask_for_inboxes, CronTrigger(hour=ROUND_HOUR, timezone=UTC)),
    Entry("late links", ask_for_links, CronTrigger(minute=LINKS_MINUTE, timezone=UTC)),
    Entry("nightly refit", ask_nightly, CronTrigger(hour=REFIT_HOUR, timezone=UTC)),
    Entry("refit", ask_for_refit, CronTrigger(minute=REFIT_MINUTES, timezone=UTC)),
    Entry("people to forget", forget_the_left, CronTrigger(hour=FORGET_HOUR, timezone=UTC)),
    Entry("mistakes", ask_again, CronTrigger(minute=MISTAKES_MINUTES, timezone=UTC)),
)


def start_schedule(services: Services) -> AsyncIOScheduler:
    """Start the clock; the caller shuts it down.

    The due month is asked for every day: a report that GitHub or the database kept from being posted on the first one
    comes a day late, not a month. Late links have a job of their own as soon as one is awaited, unless it was given up.
    """
    scheduler = AsyncIOScheduler(timezone=UTC)
    for one in TIMETABLE:
        scheduler.add_job(
            one.ask, one.when, args=[services], id=one.name, coalesce=True, misfire_grace_time=_GRACE_SECONDS
        )
    scheduler.start()
    return scheduler
