"""The Procfile as a platform runs it: release first, then web and worker side by side on a database of its own."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import aiohttp
import psycopg

from bot.clock import SystemClock
from bot.sandbox.sandbox import Sandbox
from bot.store.database import conninfo, normalise_url
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.ports import free_port
from tests.support.subprocesses import ROOT, surroundings

SECRET = "webhook-secret-for-tests"
SECONDS = 60.0
"""For anything to happen on a machine that does much else."""


async def test_release_web_and_worker_run_as_the_procfile_says(empty_database_url: str, tmp_path: Path) -> None:
    port = free_port()
    sandbox = Sandbox(SystemClock(), webhook_url=f"http://127.0.0.1:{port}/webhooks/github", secret=SECRET)
    sandbox.add_owner("pytorch")
    sandbox.add_repository("pytorch", "pytorch")
    sandbox.put_file(REPOSITORY, ".github/rootcause.yml", "mode: active\n")
    key_file = tmp_path / "key.pem"
    key_file.write_text(sandbox.private_key, encoding="ascii")
    async with sandbox.running() as github:
        environment = surroundings(
            tmp_path,
            PATH=f"{Path(sys.executable).parent}:/usr/bin:/bin",
            DATABASE_URL=empty_database_url,
            ROOTCAUSE_GITHUB_API_URL=github,
            ROOTCAUSE_APP_ID=str(sandbox.app.id),
            ROOTCAUSE_PRIVATE_KEY_FILE=str(key_file),
            ROOTCAUSE_WEBHOOK_SECRET=SECRET,
            ROOTCAUSE_HOST="127.0.0.1",
            ROOTCAUSE_SETTLE_SECONDS="0.1",
            ROOTCAUSE_WRITE_INTERVAL_SECONDS="0.01",
        )
        honcho = [sys.executable, "-m", "honcho", "--app-root", str(ROOT), "start"]
        release = await asyncio.to_thread(
            subprocess.run, [*honcho, "release"], env=environment, capture_output=True, text=True, check=False
        )
        assert release.returncode == 0, release.stdout
        assert "the database is up to date" in release.stdout

        log = tmp_path / "log"
        with log.open("wb") as output:
            running = await asyncio.create_subprocess_exec(
                *honcho, "-p", str(port), "web", "worker", env=environment, stdout=output, stderr=output
            )
        try:
            await ready(port)
            sandbox.install("pytorch", [REPOSITORY])
            sandbox.seed_issue(REPOSITORY, leaking(), emit=True)
            assert {one.status_code for one in await sandbox.deliver_pending()} == {202}
            await recorded(empty_database_url, log)
            running.terminate()
            await asyncio.wait_for(running.wait(), 10)
        finally:
            if running.returncode is None:
                running.kill()
    said = log.read_text(encoding="utf-8")
    assert "SIGKILL" not in said
    assert said.count('"stopping"') == 2, said


async def ready(port: int) -> None:
    """Wait until the web process says that it is ready."""
    deadline = time.monotonic() + SECONDS
    async with aiohttp.ClientSession() as session:
        while time.monotonic() < deadline:
            try:
                async with session.get(f"http://127.0.0.1:{port}/readyz") as answer:
                    if answer.status == 200:
                        return
            except aiohttp.ClientConnectionError:
                pass
            await asyncio.sleep(0.1)
    raise AssertionError("the web process never became ready")


async def recorded(database_url: str, log: Path) -> None:
    """Wait until the worker has recorded the one closed issue."""
    deadline = time.monotonic() + SECONDS
    async with await psycopg.AsyncConnection.connect(conninfo(normalise_url(database_url))) as connection:
        await connection.set_autocommit(True)
        while time.monotonic() < deadline:
            found = await (await connection.execute("SELECT count(*) FROM record")).fetchone()
            if found == (1,):
                return
            await asyncio.sleep(0.1)
    raise AssertionError(await asyncio.to_thread(log.read_text))
