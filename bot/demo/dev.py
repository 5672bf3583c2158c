"""`rootcause dev`: the App on a local GitHub with some sample issues, started again when its source changes."""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.demo.errors import DemoFailedError
from bot.demo.inputs import read_issues
from bot.demo.outcome import say
from bot.demo.place import held
from bot.demo.processes import HOME, end, start, wait_until_ready
from bot.demo.seeding import MAINTAINER, close, install
from bot.demo.stage import environment, free_port, local_github, served
from bot.demo.watching import Times, look, next_change
from bot.leaving import until_stopped
from bot.sandbox.sandbox import Sandbox
from bot.store.embedded import embedded_database
from bot.store.errors import DatabaseUnavailable
from bot.working import working

REPOSITORIES = ("facebook/react", "tensorflow/tensorflow")
"""Of the samples, one of each group: few enough to be recorded while one looks."""

_USUAL_PORT = 8475
_NOT_RELOADED = ("bot/sandbox/", "bot/demo/")


def run_dev(data_dir: Path) -> None:
    """Run until SIGTERM, or Ctrl-C (KeyboardInterrupt); raises `DemoFailedError` with a sentence where it cannot."""
    folder = data_dir.absolute() / "dev"
    try:
        with held(folder):
            asyncio.run(until_stopped(_run(folder)))
    except (DatabaseUnavailable, OSError, sqlite3.Error) as error:
        raise DemoFailedError(f"rootcause dev cannot run in {folder}: {error}") from error


async def _run(folder: Path) -> None:
    issues = [one for one in read_issues(None, datetime.now(UTC)) if one["repository"] in REPOSITORIES]
    async with AsyncExitStack() as stack:
        secret, port = secrets.token_urlsafe(32), free_port(_USUAL_PORT)
        sandbox = local_github(folder, port, secret)
        stack.callback(sandbox.close_storage)
        address = await stack.enter_async_context(served(sandbox))
        with working("starting the database and the local GitHub"):
            # Entered here too, so that it does not stop and start with each change.
            await stack.enter_async_context(embedded_database(folder / "postgres"))
            if not sandbox.deliveries:
                _seed(sandbox, issues)
        app = f"http://127.0.0.1:{port}"
        say(f"GitHub   {address}/web  (act there as {MAINTAINER}, who may decide)", as_json=True)
        say(f"the App  {app}/help, {app}/metrics", as_json=True)
        say(f"Both live in {folder} until it is deleted. Ctrl-C ends all.", as_json=True)
        await serve_forever(sandbox, environment(folder, sandbox, address, secret, port), app)


def _seed(sandbox: Sandbox, issues: Sequence[dict[str, Any]]) -> None:
    install(sandbox, issues)
    for name in REPOSITORIES:
        sandbox.put_file(name, ".github/rootcause.yml", "mode: active\n")
    close(sandbox, issues, lambda *_: None)


async def serve_forever(sandbox: Sandbox, settings: Mapping[str, str], app: str) -> None:
    """Serve the App and start it again whenever its source changes, also where it had ended by itself."""
    folders = [HOME / package for package in ("bot", "classifier", "reports")]
    while True:
        seen = await asyncio.to_thread(look, folders)
        process = await start("serve", settings)
        delivering = asyncio.create_task(_deliver(sandbox, app))
        ended = asyncio.create_task(process.wait())
        changing = asyncio.create_task(_change_of_the_app(folders, seen))
        try:
            await asyncio.wait([ended, changing], return_when=asyncio.FIRST_COMPLETED)
            if not changing.done():
                say(f"The App ended with exit code {process.returncode}; it starts again with a change.", as_json=True)
            changed = await changing
        finally:
            for task in (delivering, ended, changing):
                task.cancel()
            await asyncio.gather(delivering, ended, changing, return_exceptions=True)
            await end(process)
        say(f"{', '.join(changed)} changed; the App starts again.", as_json=True)


async def _change_of_the_app(folders: Sequence[Path], seen: Times) -> list[str]:
    """Wait for a change of what the App is made of and name its files; of others only say that they count later."""
    while True:
        changed = [path.relative_to(HOME).as_posix() for path in await next_change(folders, seen)]
        ours = [name for name in changed if not name.startswith(_NOT_RELOADED)]
        if ours:
            return ours
        say(f"{', '.join(changed)} changed; that counts once this command is started again.", as_json=True)
        seen = await asyncio.to_thread(look, folders)


async def _deliver(sandbox: Sandbox, app: str) -> None:
    """Wait for the App, and send what it has missed and whatever happens from then on."""
    await wait_until_ready(app, seconds=None)
    sandbox.redeliver_failed()
    await sandbox.courier.run()
