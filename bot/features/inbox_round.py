"""Once a day every inbox is looked at, though nothing happened in its repository.

Purpose: questions that nobody answers leave after their time, and an inbox whose text was broken is mended though no
event told of it. Trigger: the clock. Effects: asks for inboxes to be brought up to date.
"""

from __future__ import annotations

from datetime import UTC

from apscheduler.triggers.cron import CronTrigger
from sqlmodel import col, select

from bot.features.registration import Entry, Times
from bot.jobs import defer_inbox
from bot.services import Services
from bot.store.repositories import writes
from bot.store.tables import Repository

ROUND_HOUR = 5
"""Of the day (UTC)."""

_APART_SECONDS = 1.0
"""Between two inboxes, so that a thousand of them are no burst of requests."""


async def ask_for_inboxes(services: Services) -> None:
    """Ask for the inbox of each repository that may be written to, unless somebody closed it."""
    now = services.clock.now()
    kept = select(Repository).where(
        col(Repository.inbox_closed).is_(False), col(Repository.installation_id).is_not(None)
    )
    async with services.database.sessions() as session:
        repositories = (await session.execute(kept.order_by(col(Repository.id)))).scalars().all()
    due = [repository.id for repository in repositories if writes(repository, now)]
    for position, repository_id in enumerate(due):
        await defer_inbox(repository_id, position * _APART_SECONDS)


TIMES: Times = (Entry("inboxes", ask_for_inboxes, CronTrigger(hour=ROUND_HOUR, timezone=UTC)),)
