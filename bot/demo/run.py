"""`rootcause demo`: the local GitHub, the embedded database, web and worker, from nothing to a posted report."""

from __future__ import annotations

import asyncio
import errno
import os
import secrets
import signal
import socket
import sqlite3
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.clock import SystemClock
from bot.demo.errors import DemoFailedError
from bot.demo.inputs import read_issues
from bot.demo.outcome import outcome_of, progress_bars, say, tell
from bot.demo.place import CHILDREN, folder_for, held
from bot.demo.play import Play, Played
from bot.demo.processes import Child, kept, wait_until_ready
from bot.jobs import open_jobs
from bot.memory import proportional_set_size
from bot.sandbox.limits import Limits
from bot.sandbox.sandbox import Sandbox
from bot.services import open_pool
from bot.settings import Settings
from bot.store.database import Database, database
from bot.store.errors import DatabaseUnavailable

_USUAL_PORT = 8474
_MEMORY_EVERY_SECONDS = 2.0


def run_demo(issues_file: Path | None, data_dir: Path, *, stay: bool, as_json: bool) -> None:
    """Run the whole demo; raises `DemoFailedError` with a sentence where it does not reach a posted report."""
    started = time.monotonic()
    folder = folder_for(issues_file, data_dir)
    issues = read_issues(issues_file, datetime.now(UTC))
    try:
        with held(folder):
            asyncio.run(_run_until_stopped(folder, issues, started, stay=stay, as_json=as_json))
    except (DatabaseUnavailable, OSError, sqlite3.Error) as error:
        raise DemoFailedError(f"the demo in {folder} cannot run: {error}") from error


async def _run_until_stopped(
    folder: Path, issues: list[dict[str, Any]], started: float, *, stay: bool, as_json: bool
) -> None:
    """Run the demo to its end or to the first SIGINT or SIGTERM; either way nothing of it is left running.

    Such a signal is the usual end of serving, and a failure before.
    """
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    serving = asyncio.Event()
    demo = asyncio.create_task(_run(folder, issues, started, serving if stay else None, as_json=as_json))
    stopping = asyncio.create_task(stopped.wait())
    await asyncio.wait([demo, stopping], return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    demo.cancel()
    await asyncio.wait([demo])
    if not demo.cancelled():
        demo.result()
    elif not serving.is_set():
        raise DemoFailedError("the demo was stopped before its end; started again it goes on from there")


async def _run(
    folder: Path, issues: list[dict[str, Any]], started: float, serving: asyncio.Event | None, *, as_json: bool
) -> None:
    async with AsyncExitStack() as stack:
        secret = secrets.token_urlsafe(32)
        port = _free_port()
        sandbox = Sandbox(
            SystemClock(),
            storage_path=folder / "github.sqlite",
            webhook_url=f"http://127.0.0.1:{port}/webhooks/github",
            secret=secret,
            limits=Limits(enforce=False),
        )
        stack.callback(sandbox.close_storage)
        address = await stack.enter_async_context(_served(sandbox))
        store = await stack.enter_async_context(database(Settings(data_dir=folder, database_url=None)))
        await stack.enter_async_context(open_jobs(await stack.enter_async_context(open_pool(store.conninfo, 2))))
        environment = _environment(folder, sandbox, address, secret, port)
        children = [Child(command, environment, folder / f"{command}.log") for command in CHILDREN]
        supervisors = await stack.enter_async_context(kept(children))
        memory = stack.enter_context(_PeakMemory(store))
        await _first_to_end(wait_until_ready(f"http://127.0.0.1:{port}"), supervisors)
        with progress_bars() as show:
            played: Played = await _first_to_end(Play(sandbox, store, show).run(issues), supervisors)
        path = _read_back(sandbox, played, folder)
        outcome = outcome_of(played, path, address, time.monotonic() - started, memory.peak)
        tell(played, outcome, address, as_json=as_json)
        if serving is not None:
            serving.set()
            pages = f"http://127.0.0.1:{port}"
            say(f"The App's own pages are {pages}/welcome, {pages}/help and {pages}/reports.", as_json=as_json)
            say(f"The local GitHub stays open at {address}/web until Ctrl-C.", as_json=as_json)
            await _first_to_end(sandbox.courier.run(), supervisors)


async def _first_to_end(work: Coroutine[Any, Any, Any], supervisors: list[asyncio.Task[None]]) -> Any:
    """Wait for the work's end, or for a supervisor that gave up."""
    task = asyncio.create_task(work)
    try:
        done, _ = await asyncio.wait([task, *supervisors], return_when=asyncio.FIRST_COMPLETED)
        for ended in done - {task}:
            ended.result()
        return await task
    finally:
        task.cancel()


@asynccontextmanager
async def _served(sandbox: Sandbox) -> AsyncIterator[str]:
    """Serve the local GitHub on its usual port, or, where that is taken, on any free one."""
    async with AsyncExitStack() as stack:
        try:
            address = await stack.enter_async_context(sandbox.running(_USUAL_PORT))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            address = await stack.enter_async_context(sandbox.running())
        yield address


def _environment(folder: Path, sandbox: Sandbox, address: str, secret: str, port: int) -> dict[str, str]:
    key = folder / "app.pem"
    key.touch(mode=0o600)
    key.write_text(sandbox.private_key)
    return {
        "ROOTCAUSE_APP_ID": str(sandbox.app.id),
        "ROOTCAUSE_PRIVATE_KEY_FILE": str(key),
        "ROOTCAUSE_WEBHOOK_SECRET": secret,
        "ROOTCAUSE_GITHUB_API_URL": address,
        "ROOTCAUSE_DATA_DIR": str(folder),
        "ROOTCAUSE_HOST": "127.0.0.1",
        "ROOTCAUSE_SETTLE_SECONDS": "0.2",
        "ROOTCAUSE_WRITE_INTERVAL_SECONDS": "0",
        "ROOTCAUSE_WRITES_PER_MINUTE": "100000",
        "ROOTCAUSE_WRITES_PER_HOUR": "100000",
        "ROOTCAUSE_OBSERVE_DAYS": "0",
        "ROOTCAUSE_INBOX_DELAY_SECONDS": "3",
        "ROOTCAUSE_INBOX_QUIET_SECONDS": "10",
        "ROOTCAUSE_BACKFILL_DAYS": "0",
        "PORT": str(port),
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        chosen: int = probe.getsockname()[1]
        return chosen


class _PeakMemory:
    """Samples the memory of the whole process tree, the embedded database included, every two seconds."""

    def __init__(self, store: Database) -> None:
        self._server = store.embedded
        self.peak: int | None = None
        """In bytes; None where the kernel does not tell."""

    def __enter__(self) -> _PeakMemory:
        self._task = asyncio.get_running_loop().create_task(self._watch())
        return self

    def __exit__(self, *_: object) -> None:
        self._task.cancel()

    async def _watch(self) -> None:
        while True:
            roots = [os.getpid(), *([int(self._server.start.split()[0])] if self._server else [])]
            size = await asyncio.to_thread(proportional_set_size, roots)
            if size is not None:
                self.peak = max(self.peak or 0, size)
            await asyncio.sleep(_MEMORY_EVERY_SECONDS)


def _read_back(sandbox: Sandbox, played: Played, folder: Path) -> Path:
    """Write the report's body, as the local GitHub gives it back, to a file."""
    number = played.report.number or 0
    body = sandbox.issue(played.repository.full_name, number).body
    if not body:
        raise DemoFailedError(f"the report {played.repository.full_name}#{number} is empty")
    path = folder / f"report-{played.period}.md"
    path.write_text(body, encoding="utf-8")
    return path
