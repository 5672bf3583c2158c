"""The history of a repository is read after the installation, by jobs that give way to everything else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import select

from bot.backfill.access import NoAccessError
from bot.backfill.command import coverage, run
from bot.backfill.course import Parameters
from bot.features.backfill import read_one_page, resume
from bot.jobs import defer_backfill
from bot.sandbox.faults import Fault
from bot.settings import Settings
from bot.store.database import Database
from bot.store.tables import Backfill, Repository
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import Running, running_bot


def history(bot: Running, issues: int) -> None:
    """Fill the repository with closings of the last months, and one of long ago, before the App is installed."""
    bot.sandbox.add_owner("pytorch")
    bot.sandbox.add_repository("pytorch", "pytorch")
    now = datetime.now(UTC)
    for number in range(1, issues + 1):
        bot.sandbox.seed_issue(REPOSITORY, leaking(number, closed_at=now - timedelta(days=2 * number)))
    bot.sandbox.seed_issue(REPOSITORY, leaking(900, closed_at=now - timedelta(days=700)))


async def backfills(bot: Running) -> list[Backfill]:
    async with bot.services.database.sessions() as session:
        return list((await session.execute(select(Backfill))).scalars())


async def test_a_recent_year_is_read_after_the_installation_and_nobody_is_asked_about_it(database: Database) -> None:
    async with running_bot(database, backfill_days=365.0) as bot:
        history(bot, 45)
        bot.sandbox.install("pytorch", [REPOSITORY])
        await bot.settle()
        await bot.work()
        (row,) = await backfills(bot)
        assert (row.state, row.recorded, row.by_job) == ("done", 45, True)
        records = await bot.records()
        assert [record.number for record in records] == list(range(1, 46))
        assert all(record.backfilled and record.eligible_system for record in records)
        await bot.refresh()
        assert all(record.selection is None and record.asked_at is None for record in await bot.records())
        assert bot.sandbox.writes == []


async def test_it_is_read_once_and_not_where_it_is_switched_off(database: Database) -> None:
    async with running_bot(database) as bot:
        history(bot, 3)
        bot.sandbox.install("pytorch", [REPOSITORY])
        await bot.settle()
        assert await backfills(bot) == []


async def test_the_closing_of_a_backfilled_issue_makes_it_a_live_one(database: Database) -> None:
    async with running_bot(database, backfill_days=365.0) as bot:
        history(bot, 2)
        bot.sandbox.install("pytorch", [REPOSITORY])
        await bot.settle()
        await bot.work()
        bot.sandbox.reopen(REPOSITORY, 2, "reporter")
        bot.sandbox.close(REPOSITORY, 2, "reporter")
        await bot.settle()
        assert [record.backfilled for record in await bot.records()] == [True, False]


async def test_a_live_record_is_left_as_it_is(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1, 2)
        await bot.settle()
        before = [record.gathered_at for record in await bot.records()]
        async with database.sessions.begin() as session:
            row = Backfill(
                repository_id=bot.sandbox.repository(REPOSITORY).id, parameters={}, by_job=True, size=20,
                started_at=datetime.now(UTC), updated_at=datetime.now(UTC),
            )  # fmt: skip
            session.add(row)
        await resume(bot.services)
        await bot.work()
        (row,) = await backfills(bot)
        assert (row.state, row.recorded) == ("done", 2)
        assert [record.gathered_at for record in await bot.records()] == before
        assert not any(record.backfilled for record in await bot.records())


async def test_a_limit_puts_the_next_job_off_and_the_app_s_end_ends_it(database: Database) -> None:
    async with running_bot(database, backfill_days=365.0) as bot:
        history(bot, 5)
        bot.sandbox.faults.add("POST", "/graphql", Fault.SECONDARY_LIMIT)
        bot.sandbox.install("pytorch", [REPOSITORY])
        await bot.settle()
        (row,) = await backfills(bot)
        assert (row.state, row.page, row.attempts) == ("going_on", 0, 0)
        assert row.not_before is not None
        assert row.not_before > datetime.now(UTC) + timedelta(seconds=30)
        async with database.sessions() as session:
            waits = await session.execute(text("SELECT priority, scheduled_at FROM procrastinate_jobs"))
            assert [(one.priority, one.scheduled_at > datetime.now(UTC)) for one in waits] == [(-10, True)]
        async with database.sessions.begin() as session:
            await session.execute(text("UPDATE backfill SET not_before = now()"))
            stored = await session.get_one(Repository, row.repository_id)
            stored.state, stored.installation_id = "removed", None
        await read_one_page(bot.services)
        (row,) = await backfills(bot)
        assert (row.state, row.error) == ("failed", "nothing is gathered there any more")
        await defer_backfill()


@pytest.mark.parametrize(
    ("name", "token", "sentence"),
    [
        ("pytorch/pytorch", None, "no read token is set"),
        ("pytorch/nothing", "good", "shows no repository pytorch/nothing"),
        ("pytorch/pytorch", "ghp_bad", "refuses the token"),
    ],
)
async def test_what_cannot_be_read_is_told_in_a_sentence(
    database: Database, database_url: str, name: str, token: str | None, sentence: str
) -> None:
    async with running_bot(database) as bot:
        history(bot, 1)
        if token == "good":
            bot.sandbox.add_user("reader")
            token = bot.sandbox.personal_token("reader")
        with pytest.raises(NoAccessError, match=sentence):
            await run(_settings(bot, database_url, token), bot.services.clock, name, Parameters())


@pytest.mark.parametrize("installed", [True, False])
async def test_the_command_reads_with_the_installation_or_with_the_token(
    database: Database, database_url: str, installed: bool
) -> None:
    async with running_bot(database) as bot:
        history(bot, 3)
        bot.sandbox.add_user("reader")
        token = bot.sandbox.personal_token("reader")
        settings = _settings(bot, database_url, token)
        if installed:
            bot.sandbox.install("pytorch", [REPOSITORY])
            settings = settings.model_copy(
                update={name: getattr(bot.services.settings, name) for name in ("app_id", "private_key")}
            )
        else:
            bot.sandbox.archive(REPOSITORY)
        name, row = await run(settings, bot.services.clock, REPOSITORY, Parameters())
        assert len(await bot.records()) == 4
        repository = await bot.repository()
        assert (repository.installation_id, repository.archived, repository.paradigm) == (None, not installed, "ml")
        assert bot.sandbox.writes == []
    assert coverage(name, row) == "pytorch/pytorch: 4 issues seen, 4 recorded, 4 eligible, 4 with a fix, 0 unknown."


def _settings(bot: Running, database_url: str, token: str | None) -> Settings:
    given: dict[str, Any] = {"github_api_url": bot.sandbox.base_url, "DATABASE_URL": database_url, "read_token": token}
    return Settings.model_validate(given)
