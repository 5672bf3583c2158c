"""The processes of Rootcause: `web`, `worker`, or both with the clock in one (`serve`), from start to clean stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import structlog
from aiohttp import web
from psycopg_pool import AsyncConnectionPool

from bot.clock import Clock, SystemClock
from bot.github.client import GitHubApp
from bot.github.errors import GitHubError
from bot.jobs import app as jobs_app
from bot.jobs import open_jobs
from bot.schedule import defer_last_due, start_schedule
from bot.services import Services, open_github, open_pool
from bot.settings import Settings
from bot.store.database import Database, database
from bot.sweep import sweep_forever
from bot.web.app import create_app
from bot.web.ingest import Ingest
from bot.web.webhook import Identity, Webhook
from classifier import load_classifier

log = structlog.get_logger(__name__)

DEFAULT_SLUG = "rootcause"
_GRACE_SECONDS = 8.0
_POLL_SECONDS = 1.0
_PENDING_ADVICE = "the database is not up to date: run `rootcause db upgrade`"


class ProcessStoppedError(Exception):
    """A part that the process cannot live without has gone; the process must end with an error."""


async def run(settings: Settings, *, with_web: bool, with_worker: bool, clock: Clock | None = None) -> None:
    """Run the chosen parts until SIGTERM or Ctrl-C; raises where one of them dies by itself."""
    clock = clock or SystemClock()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(database(settings))
        pool = await stack.enter_async_context(open_pool(store.conninfo, settings.worker_concurrency + 5))
        await stack.enter_async_context(open_jobs(pool))
        github = None
        if settings.missing():
            for sentence in settings.missing():
                log.warning("setting missing", setting=sentence)
        else:
            github = await stack.enter_async_context(open_github(settings, clock))
        parts: list[Coroutine[Any, Any, None]] = [_until(stop)]
        if store.embedded is not None:
            parts.append(_database_gone(store))
        if with_web:
            identity = Identity(slug=DEFAULT_SLUG)
            ingest = Ingest(pool, settings.settle_seconds)
            await stack.enter_async_context(
                _listening(settings, Webhook(ingest, settings.webhook_secret, identity), pool)
            )
            parts.append(ingest.run())
            if github is not None:
                parts.append(_learn_identity(github, identity, clock))
        if with_worker and github is not None:
            services = Services(settings, store, pool, github, load_classifier(), clock)
            scheduler = start_schedule(services)
            stack.callback(scheduler.shutdown, wait=False)
            parts += [_work(services), sweep_forever(services), _ask_for_due(services)]
        await _first_end(parts)


async def _first_end(parts: list[Coroutine[Any, Any, None]]) -> None:
    """Run the parts until the first is stopped or fails, then end the others in order of their start, reversed.

    Parts that end by themselves without an error (having done what they had to) do not end the process; the first
    part is the one that waits for the stop.
    """
    tasks = [asyncio.create_task(part) for part in parts]
    waiting = set(tasks)
    try:
        while not tasks[0].done():
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
    finally:
        for task in reversed(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _until(stop: asyncio.Event) -> None:
    await stop.wait()
    log.info("stopping")


async def _database_gone(store: Database) -> None:
    if store.embedded is not None:
        await store.embedded.wait_dead()
        raise ProcessStoppedError("the embedded database has died; start again to recover it")


async def _learn_identity(github: GitHubApp, identity: Identity, clock: Clock) -> None:
    """Find out the App's slug and its bot account's id; until then its own events are told apart by the worker."""
    wait = 1.0
    while identity.bot_id is None:
        try:
            identity.slug = await github.slug()
            identity.bot_id = await github.bot_user_id()
        except GitHubError as error:
            log.warning("GitHub did not say who the App is", error=str(error))
            await clock.sleep(wait)
            wait = min(wait * 2, 300)


async def _work(services: Services) -> None:
    await jobs_app.run_worker_async(
        concurrency=services.settings.worker_concurrency,
        fetch_job_polling_interval=_POLL_SECONDS,
        shutdown_graceful_timeout=_GRACE_SECONDS,
        delete_jobs="successful",
        additional_context={"services": services},
        install_signal_handlers=False,
        update_heartbeat_interval=services.settings.heartbeat_seconds,
        stalled_worker_timeout=services.settings.stalled_after_seconds,
    )


async def _ask_for_due(services: Services) -> None:
    await defer_last_due(services)


@asynccontextmanager
async def _listening(settings: Settings, webhook: Webhook, pool: AsyncConnectionPool) -> AsyncIterator[None]:
    runner = web.AppRunner(create_app(settings, webhook, pool), access_log=None, shutdown_timeout=5)
    await runner.setup()
    try:
        await web.TCPSite(runner, settings.host, settings.port).start()
        log.info("listening", port=settings.port)
        yield
    finally:
        await runner.cleanup()
