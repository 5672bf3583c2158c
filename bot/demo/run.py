"""`rootcause demo`: the local GitHub, the embedded database, web and worker, from nothing to a posted report."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import socket
import sys
import time
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bot.clock import SystemClock
from bot.demo.inputs import InputError, read_issues
from bot.demo.play import DemoFailedError, Play, Played
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
_MEGABYTE = 1024 * 1024
_MEMORY_EVERY_SECONDS = 2.0


def run_demo(issues_file: Path | None, *, stay: bool, as_json: bool) -> None:
    """Run the whole demo; raises `DemoFailedError` with a sentence where it does not reach a posted report."""
    try:
        asyncio.run(_run(issues_file, stay=stay, as_json=as_json))
    except (InputError, DatabaseUnavailable, RuntimeError, TimeoutError) as error:
        raise DemoFailedError(str(error) or "a process of the demo did not start in time") from error


async def _run(issues_file: Path | None, *, stay: bool, as_json: bool) -> None:
    started = time.monotonic()
    folder = Settings().data_dir / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    issues = read_issues(issues_file, datetime.now(UTC))
    async with AsyncExitStack() as stack:
        secret = secrets.token_urlsafe(32)
        port = _free_port(0)
        sandbox = Sandbox(
            SystemClock(),
            storage_path=folder / "github.sqlite",
            webhook_url=f"http://127.0.0.1:{port}/webhooks/github",
            secret=secret,
            limits=Limits(enforce=False),
        )
        stack.callback(sandbox.close_storage)
        address = await stack.enter_async_context(sandbox.running(_free_port(_USUAL_PORT)))
        store = await stack.enter_async_context(database(Settings(data_dir=folder, database_url=None)))
        await stack.enter_async_context(open_jobs(await stack.enter_async_context(open_pool(store.conninfo, 2))))
        environment = _environment(folder, sandbox, address, secret, port)
        children = [Child(command, environment, folder / f"{command}.log") for command in ("web", "worker")]
        supervisors = await stack.enter_async_context(kept(children))
        memory = stack.enter_context(_PeakMemory(store))
        await wait_until_ready(f"http://127.0.0.1:{port}")
        progress = stack.enter_context(_progress())
        played = await _first_to_end(Play(sandbox, store, _shower(progress)).run(issues), supervisors)
        progress.stop()
        path = await _read_back(sandbox, played, folder)
        summary = _summary(played, path, address, time.monotonic() - started, memory.peak)
        _tell(played, summary, address, as_json=as_json)
        if stay:
            await _serve_until_interrupted(sandbox, address)


async def _first_to_end(play: Any, supervisors: list[asyncio.Task[None]]) -> Played:
    """Wait for the play's end, or for a supervisor that gave up."""
    task: asyncio.Task[Played] = asyncio.create_task(play)
    done, _ = await asyncio.wait([task, *supervisors], return_when=asyncio.FIRST_COMPLETED)
    for ended in done - {task}:
        task.cancel()
        ended.result()
    return await task


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
        "PORT": str(port),
    }


def _free_port(wanted: int) -> int:
    """Return the wanted port where it is free, else any free one."""
    for port in (wanted, 0):
        with socket.socket() as probe, suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            chosen: int = probe.getsockname()[1]
            return chosen
    raise DemoFailedError("no port is free on this machine")


class _PeakMemory:
    """Samples the memory of the whole process tree, the embedded database included, every two seconds."""

    def __init__(self, store: Database) -> None:
        self._server = store.embedded
        self.peak = 0

    def __enter__(self) -> _PeakMemory:
        self._task = asyncio.get_running_loop().create_task(self._watch())
        return self

    def __exit__(self, *_: object) -> None:
        self._task.cancel()

    async def _watch(self) -> None:
        while True:
            roots = [os.getpid(), *([int(self._server.start.split()[0])] if self._server else [])]
            self.peak = max(self.peak, await asyncio.to_thread(_pss, roots))
            await asyncio.sleep(_MEMORY_EVERY_SECONDS)


def _pss(roots: list[int]) -> int:
    return proportional_set_size(roots) or 0


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )


def _shower(progress: Progress) -> Any:
    tasks: dict[str, Any] = {}

    def show(doing: str, done: int, total: int) -> None:
        if doing not in tasks:
            tasks[doing] = progress.add_task(doing, total=total or None)
        progress.update(tasks[doing], completed=done, total=total or None)

    return show


async def _read_back(sandbox: Sandbox, played: Played, folder: Path) -> Path:
    """Write the report's body, as the local GitHub gives it back, to a file."""
    issue = sandbox.issue(played.repository.full_name, played.report.number or 0)
    path = folder / f"report-{played.period}.md"
    path.write_text(issue.body or "", encoding="utf-8")
    return path


def _summary(played: Played, path: Path, address: str, seconds: float, peak: int) -> dict[str, Any]:
    numbers = played.figures
    return {
        "deliveries": played.deliveries,
        "recorded": numbers.recorded,
        "eligible": numbers.eligible,
        "proposed": numbers.proposed,
        "confirmed": numbers.confirmed,
        "corrected": numbers.corrected,
        "report_url": f"{address}/web/{played.repository.full_name}/issues/{played.report.number}",
        "report_path": str(path),
        "report_number": played.report.number,
        "seconds": round(seconds, 1),
        "peak_memory_mb": round(peak / _MEGABYTE),
    }


def _tell(played: Played, summary: dict[str, Any], address: str, *, as_json: bool) -> None:
    console = Console(stderr=as_json)
    inbox = f"{address}/web/{played.repository.full_name}/issues/{played.repository.inbox_number}"
    console.print(f"inbox   {inbox}\nreport  {summary['report_url']}\nfile    {summary['report_path']}", soft_wrap=True)
    if as_json:
        sys.stdout.write(json.dumps(summary) + "\n")
        sys.stdout.flush()
        return
    console.print(
        f"{summary['recorded']} issues recorded, {summary['eligible']} eligible, {summary['proposed']} proposed, "
        f"{summary['confirmed']} confirmed, {summary['corrected']} corrected; {summary['seconds']} s, "
        f"{summary['peak_memory_mb']} MB at most"
    )


async def _serve_until_interrupted(sandbox: Sandbox, address: str) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    Console(stderr=True).print(f"The local GitHub stays open at {address}/web until Ctrl-C.")
    courier = asyncio.create_task(sandbox.courier.run())
    await stop.wait()
    courier.cancel()
