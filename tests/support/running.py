"""The whole bot in one process, on the sandbox: real HTTP, real database, jobs run when a test says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
from aiohttp.test_utils import TestServer
from pydantic import SecretStr
from sqlmodel import select

from bot.clock import SystemClock
from bot.jobs import app as jobs_app
from bot.jobs import open_jobs
from bot.sandbox.sandbox import Sandbox
from bot.services import Services, open_github, open_pool
from bot.settings import Settings
from bot.store.database import Database
from bot.store.tables import Decision, Delivery, Record
from bot.web.app import create_app
from bot.web.ingest import Ingest
from bot.web.webhook import Identity, Webhook
from classifier import load_classifier

SECRET = "webhook-secret-for-tests"


@dataclass
class Running:
    """A running bot: drive the sandbox, then `settle`; look at the database and at what the sandbox holds."""

    sandbox: Sandbox
    services: Services
    web: TestServer
    session: aiohttp.ClientSession

    @property
    def webhook_url(self) -> str:
        return str(self.web.make_url("/webhooks/github"))

    async def work(self) -> None:
        """Run every job that is due, until none is left."""
        await jobs_app.run_worker_async(
            wait=False, concurrency=1, additional_context={"services": self.services}, install_signal_handlers=False,
            listen_notify=False, delete_jobs="successful",
        )  # fmt: skip

    async def settle(self) -> None:
        """Deliver what the sandbox has to say and run the jobs, until both are quiet."""
        for _ in range(20):
            sent = await self.sandbox.deliver_pending()
            assert all(one.status_code == 202 for one in sent), [one.status_code for one in sent]
            await self.work()
            if not sent:
                return
        raise AssertionError("the bot and the sandbox never come to rest")

    async def records(self) -> list[Record]:
        async with self.services.database.sessions() as session:
            return list((await session.execute(select(Record).order_by(Record.number))).scalars())

    async def decisions(self) -> list[Decision]:
        async with self.services.database.sessions() as session:
            return list((await session.execute(select(Decision).order_by(Decision.id))).scalars())

    async def deliveries(self) -> list[Delivery]:
        async with self.services.database.sessions() as session:
            return list((await session.execute(select(Delivery).order_by(Delivery.sequence))).scalars())

    def reactions(self, comment_id: int) -> list[str]:
        """Return what the App's reactions to a comment are."""
        found = self.sandbox.world.reactions.values()
        return [one.content for one in found if one.subject == "comment" and one.subject_id == comment_id]


@asynccontextmanager
async def running_bot(database: Database, **overrides: Any) -> AsyncIterator[Running]:
    """Start the bot on an empty database and a fresh sandbox; settings can be overridden by name."""
    clock = SystemClock()
    sandbox = Sandbox(clock, secret=SECRET)
    chosen: dict[str, Any] = {
        "settle_seconds": 0.0,
        "write_interval_seconds": 0.0,
        "observe_days": 0.0,
        "inbox_delay_seconds": 0.0,
        **overrides,
    }
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(sandbox.running())
        settings = Settings(
            app_id=sandbox.app.id,
            private_key=SecretStr(sandbox.private_key),
            webhook_secret=(SecretStr(SECRET),),
            github_api_url=address,
            **chosen,
        )
        pool = await stack.enter_async_context(open_pool(database.conninfo, 5))
        await stack.enter_async_context(open_jobs(pool))
        github = await stack.enter_async_context(open_github(settings, clock))
        ingest = Ingest(pool, settings.settle_seconds)
        writing = asyncio.create_task(ingest.run())
        stack.callback(writing.cancel)
        identity = Identity(slug=await github.slug(), bot_id=await github.bot_user_id())
        web = TestServer(create_app(settings, Webhook(ingest, settings.webhook_secret, identity), pool))
        await web.start_server()
        stack.push_async_callback(web.close)
        sandbox.courier.url = str(web.make_url("/webhooks/github"))
        session = await stack.enter_async_context(aiohttp.ClientSession())
        services = Services(settings, database, pool, github, load_classifier(), clock)
        yield Running(sandbox, services, web, session)
