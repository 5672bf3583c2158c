"""A backup that is restored: the App goes on where it was, with nothing lost and nothing said twice."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import psycopg

from bot.store.database import Database, normalise_url, open_database
from bot.store.embedded import EmbeddedServer, embedded_server
from bot.store.embedded_programs import find_programs
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import running_bot


def run(program: str, *arguments: str) -> None:
    """Run one of the programs that come with the embedded server, as `bot/docs/operating.md` says."""
    subprocess.run([find_programs(None) / program, *arguments], check=True, capture_output=True, text=True)


async def test_the_app_goes_on_with_a_restored_dump(
    database: Database, database_server: EmbeddedServer, empty_database_url: str, tmp_path: Path
) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1, 2, 3)
        await bot.settle()
        inbox, records = await bot.inbox(), await bot.records()
        assert len(records) == 3
        bot.sandbox.comment(REPOSITORY, 1, "triage-person", "/rootcause none question")
        await bot.settle()
        decided = len(await bot.decisions())
        bot.sandbox.seed_issue(REPOSITORY, leaking(4), emit=True)
        await bot.sandbox.deliver_pending()
        deliveries, sandbox = await bot.deliveries(), bot.sandbox
        assert deliveries[-1].state == "waiting", "its job was asked for and has not run"
        run("pg_dump", "--format=custom", f"--file={tmp_path / 'dump'}", f"--dbname={database.conninfo}")

    url = normalise_url(empty_database_url)
    async with open_database(url) as restored:
        to = f"--dbname={restored.conninfo}"
        run("pg_restore", "--exit-on-error", "--no-owner", to, str(tmp_path / "dump"))
        async with running_bot(restored, sandbox=sandbox) as bot:
            await bot.work()
            assert [record.number for record in await bot.records()] == [1, 2, 3, 4], "the waiting job is done"
            for one in [one for one in sandbox.deliveries if one.event in {"issues", "issue_comment"}]:
                sandbox.services.outbox.again(one)
            await bot.settle()
            assert [one.guid for one in await bot.deliveries()] == [one.guid for one in deliveries]
            assert len(await bot.decisions()) == decided, "each GUID was known"
            created = [one for one in sandbox.issues(REPOSITORY) if one.author_id == sandbox.app.bot_id]
            assert [one.number for one in created] == [inbox.number], "the inbox was found again"
            assert "#4" in ((await bot.inbox()).body or "")
            sandbox.seed_issue(REPOSITORY, leaking(5), emit=True)
            await bot.settle()
            assert len(await bot.records()) == 5, "what counts up goes on where it was"


def test_a_copy_of_the_stopped_embedded_database_starts(memory_folder: Path) -> None:
    folder, copy = memory_folder / "postgres", memory_folder / "copy"
    with embedded_server(folder) as server, psycopg.connect(server.conninfo) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    preserving = ["cp", "-a", os.fspath(folder), os.fspath(copy)]
    subprocess.run(preserving, check=True)
    with embedded_server(copy) as server, psycopg.connect(server.conninfo) as connection:
        assert connection.execute("SELECT number FROM kept").fetchone() == (7,)
