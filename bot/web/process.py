"""The web part of a process: the webhook and all pages, from the first connection to the last answer."""

from __future__ import annotations

import asyncio
import gc

import structlog
from aiohttp import web
from psycopg_pool import AsyncConnectionPool

from bot.clock import Clock
from bot.errors import ProcessStoppedError
from bot.github.app import GitHubApp
from bot.github.errors import GitHubError
from bot.github.links import web_address
from bot.ingest import Ingest
from bot.settings import Settings
from bot.store.counted import Counts
from bot.store.database import Database
from bot.web.app import create_app
from bot.web.entry import Entry
from bot.web.home import HomePages
from bot.web.reports.routes import ReportPages
from bot.web.server import create_runner
from bot.web.setup import SetupPages
from bot.web.status import StatusPages
from bot.web.webhook import Identity, Webhook

log = structlog.get_logger(__name__)

DEFAULT_SLUG = "rootcause"
"""What commands begin with until GitHub has said what the App is called."""


async def serve(
    settings: Settings,
    store: Database,
    pool: AsyncConnectionPool,
    identity: Identity,
    setup: SetupPages,
    counts: Counts,
    clock: Clock,
) -> None:
    """Answer requests; at the end those under way are answered before their deliveries' writer stops."""
    ingest = Ingest(pool, settings.settle_seconds)
    webhook = Webhook(ingest, settings.webhook_secret, identity)
    reports = ReportPages(store, clock, web_address(settings.github_api_url))
    home = HomePages(settings, identity, reports, clock)
    status = StatusPages(settings, store, clock, Entry(settings))
    more = (setup, home, status)
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


async def learn_identity(github: GitHubApp, identity: Identity, clock: Clock) -> None:
    """Find out the App's slug and its bot account's id; until then its own events are told apart by the worker."""
    wait = 1.0
    while identity.bot_id is None:
        try:
            identity.slug = await github.slug()
            identity.page = await github.page()
            identity.bot_id = await github.bot_user_id()
        except GitHubError as error:
            log.warning("GitHub did not say who the App is", error=str(error))
            await clock.sleep(wait)
            wait = min(wait * 2, 300)
