"""The processes from outside: they start with what they have, say what they lack, and stop cleanly and in time."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any

import aiohttp
import psutil
import psycopg
import pytest
from pydantic import SecretStr

from bot import processes
from bot.clock import SystemClock
from bot.deliveries import Arrival
from bot.errors import ProcessStoppedError
from bot.ingest import Ingest
from bot.processes import run
from bot.sandbox.faults import Fault
from bot.sandbox.sandbox import Sandbox
from bot.settings import Settings
from bot.setup.settings_file import write
from bot.store.embedded import EmbeddedServer
from bot.store.errors import DatabaseUnavailable
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.compiled import BYTECODE
from tests.support.door import SECRET, headers, issue_event
from tests.support.ports import free_port

START_SECONDS = 60.0
"""For a process to come up on a machine that does much else."""

ROOT = Path(__file__).parent.parent
BODY = json.dumps(issue_event()).encode()


@pytest.fixture(scope="module")
def bytecode() -> Path:
    """Where the processes of these tests find what was compiled before."""
    return BYTECODE


class Child:
    """A process of Rootcause under test; its standard error goes to a file."""

    def __init__(self, command: str, log: Path, bytecode: Path, environment: Mapping[str, str]) -> None:
        self.port = free_port()
        self._log = log
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("ROOTCAUSE_") and name not in {"DATABASE_URL", "PORT", "PYTHONDONTWRITEBYTECODE"}
        }
        own = {"PORT": str(self.port), "ROOTCAUSE_HOST": "127.0.0.1", "PYTHONPYCACHEPREFIX": str(bytecode)}
        with log.open("wb") as output:
            self.process = Popen(
                [sys.executable, "-m", "bot", *command.split()],
                cwd=ROOT,
                env={**inherited, **own, **environment},
                stdout=DEVNULL,
                stderr=output,
            )

    @property
    def log(self) -> str:
        return self._log.read_text()

    def wait(self, seconds: float) -> int:
        """Wait for its end and return the exit code."""
        return self.process.wait(seconds)

    def terminate(self) -> tuple[int, float]:
        """Ask it to stop; return the exit code and how long it took, in seconds."""
        started = time.monotonic()
        self.process.terminate()
        code = self.wait(20)
        return code, time.monotonic() - started

    async def get(self, path: str) -> tuple[int, str]:
        """Ask for a page, from the first moment it listens."""
        deadline = time.monotonic() + START_SECONDS
        async with aiohttp.ClientSession() as session:
            while True:
                try:
                    async with session.get(f"http://127.0.0.1:{self.port}{path}") as answer:
                        return answer.status, await answer.text()
                except aiohttp.ClientConnectorError:
                    assert self.process.poll() is None, self.log
                    assert time.monotonic() < deadline, self.log
                    await asyncio.sleep(0.1)

    async def deliver(self) -> int:
        """Post one signed closing."""
        url = f"http://127.0.0.1:{self.port}/webhooks/github"
        async with aiohttp.ClientSession() as session, session.post(url, data=BODY, headers=headers(BODY)) as answer:
            return answer.status


@contextmanager
def child(command: str, folder: Path, bytecode: Path, **environment: str) -> Iterator[Child]:
    """Run one process; whatever happens, it is gone at the end."""
    started = Child(command, folder / f"{command}.log", bytecode, environment)
    try:
        yield started
    finally:
        started.process.kill()
        started.process.wait()


def server_processes(folder: Path) -> list[psutil.Process]:
    """Return the processes of the embedded PostgreSQL whose files are in a data folder."""
    postmaster = psutil.Process(int((folder / "postgres/cluster/postmaster.pid").read_text().split()[0]))
    return [postmaster, *postmaster.children(recursive=True)]


def is_alive(process: psutil.Process) -> bool:
    """Tell whether a process still does anything; one that only waits to be noted as ended does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def test_serve_starts_without_an_app_says_what_is_missing_and_leaves_nothing_behind(
    memory_folder: Path, bytecode: Path
) -> None:
    data = memory_folder / "data"
    with child("serve", memory_folder, bytecode, ROOTCAUSE_DATA_DIR=str(data)) as serve:
        assert await serve.get("/healthz") == (200, "alive")
        status, text = await serve.get("/readyz")
        assert status == 503
        for setting in ("ROOTCAUSE_APP_ID", "ROOTCAUSE_PRIVATE_KEY", "ROOTCAUSE_WEBHOOK_SECRET"):
            assert setting in text
            assert setting in serve.log
        assert await serve.deliver() == 503
        servers = server_processes(data)
        assert len(servers) > 3
        code, seconds = serve.terminate()
        assert code == 0, serve.log
        assert seconds < 10
        assert [one for one in servers if is_alive(one)] == []
        assert "Traceback" not in serve.log


async def test_the_death_of_the_embedded_database_ends_the_process_with_a_sentence(
    memory_folder: Path, bytecode: Path
) -> None:
    data = memory_folder / "data"
    with child("web", memory_folder, bytecode, ROOTCAUSE_DATA_DIR=str(data)) as web:
        await web.get("/healthz")
        server_processes(data)[0].kill()
        assert await asyncio.to_thread(web.wait, 15) == 1
        assert "the embedded database has died" in web.log.splitlines()[-1]
        assert "Traceback" not in web.log


async def test_a_database_that_is_not_up_to_date_is_a_sentence(empty_database_url: str) -> None:
    with pytest.raises(ProcessStoppedError, match="run `rootcause db upgrade`"):
        await run(Settings(database_url=SecretStr(empty_database_url)), with_web=True, with_worker=True)


async def test_a_worker_without_an_app_begins_again_once_the_set_up_page_has_written_the_settings(
    memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_AGAIN_SECONDS", 0.05)
    running = asyncio.create_task(run(Settings(data_dir=memory_folder), with_web=False, with_worker=True))
    # While the database starts: nothing that is written meanwhile may be missed.
    await asyncio.sleep(0.5)
    assert not running.done()
    write(memory_folder, {"ROOTCAUSE_APP_ID": "5"})
    assert await asyncio.wait_for(running, 30) is True


async def test_a_database_that_does_not_answer_is_a_sentence() -> None:
    address = f"postgresql://nobody@127.0.0.1:{free_port()}/nothing"
    with pytest.raises(DatabaseUnavailable, match="does not answer"):
        await run(Settings(database_url=SecretStr(address)), with_web=True, with_worker=True)


@pytest.mark.parametrize("key", ["", "not a key", "-----BEGIN PUBLIC KEY-----\nMFww\n-----END PUBLIC KEY-----\n"])
async def test_a_key_that_is_none_is_a_sentence_without_the_key(database_url: str, key: str) -> None:
    settings = Settings(
        app_id=1,
        private_key=SecretStr(key),
        webhook_secret=(SecretStr(SECRET),),
        database_url=SecretStr(database_url),
        port=free_port(),
    )
    with pytest.raises(ProcessStoppedError, match="no private key in PEM form") as refused:
        await run(settings, with_web=True, with_worker=True)
    assert not key or key not in str(refused.value)


async def test_a_port_that_is_taken_is_a_sentence(database_url: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        settings = Settings(database_url=SecretStr(database_url), host="127.0.0.1", port=taken.getsockname()[1])
        with pytest.raises(ProcessStoppedError, match="cannot listen on 127"):
            await run(settings, with_web=True, with_worker=True)


# --- with an App, on a local GitHub ---


@asynccontextmanager
async def local_github() -> AsyncIterator[tuple[Sandbox, str]]:
    """Run a GitHub with one repository that the App is installed in."""
    sandbox = Sandbox(SystemClock(), secret=SECRET)
    async with sandbox.running() as address:
        sandbox.add_owner("pytorch")
        sandbox.add_repository("pytorch", "pytorch")
        sandbox.install("pytorch", [REPOSITORY])
        yield sandbox, address


def settings_for(sandbox: Sandbox, address: str, database_url: str, **more: Any) -> Settings:
    chosen: dict[str, Any] = {"settle_seconds": 0.0, "observe_days": 0.0, "inbox_delay_seconds": 0.0, **more}
    return Settings(
        app_id=sandbox.app.id,
        private_key=SecretStr(sandbox.private_key),
        webhook_secret=(SecretStr(SECRET),),
        github_api_url=address,
        database_url=SecretStr(database_url),
        host="127.0.0.1",
        port=free_port(),
        **chosen,
    )


async def query(database_url: str, statement: str) -> list[Any]:
    conninfo = database_url.replace("+psycopg", "")
    options = "-csearch_path=public,procrastinate"
    async with await psycopg.AsyncConnection.connect(conninfo, options=options, autocommit=True) as connection:
        return await (await connection.execute(statement.encode())).fetchall()


async def until(database_url: str, statement: str, expected: Any, seconds: float = 30.0) -> None:
    """Wait until a query's first value is as expected."""
    deadline = time.monotonic() + seconds
    while (found := await query(database_url, statement)) != [(expected,)]:
        assert time.monotonic() < deadline, found
        await asyncio.sleep(0.1)


async def test_serve_stops_within_ten_seconds_although_a_job_hangs_and_leaves_the_job_to_the_next(
    memory_folder: Path, bytecode: Path, database_url: str
) -> None:
    async with local_github() as (sandbox, address):
        sandbox.faults.add("*", "/graphql", Fault.HANG, count=100)
        key = memory_folder / "app.pem"
        key.write_text(sandbox.private_key)
        environment = {
            "DATABASE_URL": database_url,
            "ROOTCAUSE_APP_ID": str(sandbox.app.id),
            "ROOTCAUSE_PRIVATE_KEY_FILE": str(key),
            "ROOTCAUSE_WEBHOOK_SECRET": SECRET,
            "ROOTCAUSE_GITHUB_API_URL": address,
            "ROOTCAUSE_SETTLE_SECONDS": "0",
            "ROOTCAUSE_OBSERVE_DAYS": "0",
        }
        with child("serve", memory_folder, bytecode, **environment) as serve:
            assert await serve.get("/readyz") == (200, "ready")
            sandbox.courier.url = f"http://127.0.0.1:{serve.port}/webhooks/github"
            await sandbox.deliver_pending()
            await until(database_url, "SELECT count(*) FROM delivery WHERE state = 'done'", 1)
            sandbox.seed_issue(REPOSITORY, leaking(), emit=True)
            await sandbox.deliver_pending()
            doing = "SELECT count(*) FROM procrastinate_jobs WHERE status = 'doing' AND args->>'unit' LIKE 'issue:%'"
            await until(database_url, doing, 1)
            code, seconds = await asyncio.to_thread(serve.terminate)
            assert code == 0, serve.log
            assert seconds < 10
        assert await query(
            database_url, "SELECT status, priority FROM procrastinate_jobs WHERE lock LIKE 'issue:%'"
        ) == [("todo", 10)]
        assert await query(database_url, "SELECT state, attempts FROM delivery WHERE event = 'issues'") == [
            ("waiting", 0)
        ]
        assert await query(database_url, "SELECT count(*) FROM procrastinate_workers") == [(0,)]


async def test_serve_on_a_machine_that_github_cannot_reach_pulls_its_deliveries(
    memory_folder: Path, bytecode: Path, database_url: str
) -> None:
    async with local_github() as (sandbox, address):
        sandbox.courier.url = "http://127.0.0.1:9/webhooks/github"
        sandbox.seed_issue(REPOSITORY, leaking(1), emit=True)
        assert {one.status_code for one in await sandbox.deliver_pending()} == {502}
        key = memory_folder / "app.pem"
        key.write_text(sandbox.private_key)
        environment = {
            "DATABASE_URL": database_url,
            "ROOTCAUSE_APP_ID": str(sandbox.app.id),
            "ROOTCAUSE_PRIVATE_KEY_FILE": str(key),
            "ROOTCAUSE_GITHUB_API_URL": address,
            "ROOTCAUSE_PULL_SECONDS": "0.3",
            "ROOTCAUSE_SETTLE_SECONDS": "0",
            "ROOTCAUSE_OBSERVE_DAYS": "0",
            "ROOTCAUSE_BACKFILL_DAYS": "0",
            "ROOTCAUSE_INBOX_DELAY_SECONDS": "0",
        }
        with child("serve --pull", memory_folder, bytecode, **environment) as serve:
            assert await serve.get("/readyz") == (200, "ready"), "no webhook secret is needed"
            await until(database_url, "SELECT count(*) FROM repository WHERE inbox_number IS NOT NULL", 1)
            sandbox.grant(REPOSITORY, "triage-person", "triage")
            sandbox.comment(REPOSITORY, 1, "triage-person", "/rootcause data-race")
            await sandbox.deliver_pending()
            await until(database_url, "SELECT category FROM record", "data-race")
            code, _ = await asyncio.to_thread(serve.terminate)
            assert code == 0, serve.log
        assert await query(database_url, "SELECT DISTINCT state FROM delivery") == [("done",)]


async def test_a_delivery_under_way_is_stored_and_answered_before_the_process_ends(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = Ingest._execute
    storing = asyncio.Event()

    async def slowly(self: Ingest, arrivals: list[Arrival]) -> None:
        storing.set()
        await asyncio.sleep(1)
        await execute(self, arrivals)

    monkeypatch.setattr(Ingest, "_execute", slowly)
    async with local_github() as (sandbox, address), aiohttp.ClientSession() as session:
        settings = settings_for(sandbox, address, database_url)
        running = asyncio.create_task(run(settings, with_web=True, with_worker=True))
        await _listening(settings.port, running)
        url = f"http://127.0.0.1:{settings.port}/webhooks/github"
        posting = asyncio.create_task(session.post(url, data=BODY, headers=headers(BODY)))
        await storing.wait()
        os.kill(os.getpid(), signal.SIGTERM)
        async with await posting as answer:
            assert answer.status == 202
        with pytest.raises(aiohttp.ClientConnectionError):
            await session.post(url, data=BODY, headers=headers(BODY))
        await asyncio.wait_for(running, 10)
    assert await query(database_url, "SELECT state FROM delivery") == [("waiting",)]


async def test_the_death_of_a_part_ends_the_process(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def die(_: Ingest) -> None:
        await asyncio.sleep(0.2)
        raise RuntimeError("the writer of deliveries has a bug")

    monkeypatch.setattr(Ingest, "run", die)
    async with local_github() as (sandbox, address):
        settings = settings_for(sandbox, address, database_url)
        with pytest.raises(RuntimeError, match="has a bug"):
            await asyncio.wait_for(run(settings, with_web=True, with_worker=True), 15)


async def test_web_and_worker_outlive_a_database_that_goes_away_and_comes_back(
    database_url: str, database_server: EmbeddedServer
) -> None:
    name = psycopg.conninfo.conninfo_to_dict(database_url.replace("+psycopg", ""))["dbname"]

    async def let_in(*, anybody: bool) -> None:
        async with await psycopg.AsyncConnection.connect(database_server.conninfo, autocommit=True) as other:
            await other.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS {anybody}'.encode())
            await other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])

    async with local_github() as (sandbox, address):
        settings = settings_for(sandbox, address, database_url, heartbeat_seconds=0.3, worker_concurrency=2)
        running = asyncio.create_task(run(settings, with_web=True, with_worker=True))
        await _listening(settings.port, running)
        sandbox.courier.url = f"http://127.0.0.1:{settings.port}/webhooks/github"
        await sandbox.deliver_pending()
        await until(database_url, "SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'look_for_missed'", 1)
        await let_in(anybody=False)
        ready = f"http://127.0.0.1:{settings.port}/readyz"
        async with aiohttp.ClientSession() as session, session.get(ready) as answer:
            assert answer.status == 503
        await asyncio.sleep(2)
        assert not running.done()
        await let_in(anybody=True)
        sandbox.seed_issue(REPOSITORY, leaking(), emit=True)
        deadline = time.monotonic() + 20
        while not all(one.status_code == 202 for one in sandbox.deliveries):
            assert time.monotonic() < deadline
            await sandbox.deliver_pending()
            sandbox.redeliver_failed()
        await until(database_url, "SELECT count(*) FROM record", 1)
        await asyncio.sleep(1)
        beats = "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - interval '0.9 seconds'"
        await until(database_url, beats, 1, seconds=5)
        listeners = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        await until(database_url, listeners, 1, seconds=5)
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(running, 10)


async def _listening(port: int, running: asyncio.Task[bool]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if running.done():
            running.result()
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
            continue
        writer.close()
        return
    raise AssertionError("it never listened")
