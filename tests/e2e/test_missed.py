"""What never arrived is asked for again, and what GitHub never told of is found: each is recorded, and once."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime

from sqlalchemy import text

from bot.features.missed_closings import compare_closings
from bot.features.missed_deliveries import ask_for_missed, look_for_missed
from bot.jobs import defer_missed
from bot.sandbox.faults import Fault
from bot.services import Services, open_github
from bot.store.database import Database
from tests.support.clock import VirtualClock
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import Running, running_bot

NOBODY = "http://127.0.0.1:9/webhooks/github"


async def away(bot: Running) -> None:
    """Let GitHub try to deliver all that waits while nobody takes it."""
    address, bot.sandbox.courier.url = bot.sandbox.courier.url, NOBODY
    assert {one.status_code for one in await bot.sandbox.deliver_pending()} <= {502}
    bot.sandbox.courier.url = address


def close(bot: Running, *, emit: bool = True) -> int:
    """Close an issue now; with `emit` False GitHub never tells of it."""
    number = len(bot.sandbox.issues(REPOSITORY)) + 1
    bot.sandbox.seed_issue(REPOSITORY, leaking(number, closed_at=bot.services.clock.now()), emit=emit)
    return number


def redeliveries(bot: Running) -> Counter[str]:
    return Counter(one.guid for one in bot.sandbox.deliveries if one.redelivery)


async def numbers(bot: Running) -> list[int]:
    return [one.number for one in await bot.records()]


async def looks(bot: Running) -> int:
    """Run what a clock's tick asks for, to its end, and return how many deliveries are sent again by it."""
    before = redeliveries(bot).total()
    await look_for_missed(bot.services)
    return redeliveries(bot).total() - before


async def test_closings_while_nobody_listened_are_recorded_once(database: Database) -> None:
    clock = VirtualClock(datetime.now(UTC))
    async with running_bot(database, clock) as bot, open_github(bot.services.settings, clock) as other:
        bot.prepare()
        await bot.settle()
        clock.advance(minutes=5)
        closed = [close(bot) for _ in range(3)]
        bot.sandbox.open_issue(REPOSITORY, "stranger", "Nothing here acts on an opening")
        await away(bot)
        at_start, second = bot.services, Services(**{**vars(bot.services), "github": other})
        await asyncio.gather(look_for_missed(at_start), look_for_missed(second))
        assert len(redeliveries(bot)) == redeliveries(bot).total() == 3, "two replicas ask for each once"
        await bot.settle()
        assert await numbers(bot) == closed
        assert await looks(bot) == 0, "they came"
        clock.advance(hours=1)
        await bot.hasten()
        assert [one.state for one in await bot.deliveries()] == ["done"] * 4, "and no closing is taken for missed"
        assert bot.sandbox.violations == []


async def test_the_clock_asks_once_over_all_replicas(database: Database) -> None:
    async with running_bot(database) as bot:
        for _ in range(2):
            await asyncio.gather(*(ask_for_missed(bot.services) for _ in range(3)))
            await defer_missed(10.0)
        async with database.sessions() as session:
            jobs = await session.execute(text("SELECT scheduled_at FROM procrastinate_jobs"))
            assert list(jobs.scalars()) == [None]


async def test_what_fails_for_good_is_left_alone_after_a_while(database: Database) -> None:
    clock = VirtualClock(datetime.now(UTC))
    async with running_bot(database, clock) as bot:
        bot.prepare()
        await bot.settle()
        close(bot)
        await away(bot)
        assert await looks(bot) == 1
        for wait in (1, 2, 4, 8, 8, 8, 8, 8, 8):
            await away(bot)
            clock.advance(hours=wait, minutes=-1)
            assert await looks(bot) == 0, "it has just been asked for"
            clock.advance(minutes=1)
            assert await looks(bot) == 1
        await away(bot)
        for _ in range(2):
            clock.advance(hours=8)
            assert await looks(bot) == 0, "it is given up"
        close(bot)
        await away(bot)
        clock.advance(days=3, seconds=1)
        assert await looks(bot) == 0, "GitHub sends nothing again that is older"


async def test_a_limit_in_between_loses_nothing(database: Database) -> None:
    clock = VirtualClock(datetime.now(UTC))
    async with running_bot(database, clock) as bot:
        bot.prepare()
        await bot.settle()
        for _ in range(2):
            close(bot)
        await away(bot)
        bot.sandbox.faults.add("POST", "/app/hook/deliveries/*/attempts", Fault.NOT_FOUND)
        assert await looks(bot) == 1, "one that GitHub refuses does not stop the others"
        clock.advance(hours=1)
        bot.sandbox.faults.add("POST", "/app/hook/deliveries/*/attempts", Fault.TOO_MANY_REQUESTS)
        await defer_missed()
        await bot.work()
        clock.advance(hours=1, minutes=1)
        await bot.hasten()
        assert len(await bot.records()) == 2


async def test_nothing_is_sent_again_where_deliveries_are_pulled(database: Database) -> None:
    async with running_bot(database, pull=True) as bot:
        bot.prepare()
        await away(bot)
        assert await looks(bot) == 0


async def test_a_closing_that_github_never_told_of_is_found(database: Database) -> None:
    clock = VirtualClock(datetime.now(UTC))
    async with running_bot(database, clock) as bot:
        bot.prepare()
        bot.sandbox.put_file(REPOSITORY, ".github/rootcause.yml", "propose: comment\n")
        old = close(bot, emit=False)  # before the App came
        clock.advance(minutes=5)
        await bot.settle()
        clock.advance(minutes=5)
        told, untold = close(bot), close(bot, emit=False)
        await bot.settle()
        assert await numbers(bot) == [told]
        await look_for_missed(bot.services)
        await bot.hasten()
        assert await numbers(bot) == [told], "it is too young to be missed"

        clock.advance(minutes=10)
        bot.sandbox.comment(REPOSITORY, old, "stranger", "Still so.", emit=False)
        await look_for_missed(bot.services)
        await bot.hasten()
        assert await numbers(bot) == [told, untold]
        record = (await bot.records())[1]
        assert not record.backfilled, "it is asked about like any other"
        assert record.state == "proposed"
        assert f"issues/{untold}" in ((await bot.inbox()).body or "")
        assert len(bot.answers(told)) == 1
        assert bot.answers(untold) == [], "but old news is worth no comment"
        made = [one.guid for one in await bot.deliveries() if one.guid.startswith("missed-closing-")]
        assert len(made) == 1

        bot.sandbox.reopen(REPOSITORY, told, "write-person")
        await bot.settle()
        clock.advance(minutes=10)
        bot.sandbox.close(REPOSITORY, told, "write-person", emit=False)
        clock.advance(minutes=10)
        await look_for_missed(bot.services)
        await bot.hasten()
        assert [(one.number, one.is_open, one.reopened) for one in await bot.records()] == [
            (told, False, 1),
            (untold, False, 0),
        ]
        clock.advance(hours=1)
        await look_for_missed(bot.services)
        await bot.hasten()
        assert len([one for one in await bot.deliveries() if one.guid.startswith("missed-closing-")]) == 2
        assert bot.sandbox.violations == []


async def test_a_repository_without_news_costs_one_request_and_one_that_is_gone_none(database: Database) -> None:
    clock = VirtualClock(datetime.now(UTC))
    async with running_bot(database, clock) as bot:
        bot.prepare()
        bot.sandbox.add_repository("pytorch", "vision")
        bot.sandbox.select_repositories("pytorch", add=("pytorch/vision",))
        await bot.settle()
        clock.advance(minutes=1)
        closed = [close(bot, emit=False) for _ in range(101)]
        clock.advance(minutes=5)
        bot.sandbox.rename_repository("pytorch/vision", "sight")
        bot.sandbox.privatize("pytorch/sight")
        ids = [bot.sandbox.repository(name).id for name in (REPOSITORY, "pytorch/sight")]
        assert [await compare_closings(bot.services, one) for one in ids] == [101, 0]
        assert [await compare_closings(bot.services, one) for one in ids] == [0, 0], "they are on their way"
        assert [one.number for one in await bot.deliveries() if one.number] == closed, "the oldest first"
        client = bot.services.client(bot.sandbox.installation("pytorch").id)

        async def cost() -> list[int]:
            costs = []
            for one in ids:
                before = (await client.get("/rate_limit"))["rate"]["used"]
                await compare_closings(bot.services, one)
                costs.append((await client.get("/rate_limit"))["rate"]["used"] - before)
            return costs

        assert await cost() == [1, 0], "the list is long and was read to its end before; the short one has its ETag"
        bot.sandbox.faults.add("GET", "/repositories/*/issues", Fault.SECONDARY_LIMIT)
        assert await compare_closings(bot.services, ids[0]) == 0
        bot.sandbox.delete_repository("pytorch/sight")
        bot.sandbox.archive(REPOSITORY)
        assert [await compare_closings(bot.services, one) for one in ids] == [0, 0]
        bot.sandbox.uninstall("pytorch")
        async with database.sessions.begin() as session:
            await session.execute(text("DELETE FROM delivery WHERE number IS NOT NULL"))
        await bot.settle()
        await look_for_missed(bot.services)
        async with database.sessions() as session:
            assert (await session.execute(text("SELECT count(*) FROM closings_seen"))).scalar_one() == 0
        assert bot.sandbox.violations == []
