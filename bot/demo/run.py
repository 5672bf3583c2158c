"""`rootcause demo`: the local GitHub, the embedded database, web and worker, from nothing to a posted report."""

from __future__ import annotations

import asyncio
import os
import secrets
import sqlite3
import time
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.demo.errors import DemoFailedError
from bot.demo.inputs import read_issues
from bot.demo.outcome import outcome_of, progress_bars, say, tell
from bot.demo.place import CHILDREN, folder_for, held
from bot.demo.play import Play, Played
from bot.demo.processes import Child, kept, wait_until_ready
from bot.demo.stage import environment, free_port, local_github, served
from bot.leaving import until_stopped
from bot.memory import proportional_set_size
from bot.queue import open_jobs
from bot.sandbox.sandbox import Sandbox
from bot.services import open_pool
from bot.settings import Settings
from bot.store.database import Database, database
from bot.store.errors import DatabaseUnavailable
from bot.working import working

_MEMORY_EVERY_SECONDS = 2.0
_STOPPED = "the demo was stopped before its end; started again it goes on from there"


def run_demo(issues_file: Path | None, data_dir: Path, *, stay: bool, as_json: bool) -> None:
    """Run the whole demo to its end, or to SIGTERM or Ctrl-C; either way nothing of it is left running.

    Such a signal is the usual end of serving, and a failure before. Raises KeyboardInterrupt where it was Ctrl-C, and
    `DemoFailedError` with a sentence where the demo does not reach a posted report.
    """
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
    serving = asyncio.Event()
    try:
        ended = await until_stopped(_run(folder, issues, started, serving if stay else None, as_json=as_json))
    except KeyboardInterrupt:
        if not serving.is_set():
            say(_STOPPED, as_json=True)
        raise
    if not ended and not serving.is_set():
        raise DemoFailedError(_STOPPED)


async def _run(
    folder: Path, issues: list[dict[str, Any]], started: float, serving: asyncio.Event | None, *, as_json: bool
) -> None:
    async with AsyncExitStack() as stack:
        secret = secrets.token_urlsafe(32)
        port = free_port()
        sandbox = local_github(folder, port, secret)
        stack.callback(sandbox.close_storage)
        address = await stack.enter_async_context(served(sandbox))
        with working("starting the database, web and worker"):
            store = await stack.enter_async_context(database(Settings(data_dir=folder, database_url=None)))
            await stack.enter_async_context(open_jobs(await stack.enter_async_context(open_pool(store.conninfo, 2))))
            settings = environment(folder, sandbox, address, secret, port)
            children = [Child(command, settings, folder / f"{command}.log") for command in CHILDREN]
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
            say(
                f"The App's own pages are {pages}/, {pages}/welcome, {pages}/help and {pages}/reports.", as_json=as_json
            )
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
