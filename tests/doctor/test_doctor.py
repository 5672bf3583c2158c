"""`rootcause doctor` on an installation with faults put in: each is found, and the cure names what to do."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from pydantic import SecretStr
from typer.testing import CliRunner, Result

from bot.cli import app
from bot.clock import Clock, SystemClock
from bot.demo.stage import local_github
from bot.doctor.examination import examine
from bot.doctor.finding import Finding
from bot.sandbox.app_identity import new_private_key
from bot.settings import Settings
from bot.store.database import Database, conninfo, normalise_url
from tests.support.pooler import pooler
from tests.support.ports import free_port
from tests.support.promised import kept_promise
from tests.support.running import SECRET, Running, running_bot


@dataclass
class Installation:
    """A running one; `settings` and `clock` are what the doctor is given, `undo` takes the fault out again."""

    bot: Running
    address: str
    settings: Settings
    clock: Clock
    undo: AsyncExitStack

    def set(self, **changed: Any) -> None:
        self.settings = self.settings.model_copy(update=changed)

    def ask(self, statement: LiteralString) -> None:
        with psycopg.connect(conninfo(normalise_url(self.address)), autocommit=True) as connection:
            connection.execute(statement)

    def instead(self, of: object, name: str, value: object) -> None:
        """Give an object another attribute for a while."""
        self.undo.callback(setattr, of, name, getattr(of, name))
        setattr(of, name, value)

    def grow(self, **changed: Any) -> None:
        self.instead(self.bot.sandbox.world, "app", replace(self.bot.sandbox.world.app, **changed))

    async def examined(self) -> dict[str, Finding]:
        """Return what is not fine, by what was looked at."""
        found = await examine(self.settings, self.clock)
        assert all(one.cure for one in found if one.state != "fine"), found
        return {one.check: one for one in found if one.state != "fine"}


@pytest.fixture
async def installation(database: Database, database_url: str, tmp_path: Path) -> AsyncIterator[Installation]:
    async with running_bot(database) as bot:
        settings = bot.services.settings.model_copy(
            update={
                "database_url": SecretStr(database_url),
                "public_url": str(bot.web.make_url("")).rstrip("/"),
                "data_dir": tmp_path,
            }
        )
        made = Installation(bot, database_url, settings, SystemClock(), AsyncExitStack())
        made.ask("INSERT INTO procrastinate_workers DEFAULT VALUES")
        bot.prepare(1)
        await bot.sandbox.deliver_pending()
        yield made


class Ahead(SystemClock):
    """A clock that is wrong."""

    def now(self) -> datetime:
        return super().now() + timedelta(minutes=7)


async def another_secret_here(at: Installation) -> None:
    at.set(webhook_secret=(SecretStr("another-secret"),))


async def another_ping(at: Installation) -> None:
    at.bot.sandbox.ping()
    await at.bot.sandbox.deliver_pending()


async def another_secret_on_github(at: Installation) -> None:
    at.undo.push_async_callback(another_ping, at)  # the last of all, with the right secret again
    at.instead(at.bot.sandbox.courier, "secret", "another-secret")
    await another_ping(at)


async def a_permission_missing(at: Installation) -> None:
    at.grow(permissions={"metadata": "read", "contents": "read", "issues": "read"})


async def a_permission_awaiting_approval(at: Installation) -> None:
    granted = at.bot.sandbox.installation("pytorch")
    at.instead(granted, "permissions", {"metadata": "read", "issues": "write", "pull_requests": "read"})


async def an_event_missing(at: Installation) -> None:
    at.grow(events=("issues", "repository"))


async def nobody_at_the_address(at: Installation) -> None:
    at.set(public_url=f"http://127.0.0.1:{free_port()}")
    at.instead(at.bot.sandbox.courier, "url", f"{at.settings.public_url}/webhooks/github")


async def something_else_at_the_address(at: Installation) -> None:
    other = TestServer(web.Application())
    await other.start_server()
    at.undo.push_async_callback(other.close)
    at.set(public_url=str(other.make_url("")).rstrip("/"))
    at.instead(at.bot.sandbox.courier, "url", f"{at.settings.public_url}/webhooks/github")


async def github_sends_elsewhere(at: Installation) -> None:
    at.instead(at.bot.sandbox.courier, "url", "https://elsewhere.acme.dev/webhooks/github")


async def a_clock_that_is_wrong(at: Installation) -> None:
    at.clock = Ahead()


async def a_transaction_pooler_before_an_old_postgresql(at: Installation) -> None:
    at.set(database_url=SecretStr(await at.undo.enter_async_context(pooler(at.address, "12.9"))))


async def a_database_that_is_away(at: Installation) -> None:
    at.set(database_url=SecretStr("postgresql://rootcause:secret-word@127.0.0.1:1/rootcause"))


async def a_database_that_is_not_there(at: Installation) -> None:
    at.set(database_url=SecretStr(at.address.replace("rootcause_test", "absent")))


async def a_file_in_place_of_the_embedded_database(at: Installation) -> None:
    in_the_way = at.settings.data_dir / "postgres"
    in_the_way.write_text("no folder")
    at.undo.callback(in_the_way.unlink)
    at.set(database_url=None)


async def migrations_pending(at: Installation) -> None:
    at.ask("CREATE TABLE newest AS TABLE alembic_version")
    at.undo.callback(at.ask, "UPDATE alembic_version SET version_num = newest.version_num FROM newest")
    at.ask("UPDATE alembic_version SET version_num = '0011_configuration'")


async def a_key_of_another_app(at: Installation) -> None:
    at.set(private_key=SecretStr(new_private_key()))


async def a_key_cut_short(at: Installation) -> None:
    at.set(private_key=SecretStr("-----BEGIN RSA PRIVATE KEY-----"))


async def the_number_of_another_app(at: Installation) -> None:
    at.set(app_id=99)


async def a_setting_missing(at: Installation) -> None:
    at.set(app_id=None)


async def no_worker(at: Installation) -> None:
    at.undo.callback(at.ask, "INSERT INTO procrastinate_workers DEFAULT VALUES")
    at.ask("DELETE FROM procrastinate_workers")


async def dead_letters(at: Installation) -> None:
    at.undo.callback(at.ask, "UPDATE delivery SET state = 'waiting'")
    at.ask("UPDATE delivery SET state = 'failed'")


async def failed_jobs(at: Installation) -> None:
    at.undo.callback(at.ask, "DELETE FROM procrastinate_jobs WHERE task_name = 'lost'")
    at.ask("INSERT INTO procrastinate_jobs (queue_name, task_name, status) VALUES ('live', 'lost', 'failed')")


async def a_read_token_that_expired(at: Installation) -> None:
    at.set(read_token=SecretStr("ghp_expired"))


async def a_suspended_installation(at: Installation) -> None:
    at.instead(at.bot.sandbox.installation("pytorch"), "suspended_at", datetime(2026, 11, 2, tzinfo=UTC))


async def jobs_that_nobody_takes(at: Installation) -> None:
    at.undo.callback(at.ask, "DELETE FROM procrastinate_jobs WHERE task_name = 'late'")
    at.ask(
        "INSERT INTO procrastinate_jobs (queue_name, task_name, scheduled_at)"
        " VALUES ('live', 'late', now() - interval '1 hour')"
    )


async def no_https(at: Installation) -> None:
    at.set(public_url="http://rootcause.example.org", pull=True)


SEEDED: list[tuple[Callable[[Installation], Awaitable[None]], dict[str, str]]] = [
    (another_secret_here, {"webhook secret": "ROOTCAUSE_WEBHOOK_SECRET"}),
    (another_secret_on_github, {"webhook secret": "/settings/apps/rootcause and the same as ROOTCAUSE_WEBHOOK_SECRET"}),
    (a_permission_missing, {"permissions": "/settings/apps/rootcause/permissions"}),
    (a_permission_awaiting_approval, {"installations": "approve them: pytorch at http"}),
    (an_event_missing, {"events": "/settings/apps/rootcause/permissions"}),
    (nobody_at_the_address, {"webhook": "Start `rootcause web`"}),
    (something_else_at_the_address, {"webhook": "POST /webhooks/github"}),
    (github_sends_elsewhere, {"webhook address": "Set the webhook URL on"}),
    (a_clock_that_is_wrong, {"clock": "timedatectl set-ntp true"}),
    (
        a_transaction_pooler_before_an_old_postgresql,
        {"pooler": "pool_mode = session", "database version": "PostgreSQL 14 or later"},
    ),
    (a_database_that_is_away, {"database": "DATABASE_URL names its host and port"}),
    (a_database_that_is_not_there, {"database": "CREATE DATABASE"}),
    (a_file_in_place_of_the_embedded_database, {"database": "/postgres be a folder of the user"}),
    (migrations_pending, {"migrations": "rootcause db upgrade"}),
    (a_key_of_another_app, {"key": "ROOTCAUSE_PRIVATE_KEY_FILE"}),
    (a_key_cut_short, {"private key": "ROOTCAUSE_PRIVATE_KEY_FILE"}),
    (the_number_of_another_app, {"key": "ROOTCAUSE_APP_ID"}),
    (a_setting_missing, {"settings": "Set ROOTCAUSE_APP_ID"}),
    (no_worker, {"workers": "rootcause worker"}),
    (dead_letters, {"dead letters": "rootcause retry --all"}),
    (failed_jobs, {"failed jobs": "rootcause retry --all"}),
    (jobs_that_nobody_takes, {"waiting jobs": "run more workers"}),
    (a_read_token_that_expired, {"read token": "set ROOTCAUSE_READ_TOKEN"}),
    (a_suspended_installation, {"suspended": "unsuspend the App"}),
    (no_https, {"public address": "https://"}),
]
"""Each fault, what it is found as, and what the cure names."""

WARNINGS = {"dead letters", "failed jobs", "waiting jobs", "read token", "suspended", "public address"}


async def test_each_seeded_fault_is_found_alone_and_its_cure_named(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await installation.examined() == {}
    for seed, cures in SEEDED:
        async with AsyncExitStack() as undo:
            at = replace(installation, undo=undo)
            await seed(at)
            found = await at.examined()
        amiss = {check: one for check, one in found.items() if one.state != "unknown"}
        assert amiss.keys() == cures.keys(), seed.__name__
        for check, cure in cures.items():
            assert cure in (amiss[check].cure or ""), (seed.__name__, amiss[check])
            assert amiss[check].state == ("warning" if check in WARNINGS else "wrong"), (
                seed.__name__,
                check,
            )
        assert "secret-word" not in str(found)
    assert await installation.examined() == {}
    # The same by the command, from the environment, as an operator asks.
    for name, value in surroundings_of(installation).items():
        monkeypatch.setenv(name, value)
    healthy = await doctor("--json")
    assert healthy.exit_code == 0, healthy.output
    findings = kept_promise(["doctor"], healthy.stdout)["findings"]
    assert len(findings) >= 15
    assert {one["state"] for one in findings} == {"fine"}
    monkeypatch.setenv("ROOTCAUSE_WEBHOOK_SECRET", "another-secret")
    told = await doctor()
    assert told.exit_code == 1, told.output
    assert re.search(
        r"^wrong +webhook secret: .+\n +Give the web process the ROOTCAUSE_WEBHOOK", told.stdout, re.MULTILINE
    )
    assert told.stdout.endswith(f"{len(findings) - 1} fine, 1 wrong\n")
    for secret in ("another-secret", installation.bot.sandbox.private_key.splitlines()[1]):
        assert secret not in told.output


def surroundings_of(at: Installation) -> dict[str, str]:
    return {
        "DATABASE_URL": at.address,
        "ROOTCAUSE_APP_ID": str(at.bot.sandbox.app.id),
        "ROOTCAUSE_PRIVATE_KEY": at.bot.sandbox.private_key,
        "ROOTCAUSE_WEBHOOK_SECRET": SECRET,
        "ROOTCAUSE_GITHUB_API_URL": at.settings.github_api_url,
        "ROOTCAUSE_PUBLIC_URL": at.settings.public_url or "",
        "ROOTCAUSE_DATA_DIR": str(at.settings.data_dir),
    }


async def doctor(*arguments: str) -> Result:
    """Run the command beside the installation."""
    return await asyncio.to_thread(CliRunner().invoke, app, ["doctor", *arguments])


async def test_with_nothing_set_and_nobody_to_reach_all_is_said_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("ROOTCAUSE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("DATABASE_URL", "postgresql://rootcause:secret-word@127.0.0.1:1/rootcause")
    monkeypatch.setenv("ROOTCAUSE_GITHUB_API_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("ROOTCAUSE_DATA_DIR", str(tmp_path / "data"))
    told = await doctor("--json")
    assert isinstance(told.exception, SystemExit)
    assert told.exit_code == 1
    assert "secret-word" not in told.output
    found = [(one["check"], one["state"]) for one in json.loads(told.stdout)["findings"]]
    assert found == [
        ("settings", "wrong"),
        ("settings", "wrong"),
        ("settings", "wrong"),
        ("secret files", "fine"),
        ("public address", "warning"),
        ("status page", "fine"),
        ("data folder", "fine"),
        ("database", "wrong"),
        ("GitHub", "wrong"),
        ("webhook", "unknown"),
    ]
    assert not (tmp_path / "data").exists()


async def test_a_demos_folder_is_told_as_such_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOTCAUSE_DATA_DIR", str(tmp_path))
    local_github(tmp_path, 1, "secret").close_storage()
    result = await asyncio.to_thread(CliRunner().invoke, app, ["doctor", "--json"])
    (finding,) = json.loads(result.stdout)["findings"]
    assert result.exit_code == 1
    assert "belongs to `rootcause demo`" in finding["said"]
    assert "unset ROOTCAUSE_DATA_DIR" in finding["cure"]
