"""People's data: deleted some time after the App was taken away, and at once on demand; the numbers stay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import SQLModel, func, select, update
from typer.testing import CliRunner, Result

from bot.cli import app
from bot.features.forgetting import forget_the_left
from bot.store.database import Database
from bot.store.jobs import note_failure
from bot.store.rows import load_everything
from bot.store.tables import (
    Command,
    Contribution,
    Decision,
    Delivery,
    EvidenceText,
    Installation,
    LaterComments,
    Participation,
    Person,
    Proposal,
    Record,
    Repository,
    Span,
)
from tests.support.closed_issues import REPOSITORY
from tests.support.promised import kept_promise
from tests.support.running import Running, running_bot

PEOPLE = ("triage-person", "write-person", "reporter", "secret-word")


async def count(bot: Running, table: type[SQLModel]) -> int:
    async with bot.services.database.sessions() as session:
        return (await session.execute(select(func.count()).select_from(table))).scalar_one()


async def everything(bot: Running) -> str:
    """Return all that the database holds, as text."""
    names = [table.name for table in SQLModel.metadata.sorted_tables if table.name not in {"secret", "model_version"}]
    found: list[str] = []
    async with bot.services.database.sessions() as session:
        for name in names:
            found += map(str, (await session.execute(text(f"SELECT * FROM {name}"))).all())  # noqa: S608  our own names
    return "\n".join(found)


async def numbers(bot: Running) -> list[Any]:
    """Return what reports are computed from, without names."""
    async with bot.services.database.sessions() as session:
        rows = await load_everything(session, include_private=True)
    return [{**asdict(one), "repository": None} for one in rows.records]


async def prepared(bot: Running) -> None:
    bot.prepare(1, 2)
    await bot.settle()
    bot.sandbox.comment(REPOSITORY, 1, "triage-person", "/rootcause data-race")
    bot.sandbox.comment(REPOSITORY, 1, "write-person", "/rootcause memory-leak\nsecret-word")
    bot.sandbox.comment(REPOSITORY, 2, "write-person", "/rootcause confirm")
    await bot.settle()
    await let_a_job_fail(bot)


async def let_a_job_fail(bot: Running) -> None:
    """Leave a job that failed for good, whose reason quotes what it asked for and what it read."""
    add = "INSERT INTO procrastinate_jobs (queue_name, task_name, status) VALUES ('live', 'x', 'failed') RETURNING id"
    async with bot.services.database.sessions.begin() as session:
        job_id = (await session.execute(text(add))).scalar_one()
        await note_failure(session, job_id, f"GET /repos/{REPOSITORY}/issues/1: 'write-person' in 'secret-word'")
    assert "GET /repos/" in await everything(bot)


async def test_people_are_forgotten_some_time_after_the_app_was_taken_away(database: Database) -> None:
    async with running_bot(database) as bot:
        await prepared(bot)
        before = await numbers(bot)
        bot.sandbox.uninstall("pytorch")
        await bot.settle()
        assert await count(bot, EvidenceText) == await count(bot, LaterComments) == 0
        await forget_the_left(bot.services)
        assert await count(bot, Person) > 0, "who comes back within the time finds everything as it was"
        assert await count(bot, Command) == 3

        async with bot.services.database.sessions.begin() as session:
            long_ago = datetime.now(UTC) - timedelta(days=30, minutes=1)
            await session.execute(update(Repository).values(left_at=long_ago))
            await session.execute(update(Installation).values(removed_at=long_ago))
        await forget_the_left(bot.services)
        for table in (Person, Participation, Command, Contribution, Delivery):
            assert await count(bot, table) == 0, table
        kept = await everything(bot)
        names = [one for one in (*PEOPLE, "pytorch", "Memory leak") if one in kept]
        assert names == []
        assert await numbers(bot) == before
        async with bot.services.database.sessions() as session:
            said = list((await session.execute(select(Decision))).scalars())
            words = list((await session.execute(select(Proposal.words))).scalars())
            closers = list((await session.execute(select(Span.closed_by_id))).scalars())
        by_issue: dict[int, set[int | None]] = {}
        for one in said:
            by_issue.setdefault(one.issue_id, set()).add(one.person_id)
        assert sorted(map(len, by_issue.values())) == [1, 2], "two people stay two"
        assert all(one.person_id is not None and one.person_id < 0 for one in said)
        assert (words, closers) == ([[], []], [None, None])
        await forget_the_left(bot.services)

        # It comes back, long after: by its number the repository is the one it was, and has its name again.
        bot.sandbox.install("pytorch", [REPOSITORY])
        await bot.settle()
        repository = await bot.repository()
        assert (repository.full_name, repository.state, repository.forgotten_at) == (REPOSITORY, "active", None)
        assert "[#" not in ((await bot.inbox()).body or "").partition("Nothing")[0]


@pytest.fixture
def command(database_url: str) -> Iterator[Any]:
    """Run commands on the test's database, each in a thread of its own since it runs a loop of its own."""
    with ThreadPoolExecutor(1) as threads:

        def run(*words: str) -> Result:
            environment = {"DATABASE_URL": database_url}
            return threads.submit(CliRunner().invoke, app, ["forget", *words], env=environment).result()

        yield run


async def test_people_are_forgotten_at_once_on_demand(database: Database, command: Any) -> None:
    async with running_bot(database) as bot:
        await prepared(bot)
        before = await numbers(bot)
        done = command("person", "Write-Person")
        assert (done.exit_code, done.output) == (0, "forgotten: 1 people, in 2 issues\n")
        kept = await everything(bot)
        assert "write-person" not in kept
        assert "secret-word" not in kept
        assert "triage-person" in kept, "nobody else is forgotten"
        await let_a_job_fail(bot)
        assert await numbers(bot) == before
        for words in (("person", "write-person"), ("repository", "no/where"), ("installation", "nobody")):
            refused = command(*words)
            assert refused.exit_code == 2
            assert re.search(r"^(nobody|no \w+) .* is known", refused.output)

        done = kept_promise(["forget", "repository"], command("repository", REPOSITORY, "--json").stdout)
        assert (done["repositories"], done["issues"], done["installed"]) == (1, 2, 1)
        assert "the App is still installed on 1 of these repositories" in command("repository", REPOSITORY).output
        assert [one for one in PEOPLE if one in await everything(bot)] == []
        assert (await bot.repository()).full_name == REPOSITORY
        assert await numbers(bot) == before

        bot.sandbox.uninstall("pytorch")
        await bot.settle()
        await let_a_job_fail(bot)
        done = command("installation", "pytorch")
        assert (done.exit_code, done.output) == (0, "forgotten: 0 people, in 2 issues\n")
        assert "pytorch" not in await everything(bot)
        assert await count(bot, Record) == 2
