"""Web and worker as real processes that can be killed, on one embedded database, and what must hold afterwards."""

from __future__ import annotations

import asyncio
import re
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import psycopg

from bot.clock import SystemClock
from bot.sandbox.limits import Limits
from bot.sandbox.sandbox import Sandbox
from bot.store.embedded import EmbeddedServer, embedded_database
from bot.store.tables import Delivery
from tests.support.subprocesses import ROOT, surroundings

SECRET = "webhook-secret-for-tests"
SECONDS = 120.0
"""For anything to happen on a machine that does much else."""

_MARKER = re.compile(r"<!-- rootcause:[^>]*-->")
_INBOX = "<!-- rootcause:inbox "
_QUESTION = re.compile(r"^- (?:\[[ xX]\] <!-- [^>]* --> )?\[#(\d+)\]", re.MULTILINE)


@dataclass
class Bot:
    """The processes, the local GitHub they talk to, and the database they share."""

    sandbox: Sandbox
    server: EmbeddedServer
    web_port: int
    environment: dict[str, str]
    log_folder: Path
    _processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, command: str) -> None:
        """Start `web` or `worker`; its log is appended to."""
        with (self.log_folder / f"{command}.log").open("ab") as log:
            self._processes[command] = subprocess.Popen(
                [sys.executable, "-m", "bot", command], cwd=ROOT, env=self.environment, stdout=log, stderr=log
            )

    def kill(self, command: str) -> None:
        """Kill a process as the kernel would, without a chance to tidy up."""
        self._processes[command].kill()
        self._processes[command].wait()

    def stop(self) -> list[int]:
        """Stop all processes in order; return their exit codes."""
        for process in self._processes.values():
            process.terminate()
        return [process.wait(SECONDS) for process in self._processes.values()]

    def log(self, command: str) -> str:
        return (self.log_folder / f"{command}.log").read_text()

    async def wait_for_web(self) -> None:
        """Wait until the web process takes deliveries."""
        async with aiohttp.ClientSession() as session:
            await until(lambda: self._is_ready(session))

    async def _is_ready(self, session: aiohttp.ClientSession) -> bool:
        assert self._processes["web"].poll() is None, self.log("web")
        try:
            async with session.get(f"http://127.0.0.1:{self.web_port}/readyz") as answer:
                return answer.status == 200
        except aiohttp.ClientError:
            return False

    async def query(self, statement: str) -> list[tuple[Any, ...]]:
        """Ask the database."""
        async with await psycopg.AsyncConnection.connect(self.server.conninfo) as connection:
            options = "SET search_path TO public, procrastinate"
            await connection.execute(options)
            return await (await connection.execute(statement.encode())).fetchall()

    async def count(self, table: str, condition: str = "true") -> int:
        """Count rows of a table."""
        ((found,),) = await self.query(f"SELECT count(*) FROM {table} WHERE {condition}")  # noqa: S608
        return int(found)

    async def deliver_all(self) -> None:
        """Deliver, again where it was refused, until the web process took everything."""
        await self.sandbox.deliver_pending()
        while self.sandbox.redeliver_failed():
            await asyncio.sleep(0.3)
            await self.sandbox.deliver_pending()

    async def come_to_rest(self) -> None:
        """Deliver and wait until neither the local GitHub nor the bot has anything left to do."""
        await until(self._is_at_rest)

    async def _is_at_rest(self) -> bool:
        await self.deliver_all()
        # People are read much later, in the background.
        jobs = await self.count("procrastinate_jobs", "status IN ('todo', 'doing') AND queue_name <> 'people'")
        waiting = await self.count(Delivery.__tablename__, "state = 'waiting'")
        return not jobs and not waiting and not self.sandbox.courier.pending()


@asynccontextmanager
async def running_processes(folder: Path, **settings: str) -> AsyncIterator[Bot]:
    """Start web and worker on a fresh local GitHub and database; nothing of them is left at the end."""
    port = _free_port()
    url = f"http://127.0.0.1:{port}/webhooks/github"
    sandbox = Sandbox(SystemClock(), secret=SECRET, webhook_url=url, limits=Limits(enforce=False))
    async with AsyncExitStack() as stack:
        stack.callback(sandbox.close_storage)
        address = await stack.enter_async_context(sandbox.running())
        server = await stack.enter_async_context(embedded_database(folder / "data" / "postgres"))
        chosen = {
            "ROOTCAUSE_APP_ID": str(sandbox.app.id),
            "ROOTCAUSE_PRIVATE_KEY": sandbox.private_key,
            "ROOTCAUSE_WEBHOOK_SECRET": SECRET,
            "ROOTCAUSE_GITHUB_API_URL": address,
            "ROOTCAUSE_HOST": "127.0.0.1",
            "ROOTCAUSE_SETTLE_SECONDS": "0.2",
            "ROOTCAUSE_WRITE_INTERVAL_SECONDS": "0",
            "ROOTCAUSE_WRITES_PER_MINUTE": "100000",
            "ROOTCAUSE_WRITES_PER_HOUR": "100000",
            "ROOTCAUSE_OBSERVE_DAYS": "0",
            "ROOTCAUSE_INBOX_DELAY_SECONDS": "0.5",
            "ROOTCAUSE_INBOX_QUIET_SECONDS": "0.5",
            "ROOTCAUSE_BACKFILL_DAYS": "0",
            "ROOTCAUSE_HEARTBEAT_SECONDS": "1",
            "ROOTCAUSE_STALLED_AFTER_SECONDS": "3",
            "PORT": str(port),
        }
        bot = Bot(sandbox, server, port, surroundings(folder / "data", **{**chosen, **settings}), folder)
        bot.start("web")
        bot.start("worker")
        stack.callback(bot.stop)
        await bot.wait_for_web()
        yield bot


async def until(holds: Callable[[], Any]) -> None:
    """Wait until an asynchronous question is answered with yes."""
    deadline = time.monotonic() + SECONDS
    while not await holds():
        assert time.monotonic() < deadline, "it never came to that"
        await asyncio.sleep(0.05)


def inboxes(sandbox: Sandbox) -> Counter[str]:
    """Count the inbox issues of each repository."""
    return Counter(
        sandbox.world.full_name(sandbox.world.repositories[issue.repository_id])
        for issue in sandbox.world.issues.values()
        if (issue.body or "").startswith(_INBOX)
    )


def doubled_questions(sandbox: Sandbox) -> list[str]:
    """Name every issue that an inbox asks about twice."""
    found = []
    for issue in sandbox.world.issues.values():
        if (issue.body or "").startswith(_INBOX):
            numbers = Counter(_QUESTION.findall(issue.body or ""))
            found += [f"{issue.repository_id}#{number}" for number, times in numbers.items() if times > 1]
    return found


def doubled_creations(sandbox: Sandbox) -> list[str]:
    """Name every issue or comment that the App created twice, by where and under which hidden marker."""
    made = Counter(
        f"{write.path} {marker[0]}"
        for write in sandbox.writes
        if write.method == "POST" and (marker := _MARKER.search(str(write.body.get("body", ""))))
    )
    return [where for where, times in made.items() if times > 1]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
