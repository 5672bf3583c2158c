"""The processes of Rootcause: `web`, `worker`, or both with the clock in one (`serve`), from start to clean stop."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from typing import Any

import structlog
from aiohttp import web
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from psycopg_pool import AsyncConnectionPool

from bot.clock import Clock, SystemClock
from bot.doctor.examination import examine
from bot.features.backfill import resume
from bot.features.late_links import ask_for_links
from bot.features.links import web_address
from bot.features.report_settings import defer_due
from bot.github.client import GitHubApp
from bot.github.errors import GitHubError
from bot.ingest import Ingest
from bot.jobs import DATABASE_AWAY, defer_missed, open_jobs
from bot.learning.running import RunningModel
from bot.leaving import stopping_in_time
from bot.pull.polling import pull
from bot.schedule import start_schedule
from bot.services import Services, open_github, open_pool
from bot.settings import Settings
from bot.setup.desk import Desk
from bot.store.counted import Counts
from bot.store.database import Database, database
from bot.store.migrate import pending_migrations
from bot.sweep import sweep_forever
from bot.watchdog import watched
from bot.web.app import Pages, create_app
from bot.web.entry import Entry
from bot.web.home import HomePages
from bot.web.reports.routes import ReportPages
from bot.web.server import create_runner
from bot.web.setup import PATH, SetupPages
from bot.web.status import StatusPages
from bot.web.webhook import Identity, Webhook
from bot.worker import work

log = structlog.get_logger(__name__)

DEFAULT_SLUG = "rootcause"
_AGAIN_SECONDS = 2.0
_LAST_ANSWER_SECONDS = 0.2
"""For the page that says so to be on its way before everything starts again with the settings just written."""

_MISSED_AFTER_SECONDS = 10.0
"""After its start a process asks for what was missed meanwhile: by then a web process beside it answers."""


class ProcessStoppedError(Exception):
    """A part that the process cannot live without has gone; the process must end with an error."""


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
        for name in settings.files_open_to_others():
            log.warning("a file with a secret is open to every user of this machine", setting=name)
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
        if store.embedded is not None:
            parts.append(_database_gone(store))
        if github is not None:
            parts.append(_kept_up("missed deliveries", partial(defer_missed, _MISSED_AFTER_SECONDS), clock))
        if with_web:
            identity = Identity(slug=DEFAULT_SLUG)
            reports = ReportPages(store, clock, web_address(settings.github_api_url))
            setup = SetupPages(settings, clock, desk, configured, partial(examine, settings, clock))
            home = HomePages(settings, identity, reports, clock)
            status = StatusPages(settings, store, clock, Entry(settings))
            parts.append(_serve(settings, pool, identity, reports, (setup, home, status), counts))
            if github is not None:
                parts.append(_learn_identity(github, identity, clock))
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
            identity.page = await github.page()
            identity.bot_id = await github.bot_user_id()
        except DATABASE_AWAY as error:  # in which GitHub's limits are kept
            log.warning("without the database; who the App is is asked later", error=type(error).__name__)
            await clock.sleep(_AGAIN_SECONDS)
        except GitHubError as error:
            log.warning("GitHub did not say who the App is", error=str(error))
            await clock.sleep(wait)
            wait = min(wait * 2, 300)


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


async def _serve(
    settings: Settings,
    pool: AsyncConnectionPool,
    identity: Identity,
    reports: ReportPages,
    more: Sequence[Pages],
    counts: Counts,
) -> None:
    """Answer requests; at the end those under way are answered before their deliveries' writer stops."""
    ingest = Ingest(pool, settings.settle_seconds)
    webhook = Webhook(ingest, settings.webhook_secret, identity)
    runner = create_runner(create_app(settings, webhook, pool, reports, counts=counts, more=more))
    await runner.setup()
    # All that lives as long as the process is looked at by no later collection: one that goes through the 200,000
    # objects of the modules takes 0.14 s of processor time, in which no delivery is answered.
    gc.collect()
    gc.freeze()
    storing = asyncio.create_task(ingest.run())
    try:
        await _listen(runner, settings)
        await asyncio.wait([storing])
        storing.result()
    finally:
        gc.unfreeze()
        await runner.cleanup()
        storing.cancel()


async def _listen(runner: web.AppRunner, settings: Settings) -> None:
    try:
        await web.TCPSite(runner, settings.host, settings.port).start()
    except OSError as error:
        raise ProcessStoppedError(f"cannot listen on {settings.host}:{settings.port}: {error.strerror}") from error
    log.info("listening", port=settings.port)
