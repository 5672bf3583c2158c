"""Where the faults happen: a local GitHub, one database that can be killed, and processes that share the two."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import psycopg

from bot.clock import SystemClock
from bot.demo.stage import UNPACED
from bot.sandbox.limits import Limits
from bot.sandbox.records import Delivery
from bot.sandbox.sandbox import Sandbox
from bot.store.database import normalise_url
from bot.store.embedded import EmbeddedServer, embedded_database
from bot.store.embedded_server import find_postmaster
from bot.store.migrate import upgrade
from tests.faults.fleet import SECONDS, Fleet
from tests.faults.wire import Wire, wired
from tests.support.ports import free_port
from tests.support.subprocesses import surroundings

SECRET = "webhook-secret-for-tests"
WIRED = ("worker-2", "worker-4")
_NOBODY = "http://127.0.0.1:9/webhooks/github"
HEARTBEAT_SECONDS, STALLED_AFTER_SECONDS = 1.0, 8.0
KEPT = "stored"
"""What a web process answers to a delivery that it stored."""

AWAY = (psycopg.OperationalError, psycopg.InterfaceError)


@dataclass
class Place:
    """Everything there is; the workers in `WIRED` reach the database by `wire` alone."""

    sandbox: Sandbox
    fleet: Fleet
    wire: Wire
    server: EmbeddedServer
    settings: dict[str, str]
    stack: AsyncExitStack
    terminated: int = 0
    redelivered: int = 0
    _ports: dict[str, int] = field(default_factory=dict)

    def start(self, name: str) -> None:
        """Start a process, `web` or `worker-1` say, and keep it up."""
        self._ports[name] = free_port()
        address = self.server.url
        if name in WIRED:
            address = f"postgresql://rootcause@127.0.0.1:{self.wire.port}/postgres"
        more = {"DATABASE_URL": address, "PORT": str(self._ports[name])}
        self.fleet.start(name, surroundings(self.fleet.folder / "data", **{**self.settings, **more}))

    async def ready(self, name: str) -> None:
        """Wait until a web process takes deliveries, and let GitHub send them there."""
        address = f"http://127.0.0.1:{self._ports[name]}"
        async with aiohttp.ClientSession() as session:

            async def is_ready() -> bool:
                try:
                    async with session.get(f"{address}/readyz") as answer:
                        return answer.status == 200
                except aiohttp.ClientError:
                    return False

            await until(is_ready, "the web process is ready")
        self.sandbox.courier.url = f"{address}/webhooks/github"

    async def kill_database(self) -> None:
        """Kill the server's first process, on which all others end, and bring the server up on the same data."""
        postmaster = find_postmaster(self.server.folder)
        assert postmaster is not None
        postmaster.kill()
        self.fleet.kills["database"] += 1
        await until(self._has_ended, "the rest of the server ends")
        self.server = await self.stack.enter_async_context(embedded_database(self.server.folder.path))

    async def _has_ended(self) -> bool:
        return not self.server.folder.server_lives()

    async def cut_connections(self) -> None:
        """Let the server break off every connection but this one."""
        others = "pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()"
        ((cut,),) = await self.query(f"SELECT count(pg_terminate_backend(pid)) FROM {others}")  # noqa: S608
        self.terminated += cut

    def expire_tokens(self) -> None:
        """Let every token that GitHub handed out end now, before its time."""
        for token in self.sandbox.world.tokens.values():
            if token.installation_id is not None:
                token.expires_at = self.sandbox.world.now()

    async def query(self, statement: str) -> list[tuple[Any, ...]]:
        """Ask the database, again where it is away just now."""
        options = "-csearch_path=public,procrastinate"
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    self.server.conninfo, options=options, autocommit=True
                ) as connection:
                    return await (await connection.execute(statement.encode())).fetchall()
            except AWAY:
                await asyncio.sleep(0.1)

    async def count(self, table: str, condition: str = "true") -> int:
        """Count rows of a table."""
        ((found,),) = await self.query(f"SELECT count(*) FROM {table} WHERE {condition}")  # noqa: S608
        return int(found)

    @asynccontextmanager
    async def delivering(self) -> AsyncIterator[None]:
        """Let GitHub deliver whatever happens, again what was not accepted, as long as the context lasts."""
        task = asyncio.create_task(self._deliver())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _deliver(self) -> None:
        while True:
            if not await self.sandbox.deliver_pending(concurrency=6):
                await asyncio.sleep(0.05)
            again = self.sandbox.redeliver_failed()
            self.redelivered += len(again)
            if again:
                await asyncio.sleep(1.0)

    async def come_to_rest(self) -> None:
        """Wait until neither GitHub nor the processes have anything left to do; `delivering` must be under way."""
        deadline, before = 0.0, (-1, -1)
        while (left := (await self.left_to_do(), len(self.sandbox.writes)))[0]:
            if left != before:
                deadline, before = time.monotonic() + SECONDS, left
            assert time.monotonic() < deadline, (
                f"{left[0]} deliveries and jobs are left, and nothing is done about them"
            )
            await asyncio.sleep(0.1)

    async def do_most(self, left: int) -> None:
        """Wait until no more than so much is left to do."""

        async def is_done() -> bool:
            return await self.left_to_do() <= left

        await until(is_done, f"{left} deliveries and jobs are left at most")

    async def left_to_do(self) -> int:
        """Count the deliveries that are not accepted, or not handled, and the jobs that are asked for."""
        last = {one.guid: one for one in self.sandbox.deliveries}
        sending = sum(not 200 <= one.status_code < 300 for one in last.values())
        waiting = await self.count("delivery", "state = 'waiting'")
        # What is looked for again much later, in the background, is none of it.
        live = "status IN ('todo', 'doing') AND queue_name IN ('live', 'reports')"
        return sending + waiting + await self.count("procrastinate_jobs", live)

    def accepted(self) -> list[Delivery]:
        """List the deliveries that a web process accepted and kept, each once."""
        kept = {
            one.guid: one for one in self.sandbox.deliveries if one.status_code == 202 and one.response_body == KEPT
        }
        return list(kept.values())


async def until(holds: Callable[[], Awaitable[bool]], what: str, seconds: float = SECONDS) -> None:
    """Wait until an asynchronous question is answered with yes."""
    deadline = time.monotonic() + seconds
    while not await holds():
        assert time.monotonic() < deadline, f"it never came to that: {what}"
        await asyncio.sleep(0.1)


@asynccontextmanager
async def injured_place(folder: Path) -> AsyncIterator[Place]:
    """Make the place, its database at the newest migration, with no process yet; nothing of it is left at the end."""
    sandbox = Sandbox(SystemClock(), secret=SECRET, webhook_url=_NOBODY, limits=Limits(enforce=False))
    sandbox.faults.retry_after, sandbox.faults.slow_seconds = 1, 1.0
    async with AsyncExitStack() as stack:
        stack.callback(sandbox.close_storage)
        address = await stack.enter_async_context(sandbox.running())
        server = await stack.enter_async_context(embedded_database(folder / "data" / "postgres"))
        await asyncio.to_thread(upgrade, normalise_url(server.url))
        wire = await stack.enter_async_context(wired(server.socket_folder / ".s.PGSQL.5432"))
        fleet = Fleet(folder)
        await stack.enter_async_context(fleet.kept_up())
        settings = {
            "ROOTCAUSE_APP_ID": str(sandbox.app.id),
            "ROOTCAUSE_PRIVATE_KEY": sandbox.private_key,
            "ROOTCAUSE_WEBHOOK_SECRET": SECRET,
            "ROOTCAUSE_GITHUB_API_URL": address,
            "ROOTCAUSE_HOST": "127.0.0.1",
            **UNPACED,
            "ROOTCAUSE_INBOX_DELAY_SECONDS": "0.5",
            "ROOTCAUSE_INBOX_QUIET_SECONDS": "0.5",
            "ROOTCAUSE_HEARTBEAT_SECONDS": str(HEARTBEAT_SECONDS),
            "ROOTCAUSE_STALLED_AFTER_SECONDS": str(STALLED_AFTER_SECONDS),
        }
        yield Place(sandbox, fleet, wire, server, settings, stack)
