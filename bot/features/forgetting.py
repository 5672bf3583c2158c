"""People are forgotten some time after the App was taken away.

Purpose: nobody's data is kept where it is of no use any more, and an owner who comes back soon loses nothing. Trigger:
the clock, every day. Effects: in repositories that the App left `forget_after_days` ago all texts and all people are
deleted; the numbers about their issues stay, and name nobody. Nothing is written to GitHub.
"""

from __future__ import annotations

from datetime import UTC, timedelta

import structlog
from apscheduler.triggers.cron import CronTrigger

from bot.features.registration import Entry, Times
from bot.services import Services
from bot.store.forgetting import forget_installations, forget_repositories
from bot.store.left import installations_left, left_before

log = structlog.get_logger(__name__)

FORGET_HOUR = 4
"""Of every day (UTC)."""


async def forget_the_left(services: Services) -> None:
    """Forget the people of every repository, and the owner of every installation, that the App left long enough ago."""
    now = services.clock.now()
    moment = now - timedelta(days=services.settings.forget_after_days)
    async with services.database.sessions.begin() as session:
        repository_ids = await left_before(session, moment)
        forgotten = await forget_repositories(session, repository_ids, now)
        for installation_id in await installations_left(session, moment):
            await forget_installations(session, installation_id)
    if repository_ids:
        log.info("people forgotten", repositories=forgotten.repositories, people=forgotten.people)


TIMES: Times = (Entry("people to forget", forget_the_left, CronTrigger(hour=FORGET_HOUR, timezone=UTC)),)
