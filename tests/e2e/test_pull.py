"""Without an address that GitHub can reach, deliveries are pulled: each once, in order, across restarts."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from prometheus_client import REGISTRY
from psycopg import DataError
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from bot.deliveries import Arrival
from bot.github.errors import Forbidden
from bot.ingest import Ingest
from bot.pull.polling import Puller
from bot.sandbox.faults import Fault
from bot.store.database import Database
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import Running, running_bot

NOBODY = "http://127.0.0.1:9/webhooks/github"


@asynccontextmanager
async def puller(bot: Running) -> AsyncIterator[Puller]:
    """Return a process's own puller; the sandbox's webhooks reach nobody."""
    ingest = Ingest(bot.services.pool, 0.0)
    storing = asyncio.create_task(ingest.run())
    try:
        yield Puller(bot.services, ingest)
    finally:
        storing.cancel()


async def happen(bot: Running, reachable: bool = False) -> None:
    """Let GitHub try to deliver all that happened."""
    address, bot.sandbox.courier.url = bot.sandbox.courier.url, bot.sandbox.courier.url if reachable else NOBODY
    sent = await bot.sandbox.deliver_pending(concurrency=1)
    assert {one.status_code for one in sent} <= {202 if reachable else 502}
    bot.sandbox.courier.url = address


async def used(bot: Running) -> int:
    """Return how much of the App's hourly limit is used up."""
    number: int = (await bot.services.github.app_get("/rate_limit"))["rate"]["used"]
    return number


async def test_pulled_deliveries_are_processed_like_received_ones(database: Database) -> None:
    async with running_bot(database) as bot, puller(bot) as first:
        bot.prepare(1, 2)
        await happen(bot)
        assert await first.poll() == 3
        await bot.work()
        assert [record.state for record in await bot.records()] == ["proposed"] * 2
        inbox = await bot.inbox()
        bot.sandbox.comment(REPOSITORY, inbox.number, "triage-person", "/rootcause data-race #1")
        bot.sandbox.comment(REPOSITORY, inbox.number, "stranger", "No command, and nothing to fetch twice.")
        await happen(bot)
        assert await first.poll() == 1
        await bot.work()
        assert (await bot.records())[0].category == "data-race"
        assert [one.state for one in await bot.deliveries()] == ["done"] * 4
        sequences = [one.event for one in await bot.deliveries()]
        assert sequences == ["installation", "issues", "issues", "issue_comment"], "in the order of what happened"


async def test_each_is_processed_once_however_often_it_is_listed(database: Database) -> None:
    async with running_bot(database) as bot, puller(bot) as first, puller(bot) as second:
        bot.prepare(1)
        await happen(bot)
        assert max(await asyncio.gather(first.poll(), second.poll())) == 2, "two processes at once"
        bot.sandbox.seed_issue(REPOSITORY, leaking(2), emit=True)
        await happen(bot, reachable=True)
        assert await first.poll() == 0, "it was received before it was listed"
        async with puller(bot) as restarted:
            assert await restarted.poll() == 0
        await bot.work()
        assert [one.attempts for one in await bot.deliveries()] == [0] * 3
        assert len(await bot.records()) == 2
        writes = len(bot.sandbox.writes)
        for delivery in bot.sandbox.deliveries:
            bot.sandbox.services.outbox.again(delivery)
        await happen(bot)
        assert await first.poll() == 0, "sent again, they are known"
        await bot.work()
        assert len(bot.sandbox.writes) == writes


async def test_polling_is_polite_and_goes_on_where_it_broke_off(database: Database) -> None:
    async with running_bot(database) as bot, puller(bot) as first:
        bot.prepare(*range(1, 4))
        old = bot.sandbox.deliveries[0]
        await happen(bot)
        assert old.delivered_at is not None
        old.delivered_at -= timedelta(days=3, minutes=1)
        bot.sandbox.faults.add("GET", f"/app/hook/deliveries/{bot.sandbox.deliveries[2].id}", Fault.FORBIDDEN)
        with pytest.raises(Forbidden):
            await first.poll()
        assert len(await bot.deliveries()) == 1, "what came before the failure counts, what is too old is not fetched"
        async with puller(bot) as restarted:
            assert await restarted.poll() == 2
            before = await used(bot)
            assert await restarted.poll() == await restarted.poll() == 0
            assert await used(bot) == before, "where nothing is new, asking costs nothing"
            bot.sandbox.open_issue(REPOSITORY, "stranger", "Nothing here acts on it")
            bot.sandbox.comment(REPOSITORY, 1, "stranger", "No command")
            await happen(bot)
            assert await restarted.poll() == 0
            assert await used(bot) - before == 2, "the list, and the one that may have held a command"
            assert await restarted.poll() == 0
            assert await used(bot) - before == 2


async def test_one_that_the_database_cannot_hold_is_named_with_what_it_is_about(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Ingest.store

    async def particular(ingest: Ingest, kept: Arrival) -> None:
        if kept.number == 1:
            raise DataError("it has a sign that no text has")
        await store(ingest, kept)

    monkeypatch.setattr(Ingest, "store", particular)
    refused = {"event": "issues", "outcome": "refused_pulled"}
    before = REGISTRY.get_sample_value("rootcause_deliveries_total", refused) or 0.0
    async with running_bot(database) as bot, puller(bot) as first:
        bot.prepare(1, 2)
        await happen(bot)
        with capture_logs([merge_contextvars]) as logs:
            assert await first.poll() == 2, "the installation and the other issue"
    (told,) = [entry for entry in logs if entry["event"] == "a delivery cannot be read"]
    assert (told["github_event"], told["action"], told["issue"], told["error"]) == ("issues", "closed", 1, "DataError")
    assert told["unit"] == f"issue:{told['repository_id']}:1"
    assert re.fullmatch(r"[0-9a-f-]{36}", told["delivery"])
    assert REGISTRY.get_sample_value("rootcause_deliveries_total", refused) == before + 1
