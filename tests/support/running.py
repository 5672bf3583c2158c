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
from sqlalchemy import text
from sqlmodel import col, select

from bot.beside import beside
from bot.clock import Clock, SystemClock
from bot.ingest import Ingest
from bot.jobs import defer_inbox
from bot.queue import app as jobs_app
from bot.queue import open_jobs
from bot.sandbox.app_identity import new_private_key
from bot.sandbox.sandbox import Sandbox
from bot.sandbox.state import Issue
from bot.services import Services, open_github, open_pool
from bot.settings import Settings
from bot.store.database import Database
from bot.store.tables import Command, Decision, Delivery, Record, Repository
from bot.web.app import create_app
from bot.web.entry import Entry
from bot.web.home import HomePages
from bot.web.reports.routes import ReportPages
from bot.web.status import StatusPages
from bot.web.webhook import Identity, Webhook
from bot.worker import work
from classifier import load_classifier
from tests.support.closed_issues import REPOSITORY, leaking

SECRET = "webhook-secret-for-tests"
_KEY = new_private_key()


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

    async def hasten(self) -> None:
        """Let the settle delay of all that waits be over, then `settle`."""
        async with self.services.database.sessions.begin() as session:
            await session.execute(text("UPDATE delivery SET not_before = now() WHERE state = 'waiting'"))
            await session.execute(text("UPDATE procrastinate_jobs SET scheduled_at = now() WHERE status = 'todo'"))
        await self.settle()

    async def records(self) -> list[Record]:
        async with self.services.database.sessions() as session:
            return list((await session.execute(select(Record).order_by(col(Record.number)))).scalars())

    async def decisions(self) -> list[Decision]:
        async with self.services.database.sessions() as session:
            return list((await session.execute(select(Decision).order_by(col(Decision.id)))).scalars())

    async def deliveries(self) -> list[Delivery]:
        async with self.services.database.sessions() as session:
            return list((await session.execute(select(Delivery).order_by(col(Delivery.sequence)))).scalars())

    async def commands(self) -> list[Command]:
        async with self.services.database.sessions() as session:
            return list((await session.execute(select(Command).order_by(col(Command.id)))).scalars())

    async def repository(self, name: str = REPOSITORY) -> Repository:
        async with self.services.database.sessions() as session:
            return await session.get_one(Repository, self.sandbox.repository(name).id)

    async def inbox(self, name: str = REPOSITORY) -> Issue:
        """Return the inbox as the sandbox holds it."""
        number = (await self.repository(name)).inbox_number
        assert number is not None, "there is no inbox"
        return self.sandbox.issue(name, number)

    async def refresh(self, name: str = REPOSITORY) -> None:
        """Ask for the inbox once more, as any closing or decision does."""
        await defer_inbox(self.sandbox.repository(name).id, 0.0)
        await self.settle()

    def answers(self, number: int, name: str = REPOSITORY) -> list[str]:
        """Return what the App wrote into an issue's thread."""
        found = self.sandbox.comments(name, number)
        return [one.body for one in found if one.author_id == self.sandbox.app.bot_id]

    def writes(self, method: str, ending: str) -> int:
        """Count the App's writes so far, by how their address ends."""
        return sum(1 for one in self.sandbox.writes if one.method == method and one.path.endswith(ending))

    def prepare(self, *numbers: int, emit: bool = True) -> None:
        """Make the repository with people of all rights, install the App, and close leaking issues."""
        self.sandbox.add_owner("pytorch")
        self.sandbox.add_repository("pytorch", "pytorch")
        for role in ("read", "triage", "write", "maintain", "admin"):
            self.sandbox.grant(REPOSITORY, f"{role}-person", role)
        self.sandbox.add_user("stranger")
        self.sandbox.install("pytorch", [REPOSITORY])
        for number in numbers:
            self.sandbox.seed_issue(REPOSITORY, leaking(number), emit=emit)

    def reactions(self, comment_id: int) -> list[str]:
        """Return what the App's reactions to a comment are."""
        found = self.sandbox.world.reactions.values()
        return [one.content for one in found if one.subject == "comment" and one.subject_id == comment_id]


@asynccontextmanager
async def working(services: Services) -> AsyncIterator[None]:
    """Run a worker as the worker process does, until the context ends."""
    async with beside(work(services)):
        yield


@asynccontextmanager
async def running_bot(
    database: Database, clock: Clock | None = None, sandbox: Sandbox | None = None, **overrides: Any
) -> AsyncIterator[Running]:
    """Start the bot on an empty database and a fresh sandbox; settings can be overridden by name.

    Another bot may be started later on the sandbox of one that ended.
    """
    clock = clock or SystemClock()
    sandbox = sandbox or Sandbox(clock, secret=SECRET, private_key=_KEY)
    chosen: dict[str, Any] = {
        "settle_seconds": 0.0,
        "write_interval_seconds": 0.0,
        "observe_days": 0.0,
        "inbox_delay_seconds": 0.0,
        "inbox_quiet_seconds": 0.0,
        "backfill_days": 0.0,
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
        github = await stack.enter_async_context(open_github(settings, clock, database))
        ingest = Ingest(pool, settings.settle_seconds)
        writing = asyncio.create_task(ingest.run())
        stack.callback(writing.cancel)
        identity = Identity(await github.slug(), await github.bot_user_id(), await github.page())
        webhook = Webhook(ingest, settings.webhook_secret, identity)
        reports = ReportPages(database, clock)
        more = (
            HomePages(settings, identity, reports, clock),
            StatusPages(settings, database, clock, Entry(settings)),
        )
        web = TestServer(create_app(settings, webhook, pool, reports, more=more))
        await web.start_server()
        stack.push_async_callback(web.close)
        sandbox.courier.url = str(web.make_url("/webhooks/github"))
        session = await stack.enter_async_context(aiohttp.ClientSession())
        services = Services(settings, database, pool, github, load_classifier(), clock)
        yield Running(sandbox, services, web, session)
