"""The demo's own web and worker, as separate processes that are started again when they die."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO

import aiohttp
import structlog

from bot.demo.errors import DemoFailedError

log = structlog.get_logger(__name__)

HOME = Path(__file__).parents[2]
"""Where the package lies; from there it is found whatever lies in the folder the demo was started in."""

_MOST_RESTARTS = 20
_STOP_SECONDS = 15.0
_READY_SECONDS = 60.0


class Child:
    """One process of Rootcause; `keep` runs it until it is cancelled, whatever kills it in between."""

    def __init__(self, command: str, settings: Mapping[str, str], log_file: Path) -> None:
        self.command = command
        self._settings = settings
        self._log_file = log_file

    async def keep(self) -> None:
        """Start the process, and start it again when it dies; raises `DemoFailedError` when that happens too often."""
        for _ in range(_MOST_RESTARTS):
            with self._log_file.open("ab") as output:
                process = await start(self.command, self._settings, output)
            try:
                code = await process.wait()
            except asyncio.CancelledError:
                await end(process)
                raise
            log.warning("process died and is started again", process=self.command, code=code)
            await asyncio.sleep(0.2)
        raise DemoFailedError(f"the {self.command} process died {_MOST_RESTARTS} times; its log is {self._log_file}")


async def start(
    command: str, settings: Mapping[str, str], output: BinaryIO | None = None
) -> asyncio.subprocess.Process:
    """Start a process of Rootcause with these settings and no others; without `output` it writes as this one does."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        command,
        env={**_inherited(), **settings},
        cwd=HOME,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=output,
        stderr=output,
    )


async def end(process: asyncio.subprocess.Process) -> None:
    """End a process, by force where it does not end when it is asked to."""
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(_STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _inherited() -> dict[str, str]:
    """Return this process's environment without what would lead a child to another database or App."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("ROOTCAUSE_") and name not in {"DATABASE_URL", "DATABASE_URL_FILE", "PORT"}
    }


@asynccontextmanager
async def kept(children: list[Child]) -> AsyncIterator[list[asyncio.Task[None]]]:
    """Keep the children running for as long as the context lasts, then end them."""
    tasks = [asyncio.create_task(child.keep(), name=child.command) for child in children]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def wait_until_ready(url: str, *, seconds: float | None = _READY_SECONDS) -> None:
    """Wait until the web process answers on `/readyz`; raises `DemoFailedError` after so many seconds, if any."""
    try:
        async with asyncio.timeout(seconds), aiohttp.ClientSession() as session:
            while not await _answers(session, f"{url}/readyz"):  # noqa: ASYNC110 - another process has no event for us
                await asyncio.sleep(0.1)
    except TimeoutError:
        raise DemoFailedError(f"the web process was not ready within {seconds:.0f} s") from None


async def _answers(session: aiohttp.ClientSession, url: str) -> bool:
    try:
        async with session.get(url) as answer:
            return answer.status == 200
    except aiohttp.ClientError:
        return False
