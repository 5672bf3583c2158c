"""The processes of Rootcause: `web`, `worker`, or both with the clock in one (`serve`), from start to clean stop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any

import structlog
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from bot.clock import Clock, SystemClock
from bot.doctor.examination import examine
from bot.errors import ProcessStoppedError
from bot.features.backfill import resume
from bot.features.late_links import ask_for_links
from bot.features.report_settings import defer_due
from bot.jobs import defer_missed
from bot.learning.running import RunningModel
from bot.leaving import stopping_in_time
from bot.pull.polling import pull
from bot.queue import DATABASE_AWAY, open_jobs
from bot.schedule import start_schedule
from bot.services import Services, open_github, open_pool
from bot.settings import Settings
from bot.setup.desk import Desk
from bot.setup.settings_file import NAME, open_to_others
from bot.store.counted import Counts
from bot.store.database import Database, database
from bot.store.migrate import pending_migrations
from bot.sweep import sweep_forever
from bot.watchdog import watched
from bot.web.process import DEFAULT_SLUG, learn_identity, serve
from bot.web.setup import PATH, SetupPages
from bot.web.webhook import Identity
from bot.worker import work

log = structlog.get_logger(__name__)

_AGAIN_SECONDS = 2.0
_LAST_ANSWER_SECONDS = 0.2
"""For the page that says so to be on its way before everything starts again with the settings just written."""

_MISSED_AFTER_SECONDS = 10.0
"""After its start a process asks for what was missed meanwhile: by then a web process beside it answers."""


async def run(
    settings: Settings, *, with_web: bool, with_worker: bool, clock: Clock | None = None, desk: Desk | None = None
) -> bool:
    """Run the chosen parts until SIGTERM or Ctrl-C; raises where one of them dies by itself.

    Returns whether the App was just set up, so that all is to be started again with the settings that were written.
    """
    clock = clock or SystemClock()
    desk = desk or Desk()
    stop, set_up = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def configured() -> None:
        set_up.set()
        loop.call_later(_LAST_ANSWER_SECONDS, stop.set)

    written = settings.data_dir / NAME
    was_written = written.exists()  # asked before the database starts, which takes seconds
    async with AsyncExitStack() as stack:
        stack.enter_context(stopping_in_time(stop))
        await stack.enter_async_context(watched())
        store = await stack.enter_async_context(database(settings))
        # The embedded one has just been brought up to date.
        pending = [] if store.embedded else await asyncio.to_thread(pending_migrations, store.url)
        if pending:
            raise ProcessStoppedError("the database is not up to date: run `rootcause db upgrade`")
        pool = await stack.enter_async_context(open_pool(store.conninfo, settings.worker_concurrency + 5))
        await stack.enter_async_context(open_jobs(pool))
        counts = Counts()
        stack.push_async_callback(counts.add, pool)
        for name in open_to_others(settings):
            log.warning("a file with a secret is open to other users of this machine", setting=name)
        github = None
        if settings.missing():
            for sentence in settings.missing():
                log.warning("setting missing", setting=sentence)
            if with_web:
                address = settings.public_url or f"http://localhost:{settings.port}"
                log.warning("the App is not set up", open=f"{address}{PATH}?key={desk.key}")
        else:
            _check_key(settings)
            github = await stack.enter_async_context(open_github(settings, clock, store))
        parts: list[Coroutine[Any, Any, None]] = [_until(stop), counts.keep_adding(pool, clock)]
        if github is None and not was_written and settings.database_url is None:
            parts.append(_set_up_elsewhere(written, configured, clock))
        if store.embedded is not None:
            parts.append(_database_gone(store))
        if github is not None:
            parts.append(_kept_up("missed deliveries", partial(defer_missed, _MISSED_AFTER_SECONDS), clock))
        if with_web:
            identity = Identity(slug=DEFAULT_SLUG)
            setup = SetupPages(settings, clock, desk, configured, partial(examine, settings, clock))
            parts.append(serve(settings, store, pool, identity, setup, counts, clock))
            if github is not None:
                parts.append(_kept_up("identity", partial(learn_identity, github, identity, clock), clock))
        if with_worker and github is not None:
            model = RunningModel(store, settings.data_dir)
            with suppress(*DATABASE_AWAY):
                await model.look()
            services = Services(settings, store, pool, github, model.model, clock)
            parts += [
                _kept_up(part.__name__, partial(part, services), clock)
                for part in (model.follow, work, sweep_forever, defer_due, resume, ask_for_links)
            ]
            parts.append(_keep_time(services))
            if settings.pull:
                parts.append(_kept_up("pull", partial(pull, services), clock))
        await _first_end(parts)
    return set_up.is_set()


def _check_key(settings: Settings) -> None:
    key = settings.private_key.get_secret_value() if settings.private_key else ""
    try:
        load_pem_private_key(key.encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise ProcessStoppedError(
            "ROOTCAUSE_PRIVATE_KEY is no private key in PEM form: give the whole file that GitHub let you download, "
            "with its line breaks"
        ) from error


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


async def _set_up_elsewhere(written: Path, configured: Callable[[], None], clock: Clock) -> None:
    """Wait until the set-up page, perhaps of another process with the same data folder, has written the settings."""
    while not await asyncio.to_thread(written.exists):
        await clock.sleep(_AGAIN_SECONDS)
    configured()


async def _database_gone(store: Database) -> None:
    if store.embedded is not None:
        await store.embedded.wait_dead()
        raise ProcessStoppedError("the embedded database has died; start again to recover it")


async def _kept_up(name: str, part: Callable[[], Awaitable[None]], clock: Clock) -> None:
    """Start a part again for as long as the database is away; any other error of its ends the process."""
    while True:
        try:
            return await part()
        except DATABASE_AWAY as error:
            log.warning("without the database; trying again", part=name, error=type(error).__name__)
            await clock.sleep(_AGAIN_SECONDS)


async def _keep_time(services: Services) -> None:
    scheduler = start_schedule(services)
    try:
        await asyncio.Event().wait()
    finally:
        scheduler.shutdown(wait=False)
