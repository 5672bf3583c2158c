"""Web and workers as processes at home in a local GitHub that keeps its limits, all by one clock, and what they use."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import psycopg
from psycopg import sql
from sqlalchemy import make_url

from bot.memory import proportional_set_size
from bot.sandbox.limits import Limits
from bot.sandbox.sandbox import Sandbox
from bot.store.database import conninfo, normalise_url
from bot.store.embedded import embedded_database
from bot.store.migrate import upgrade
from tests.benchmarks.fast_clock import SEARCH_PATH, FastClock
from tests.support.subprocesses import ROOT, surroundings

SECRET = "webhook-secret-of-this-benchmark"
_STOP_SECONDS = 15.0
_HEARTBEAT_SECONDS = 20.0
_FILLING_TABLES = 6
"""Of 7 MB each: more than the 32 MB that the embedded server keeps of pages."""


@dataclass
class Place:
    """The local GitHub, the database and the processes between them."""

    sandbox: Sandbox
    clock: FastClock
    conninfo: str
    port: int
    environment: dict[str, str]
    folder: Path
    postmaster: int
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, part: str) -> None:
        """Start `web` or a `worker`; its log is kept in the folder."""
        with (self.folder / f"{part}-{len(self.processes)}.log").open("ab") as log:
            command = [sys.executable, "-m", "tests.benchmarks.fast_clock", part]
            self.processes.append(subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=log, stderr=log))

    def stop(self) -> None:
        """Stop all processes; one that does not end in time is killed."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def memory(self) -> tuple[int, int]:
        """Return the PSS of the processes, and of the database, in bytes."""
        own = proportional_set_size([process.pid for process in self.processes])
        return own or 0, proportional_set_size([self.postmaster]) or 0

    def processor_seconds(self) -> tuple[float, float]:
        """Return the processor time that the processes took since their start, and that of the database."""
        own = (psutil.Process(process.pid).cpu_times() for process in self.processes)
        postmaster = psutil.Process(self.postmaster)
        backends = (one.cpu_times() for one in (postmaster, *postmaster.children()))
        ended = postmaster.cpu_times()
        return (
            sum(one.user + one.system for one in own),
            sum(one.user + one.system for one in backends) + ended.children_user + ended.children_system,
        )

    async def row(self, question: str) -> tuple[Any, ...]:
        """Return the one row that answers a question to the database."""
        async with await psycopg.AsyncConnection.connect(self.conninfo, autocommit=True) as connection:
            return await (await connection.execute(question.encode())).fetchone() or ()

    async def wait_for_web(self) -> None:
        """Wait until the web process listens; raises where it has ended."""
        while True:
            if self.processes[0].poll() is not None:
                raise RuntimeError((self.folder / "web-0.log").read_text()[-2000:])
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                await asyncio.sleep(0.1)
            else:
                writer.close()
                return


async def fill_page_cache(conninfo: str) -> None:
    """Let the server's cache of pages, whose size is fixed, be full from the start, as it is after days of work."""
    async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as connection:
        await connection.execute("CREATE SCHEMA filling")
        # A table of more than a quarter of the cache would be read through a small ring of pages.
        for number in range(_FILLING_TABLES):
            table = sql.Identifier("filling", f"pages_{number}")
            await connection.execute(
                sql.SQL("CREATE TABLE {} AS SELECT repeat('x', 1000) AS page FROM generate_series(1, 6000)").format(
                    table
                )
            )
            await connection.execute(sql.SQL("SELECT count(*) FROM {}").format(table))


@asynccontextmanager
async def open_place(folder: Path, clock: FastClock, limits: Limits, **settings: str) -> AsyncIterator[Place]:
    """Open the local GitHub and a database of that time; processes are the caller's to start, and ended here."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}/webhooks/github"
    sandbox = Sandbox(clock, secret=SECRET, webhook_url=url, limits=limits)
    async with AsyncExitStack() as stack:
        stack.callback(sandbox.close_storage)
        address = await stack.enter_async_context(sandbox.running())
        server = await stack.enter_async_context(embedded_database(folder / "postgres"))
        await asyncio.to_thread(upgrade, normalise_url(server.url))
        await clock.hasten(server.conninfo)
        await fill_page_cache(server.conninfo)
        database = make_url(server.url).update_query_dict({"options": SEARCH_PATH})
        environment = surroundings(
            folder,
            **clock.environment(),
            **{
                "DATABASE_URL": database.render_as_string(hide_password=False),
                "PORT": str(port),
                "ROOTCAUSE_HOST": "127.0.0.1",
                "ROOTCAUSE_APP_ID": str(sandbox.app.id),
                "ROOTCAUSE_PRIVATE_KEY": sandbox.private_key,
                "ROOTCAUSE_WEBHOOK_SECRET": SECRET,
                "ROOTCAUSE_GITHUB_API_URL": address,
                "ROOTCAUSE_OBSERVE_DAYS": "0",
                # A worker is alive or not in real time, whatever the clock says.
                "ROOTCAUSE_HEARTBEAT_SECONDS": str(_HEARTBEAT_SECONDS),
                "ROOTCAUSE_STALLED_AFTER_SECONDS": str(6 * _HEARTBEAT_SECONDS * clock.speed),
                **settings,
            },
        )
        pid = int((folder / "postgres" / "cluster" / "postmaster.pid").read_text().split("\n", 1)[0])
        place = Place(
            sandbox, clock, conninfo(normalise_url(environment["DATABASE_URL"])), port, environment, folder, pid
        )
        stack.callback(place.stop)
        yield place
