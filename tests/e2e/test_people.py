"""From a closing to the people behind it: the job that reads them, on the local GitHub."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import text
from sqlmodel import col, select

from bot.sandbox.faults import Fault
from bot.store.database import Database
from bot.store.rows import load_rows
from bot.store.tables import Contribution, Person, ReadBudget
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import Running, running_bot

MADE = datetime(2015, 1, 1, tzinfo=UTC)


async def _waiting(bot: Running) -> list[datetime]:
    """Return when the jobs of the people queue are due."""
    query = text("SELECT scheduled_at FROM procrastinate_jobs WHERE queue_name = 'people' AND status = 'todo'")
    async with bot.services.database.sessions() as session:
        return list((await session.execute(query)).scalars())


async def _people(bot: Running) -> dict[str | None, Person]:
    async with bot.services.database.sessions() as session:
        found = (await session.execute(select(Person).order_by(col(Person.id)))).scalars()
        return {one.login: one for one in found}


def _populate(bot: Running) -> None:
    """Give the people of the made issues profiles; person-3 is a member who has worked here this year."""
    sandbox = bot.sandbox
    sandbox.describe_user("reporter", bio="PhD student", followers=4, created_at=MADE)
    sandbox.describe_user("person-1", bio="Software engineer", followers=48_512, created_at=MADE)
    sandbox.describe_user("person-3", bio="Research engineer", followers=120, created_at=MADE)
    sandbox.grant(REPOSITORY, "person-3", "write")
    for number in range(4):
        sandbox.add_commit(REPOSITORY, f"{number + 99:040x}", "Work", login="person-3")


async def test_people_are_read_some_time_after_a_closing_and_reach_the_report(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare()
        _populate(bot)
        for number in (7, 8):
            bot.sandbox.seed_issue(REPOSITORY, leaking(number), emit=True)
        await bot.settle()
        (due,) = await _waiting(bot)
        assert timedelta(minutes=9) < due - datetime.now(UTC) <= timedelta(minutes=10)
        assert (await _people(bot))["reporter"].read_at is None
        bot.sandbox.delete_user("person-11")
        await bot.hasten()

        people = await _people(bot)
        assert {login: people[login].profile_role for login in ("reporter", "person-1", "person-3", "person-11")} == {
            "reporter": "researcher", "person-1": "engineer", "person-3": "both", "person-11": "unknown",
        }  # fmt: skip
        records = await bot.records()
        assert [record.member_contributions for record in records] == [4, 4]
        assert [record.fix_author_contributions for record in records] == [2, 2], "its commit and its pull request"
        async with database.sessions() as session:
            rows = await load_rows(session, records[0].repository_id, MADE, datetime.now(UTC) + timedelta(days=1))
            (contribution,) = (
                await session.execute(select(Contribution).where(Contribution.person_id == people["person-3"].id))
            ).scalars()
            (budget,) = (await session.execute(select(ReadBudget))).scalars()
        assert contribution.in_repository == 4
        assert budget.spent == 1, "one request for all"
        assert {(one.profile_role, one.followers) for one in rows.participants or () if one.member} == {("both", 120)}
        assert bot.sandbox.violations == []


async def test_when_github_is_away_the_job_comes_back_and_finishes(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(7)
        await bot.settle()
        bot.sandbox.faults.add("POST", "/graphql", Fault.SERVER_ERROR, count=1)
        await bot.hasten()
        assert len(await _waiting(bot)) == 1
        assert {person.read_at for person in (await _people(bot)).values() if person.kind == "human"} == {None}
        await bot.hasten()
        assert await _waiting(bot) == []
        assert all(one.read_at for one in (await _people(bot)).values() if one.login in ("reporter", "person-1"))


async def test_nobody_is_read_where_nothing_is_gathered_any_more(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(7)
        await bot.settle()
        bot.sandbox.uninstall("pytorch")
        await bot.hasten()
        assert await _waiting(bot) == []
        assert {person.read_at for person in (await _people(bot)).values()} == {None}
