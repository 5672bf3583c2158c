"""What those commands of the operator work with that ask workers or GitHub for something."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from bot.clock import Clock
from bot.queue import open_jobs
from bot.services import Services, open_github, open_pool
from bot.settings import Settings
from bot.store.database import Database
from bot.upkeep.opening import open_store
from classifier import load_classifier


@asynccontextmanager
async def open_queue(store: Database) -> AsyncIterator[None]:
    """Open the queue of jobs in a database, for as long as something is asked for."""
    async with open_pool(store.conninfo, 1) as pool, open_jobs(pool):
        yield


@asynccontextmanager
async def open_services(settings: Settings, clock: Clock) -> AsyncIterator[Services]:
    """Open all that a unit of work may use; raises what `open_store` raises, and `NotConfiguredError`."""
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(open_store(settings))
        pool = await stack.enter_async_context(open_pool(store.conninfo, 2))
        await stack.enter_async_context(open_jobs(pool))
        github = await stack.enter_async_context(open_github(settings, clock, store))
        yield Services(settings, store, pool, github, load_classifier(), clock)
