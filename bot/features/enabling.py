"""The operator lets a silent repository take part.

Purpose: one of very many repositories can be enabled without a file of its own. Trigger: `rootcause enable`. Effects:
the repository observes as a new one does, and its recent history is read; nothing is written to GitHub before that.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.clock import SystemClock
from bot.features.backfill import begin_recent
from bot.jobs import defer_backfill
from bot.queue import open_jobs
from bot.services import open_pool
from bot.settings import Settings
from bot.store.database import database
from bot.store.migrate import require_up_to_date
from bot.store.tables import Repository
from bot.store.whole import find_repository


@dataclass(frozen=True)
class Enabled:
    """A repository that takes part now: its state, until when it only observes, and whether its history is read."""

    repository: str
    state: str
    observe_until: datetime
    reads_history: bool


class NotEnabledError(Exception):
    """There is nothing to enable; the message says why."""


async def enable(settings: Settings, name: str) -> Enabled:
    """Enable a repository, by `owner/name`; raises `NotEnabledError`, or `DatabaseUnavailable` without a database."""
    now = SystemClock().now()
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(database(settings))
        await asyncio.to_thread(require_up_to_date, store.url)
        await stack.enter_async_context(open_jobs(await stack.enter_async_context(open_pool(store.conninfo, 1))))
        async with store.sessions.begin() as session:
            named = await find_repository(session, name)
            if named is None or named.installation_id is None:
                raise NotEnabledError(f"the App is not installed on {name!r}; write it as owner/name")
            repository = await session.get_one(Repository, named.id, with_for_update=True, populate_existing=True)
            if repository.state != "silent":
                raise NotEnabledError(f"{repository.full_name} is not silent: it is {repository.state} already")
            repository.state = "observe" if settings.observe_days > 0 else "active"
            until = repository.observe_until = now + timedelta(days=settings.observe_days)
            await session.flush()
            begun = await begin_recent(session, [repository.id], settings.backfill_days, now)
            enabled = Enabled(repository.full_name, repository.state, until, bool(begun))
        if begun:
            await defer_backfill()
        return enabled
