"""A fix that GitHub links only after the closing is found by looking again, cheaply and for a week."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import col, select

from bot.features.late_links import ask_for_links, look_again
from bot.github.errors import Transient
from bot.sandbox.faults import Fault
from bot.store.database import Database
from bot.store.late_links import next_look
from bot.store.tables import AwaitedLink, ReadBudget
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import Running, running_bot

CLOSED = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(days=7)


@pytest.mark.parametrize(
    ("seen_until", "due"),
    [
        (timedelta(0), HOUR),
        (timedelta(minutes=59), HOUR),
        (HOUR, DAY),
        (timedelta(days=2), WEEK),
        (WEEK, None),
        (timedelta(days=400), None),
    ],
)
def test_looks_grow_rarer_and_end(seen_until: timedelta, due: timedelta | None) -> None:
    assert next_look(CLOSED, CLOSED + seen_until) == (None if due is None else CLOSED + due)


async def awaited(bot: Running) -> list[AwaitedLink]:
    async with bot.services.database.sessions() as session:
        return list((await session.execute(select(AwaitedLink).order_by(col(AwaitedLink.number)))).scalars())


async def test_a_late_link_is_found_with_many_others_in_one_query(database: Database) -> None:
    async with running_bot(database, people_delay_seconds=1e6) as bot:
        bot.prepare()
        now = datetime.now(UTC)
        for number in range(1, 4):
            record = leaking(number, closed_at=now - timedelta(minutes=55), fix=None)
            bot.sandbox.seed_issue(REPOSITORY, record, emit=True)
        bot.sandbox.seed_issue(REPOSITORY, leaking(4), emit=True)
        await bot.settle()
        before = await bot.records()
        assert [record.fix_link for record in before] == [None, None, None, "closer_pr"]
        assert [row.number for row in await awaited(bot)] == [1, 2, 3]
        assert not before[1].eligible_bug

        bot.sandbox.add_pull_request(REPOSITORY, "Free it", "write-person", merged_at=now, closes=[2])
        bot.sandbox.comment(REPOSITORY, 2, "write-person", "Released.")
        await bot.settle()
        bot.sandbox.faults.add("POST", "/graphql", Fault.SERVER_ERROR, count=2)
        with pytest.raises(Transient):
            await look_again(bot.services, bot.sandbox.installation("pytorch").id)
        assert len(await awaited(bot)) == 3, "GitHub did not answer: nothing is lost"
        await bot.hasten()
        after = await bot.records()
        assert [record.fix_link for record in after] == [None, "linked_pr", None, "closer_pr"]
        assert after[1].eligible_bug
        assert after[1].issue_comments == before[1].issue_comments, "the counting window stays the closing"
        unchanged = [new.number for new, old in zip(after, before, strict=True) if new.gathered_at == old.gathered_at]
        assert unchanged == [1, 3, 4]
        rows = await awaited(bot)
        assert [row.number for row in rows] == [1, 3]
        assert [row.due_at for row in rows] == [before[0].closed_at + DAY, before[2].closed_at + DAY]
        async with bot.services.database.sessions() as session:
            (budget,) = (await session.execute(select(ReadBudget).where(ReadBudget.resource == "graphql"))).scalars()
        assert 0 < budget.spent <= 8
        await ask_for_links(bot.services)
        await bot.settle()
        assert await awaited(bot) == rows, "nothing is due"
