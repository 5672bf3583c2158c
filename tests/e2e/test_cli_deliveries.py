"""What an operator does with deliveries at a terminal: replay, inspect, retry, redeliver, recheck."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import text
from typer.testing import CliRunner

from bot.cli import app
from bot.clock import SystemClock
from bot.deliveries import issue_unit
from bot.queue import app as jobs_app
from bot.sandbox.faults import Fault
from bot.store.database import Database
from bot.upkeep.checking import recheck
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.promised import kept_promise
from tests.support.running import SECRET, Running, running_bot

FAILED_JOB = """
    INSERT INTO procrastinate_jobs (queue_name, task_name, lock, args, status)
    VALUES ('live', 'recheck_issue', :unit, CAST(:arguments AS jsonb), 'failed')
"""
CHANGED_JOB = text("UPDATE procrastinate_jobs SET status = CAST(:status AS procrastinate_job_status) WHERE id = :id")


class Terminal:
    """Runs commands beside the running bot, in its surroundings."""

    def __init__(self, surroundings: Mapping[str, str]) -> None:
        self.surroundings = dict(surroundings)

    async def run(self, *arguments: str, code: int = 0, **changed: str) -> str:
        """Return what a command printed that ended with `code`: what a mistake says, on standard error."""
        environment = {**self.surroundings, **changed}
        done = await asyncio.to_thread(CliRunner().invoke, app, list(arguments), env=environment)
        assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
        assert done.exit_code == code, done.output
        assert SECRET not in done.output
        return done.stdout if not code else done.output

    async def json(self, *arguments: str) -> Any:
        return kept_promise(arguments, await self.run(*arguments, "--json"))


@asynccontextmanager
async def terminal(database: Database, address: str, folder: Path) -> AsyncIterator[tuple[Running, Terminal]]:
    async with running_bot(database) as bot:
        key = folder / "key.pem"
        key.write_text(bot.sandbox.private_key)
        yield (
            bot,
            Terminal(
                {
                    "DATABASE_URL": address,
                    "PORT": str(bot.web.port),
                    "ROOTCAUSE_APP_ID": str(bot.sandbox.app.id),
                    "ROOTCAUSE_PRIVATE_KEY_FILE": str(key),
                    "ROOTCAUSE_WEBHOOK_SECRET": SECRET,
                    "ROOTCAUSE_GITHUB_API_URL": bot.services.settings.github_api_url,
                    "ROOTCAUSE_WRITE_INTERVAL_SECONDS": "0",
                }
            ),
        )


async def test_a_delivery_is_replayed_looked_at_retried_and_checked_again(
    database: Database, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with terminal(database, database_url, tmp_path) as (bot, shell):
        bot.prepare()
        await bot.settle()
        bot.sandbox.seed_issue(REPOSITORY, leaking(1), emit=True)
        closing = bot.sandbox.courier.pending()[0]
        file = tmp_path / "closed.json"
        file.write_text(closing.payload)
        sent = await shell.json("replay", str(file))
        repository_id = json.loads(closing.payload)["repository"]["id"]
        closing_unit = issue_unit(repository_id, 1)
        arguments = json.dumps({"repository_id": repository_id, "number": 1})
        assert (sent["status"], sent["answer"], sent["event"]) == (202, "stored", "issues")
        seen = await shell.json("inspect", sent["guid"])
        assert [(one["state"], one["attempts"]) for one in seen["deliveries"]] == [("waiting", 0)]
        assert [(one["task"], one["state"]) for one in seen["jobs"]] == [("process", "waiting")]
        assert "Memory leak" not in json.dumps(seen), "never what it holds"

        bot.sandbox.faults.add("POST", "/graphql", Fault.FORBIDDEN)
        await bot.work()
        told = await shell.run("inspect", f"{REPOSITORY}#1")
        assert f"delivery {sent['guid']}: issues.closed, failed" in told
        assert "reason    Forbidden: " in told
        assert await bot.records() == []

        assert sent["guid"] in await shell.run("retry", "--all")
        await bot.work()
        assert [one.number for one in await bot.records()] == [1]
        assert "it is done" in await shell.run("retry", sent["guid"], code=2)
        async with database.sessions.begin() as session:
            await session.execute(text(FAILED_JOB), {"unit": closing_unit, "arguments": arguments})
            await session.execute(text("INSERT INTO failed_job SELECT max(id), 'KeyError: x' FROM procrastinate_jobs"))
        (lost,) = (await shell.json("inspect", f"{REPOSITORY}#1"))["jobs"]
        assert (lost["repository"], lost["number"], lost["error"]) == (REPOSITORY, 1, "KeyError: x")
        told = await shell.run("inspect", str(lost["id"]))
        assert f"about     {REPOSITORY}#1\n" in told
        assert "reason    KeyError: x\n" in told
        assert "1 job waits for a worker" in await shell.run("retry", "--job", str(lost["id"]))
        for status, called in (("cancelled", "cancelled"), ("todo", "waiting")):
            async with database.sessions.begin() as session:
                await session.execute(CHANGED_JOB, {"status": status, "id": lost["id"]})
            assert f"did not fail: it is {called}." in await shell.run("retry", "--job", str(lost["id"]), code=2)
            assert f"recheck_issue, {called}\n" in await shell.run("inspect", str(lost["id"]))
        await bot.work()
        assert f"No job {lost['id']} is there" in await shell.run("inspect", str(lost["id"]), code=2)
        assert await shell.json("retry", "--all") == {"retried": [], "jobs": []}

        async with database.sessions.begin() as session:
            await session.execute(text("DELETE FROM proposal"))
        monkeypatch.setattr("bot.upkeep.checking.PATIENCE", timedelta(0))
        assert "waits for a worker" in await shell.run("recheck", f"{REPOSITORY}#1")
        monkeypatch.undo()
        connector = jobs_app.connector
        settings = bot.services.settings.model_copy(update={"database_url": SecretStr(database_url)})
        asked = asyncio.create_task(recheck(settings, SystemClock(), f"{REPOSITORY}#1"))
        for asking in (True, False):  # with a queue of its own, which the bot may not work with
            for _ in range(100_000):
                if (jobs_app.connector is not connector) is asking:
                    break
                await asyncio.sleep(0)
        await bot.work()
        done = await asked
        assert (done.issue, done.outcome, done.state) == (f"{REPOSITORY}#1", "done", "proposed")
        assert (done.category, done.proposed) == ("memory-leak", True)


async def test_what_never_arrived_is_asked_for_without_waiting(
    database: Database, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with terminal(database, database_url, tmp_path) as (bot, shell):
        bot.prepare(1)
        address, bot.sandbox.courier.url = bot.sandbox.courier.url, "http://127.0.0.1:9/"
        await bot.sandbox.deliver_pending()
        for _ in range(2):
            said = await shell.run("redeliver")
            assert "2 missed, 2 asked for" in said
            assert len([line for line in said.splitlines() if line.startswith("asked: ")]) == 2
            guid = said.split()[1].strip(",")
            await bot.sandbox.deliver_pending()
        assert "asked     2 times" in await shell.run("inspect", guid)
        bot.sandbox.courier.url = address
        with monkeypatch.context() as fewer:
            for module in ("features.missed_deliveries", "upkeep.redelivering"):
                fewer.setattr(f"bot.{module}.MOST_AT_ONCE", 1)
            first = await shell.json("redeliver")
        assert (first["missed"], first["asked"], first["left"]) == (2, 1, True)
        both = await shell.json("redeliver", "--since", f"{datetime.now(UTC):%Y-%m-%d}")
        assert (both["asked"], both["left"]) == (2, False)
        await bot.settle()
        assert [one.number for one in await bot.records()] == [1]
        assert (await shell.json("redeliver"))["missed"] == 0
        assert "nothing older" in await shell.run("redeliver", "--since", "2020-01-01", code=2)
        assert "ROOTCAUSE_PULL is set" in await shell.run("redeliver", code=2, ROOTCAUSE_PULL="1")
        missing = await shell.run("redeliver", code=2, ROOTCAUSE_APP_ID="")
        assert "ROOTCAUSE_APP_ID" in missing


async def test_mistakes_end_in_a_sentence(database_url: str, tmp_path: Path) -> None:
    shell = Terminal({"DATABASE_URL": database_url, "ROOTCAUSE_WEBHOOK_SECRET": SECRET, "PORT": "9"})
    file, broken = tmp_path / "payload.json", tmp_path / "broken.json"
    file.write_text("{}")
    broken.write_text("[")
    for arguments, code, said in (
        (("replay", str(tmp_path / "absent")), 2, "No such file"),
        (("replay", str(broken)), 2, "is no payload"),
        (("replay", str(file), "--event", "No Event"), 2, "is no event"),
        (("replay", str(file), "--url", "nowhere"), 2, "is no address"),
        (("replay", str(file), "--url", "http://..../"), 2, "is no address"),
        (("replay", str(file), "--url", "//host"), 2, "is no address"),
        (("replay", str(file)), 1, "Nobody answers at http://127.0.0.1:9/webhooks/github"),
        (("inspect", "no-such-guid"), 2, "is stored: it never came"),
        (("inspect", "no/where#1"), 2, "No repository no/where is known here"),
        (("inspect", "no/where"), 2, "is no issue"),
        (("inspect", "\x00"), 2, "is no delivery's GUID"),
        (("retry",), 2, "Name one delivery"),
        (("retry", "a", "--all"), 2, "Name one delivery"),
        (("retry", "a", "--job", "1"), 2, "Name one delivery"),
        (("retry", "--job", "x"), 2, "No job x is there"),
        (("inspect", "1"), 2, "No job 1 is there"),
        (("retry", "no-such-guid"), 2, "nothing to retry"),
        (("recheck", "no/where#1"), 2, "No repository no/where is known here"),
    ):
        assert said in " ".join((await shell.run(*arguments, code=code)).split()), arguments
    assert "ROOTCAUSE_WEBHOOK_SECRET" in await shell.run("replay", str(file), code=2, ROOTCAUSE_WEBHOOK_SECRET="")
    away = await shell.run("inspect", "a", code=1, DATABASE_URL="postgresql://user@127.0.0.1:1/name")
    assert "The database does not answer" in away
