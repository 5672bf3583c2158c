"""People edit the inbox in every way they can, or close it: nothing they decided is lost, nothing of theirs undone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.features.inbox_issue import switch_on
from bot.features.inbox_round import ask_for_inboxes
from bot.store.database import Database
from bot.store.tables import Repository
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.inboxes import lines, set_records, tick, ticked, unblind
from tests.support.running import Running, running_bot


async def write(bot: Running, login: str, body: str, *, emit: bool = True) -> None:
    """Save a text of the inbox's as a person does in its editor."""
    bot.sandbox.edit_issue(REPOSITORY, (await bot.inbox()).number, login, body=body, emit=emit)


async def some_minutes_ago(bot: Running, minutes: int) -> None:
    """Let the last edit of the inbox be so long ago."""
    (await bot.inbox()).edits[-1].at -= timedelta(minutes=minutes)


async def deciders(bot: Running) -> dict[int, str]:
    """Return who ticked which issue."""
    numbers = {record.issue_id: record.number for record in await bot.records()}
    logins = {one.id: one.login for one in bot.sandbox.world.accounts.values()}
    return {numbers[one.issue_id]: logins[one.person_id or 0] for one in await bot.decisions()}


async def test_an_inbox_is_left_alone_for_two_minutes_after_an_edit(database: Database) -> None:
    async with running_bot(database, inbox_quiet_seconds=120.0) as bot:
        bot.prepare(1, 2, 3)
        await bot.settle()
        await unblind(bot)
        await tick(bot, "write-person", 1)
        writes = len(bot.sandbox.writes)
        await bot.settle()
        assert await deciders(bot) == {1: "write-person"}, "the tick counts at once"
        bot.sandbox.comment(REPOSITORY, 2, "triage-person", "/rootcause data-race")
        bot.sandbox.comment(REPOSITORY, (await bot.inbox()).number, "triage-person", "I am looking at the third.")
        await bot.settle()
        assert len(bot.sandbox.writes) == writes + 1, "a reaction; the text is theirs for now"
        assert lines((await bot.inbox()).body) == [3, 2, 1]
        await bot.hasten()
        assert len(bot.sandbox.writes) == writes + 1, "asked again too early, it waits again"
        await some_minutes_ago(bot, 2)
        await bot.hasten()
        assert lines((await bot.inbox()).body) == [3], "deferred, not dropped: nobody asked again"
        bot.sandbox.comment(REPOSITORY, 3, "triage-person", "/rootcause data-race")
        await bot.settle()
        assert lines((await bot.inbox()).body) == [], "an edit of the App's own delays nothing"


async def test_one_text_written_over_another_loses_no_tick(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1, 2, 3, 4)
        await bot.settle()
        await unblind(bot)
        before = (await bot.inbox()).body or ""
        await tick(bot, "write-person", 1, emit=False)
        await write(bot, "admin-person", before, emit=False)  # an older text, saved with a tick of their own
        await tick(bot, "admin-person", 2, emit=False)
        edits = (await bot.inbox()).edits
        del edits[-2]  # the page sends both as one edit
        await tick(bot, "maintain-person", 3, emit=False)
        await tick(bot, "maintain-person", 4, emit=False)
        ticked_text = (await bot.inbox()).body or ""
        await write(bot, "maintain-person", ticked_text.replace("[x]", "[ ]", 1), emit=False)  # the fourth stands first
        await bot.refresh()
        assert await deciders(bot) == {1: "write-person", 2: "admin-person", 3: "maintain-person"}
        assert lines((await bot.inbox()).body) == [4]


async def test_a_tick_taken_back_before_it_is_read_decides_nothing(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1, 2)
        await bot.settle()
        await unblind(bot)
        before = (await bot.inbox()).body or ""
        await tick(bot, "write-person", 1)
        await write(bot, "write-person", before)
        writes = len(bot.sandbox.writes)
        await bot.settle()
        assert await bot.decisions() == []
        assert len(bot.sandbox.writes) == writes


async def test_whatever_breaks_the_text_it_is_repaired_and_ticks_in_it_count(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(*range(1, 8))
        await bot.settle()
        await unblind(bot)
        body = (await bot.inbox()).body or ""
        first = body.splitlines()[0]
        for broken in ("", body.replace(first, "").partition("- [")[0]):
            await write(bot, "write-person", broken)
            await bot.settle()
            assert (await bot.inbox()).body == body
        writes = len(bot.sandbox.writes)
        await write(bot, "write-person", body.replace("\n", "\r\n"))
        await bot.settle()
        assert len(bot.sandbox.writes) == writes, "line ends are nothing to repair"

        await set_records(bot, 5, blind=True)
        await set_records(bot, 6, asked_at=None)
        await set_records(bot, 7, asked_at=datetime.now(UTC) - timedelta(days=31))
        await write(bot, "write-person", body.replace("[ ]", "[X]").replace("\n", "\r\n"))
        await bot.settle()
        assert sorted(await deciders(bot)) == [1, 2, 3, 4], "not what is asked blind, was never shown, or has expired"
        assert ticked((await bot.inbox()).body or "") == ()
        assert lines((await bot.inbox()).body) == [6, 5]


@pytest.mark.parametrize("closer", ["maintain-person", "stale[bot]"])
async def test_closed_by_whomever_it_stays_closed_until_somebody_says_on(database: Database, closer: str) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        bot.sandbox.add_user("stale[bot]", "Bot")
        bot.sandbox.grant(REPOSITORY, "stale[bot]", "triage")
        await bot.settle()
        inbox = await bot.inbox()
        bot.sandbox.close(REPOSITORY, inbox.number, closer)
        bot.sandbox.seed_issue(REPOSITORY, leaking(2), emit=True)
        writes = len(bot.sandbox.writes)
        await bot.settle()
        await ask_for_inboxes(bot.services)
        await bot.settle()
        assert len(bot.sandbox.writes) == writes
        async with bot.services.database.sessions() as session:
            repository = await session.get_one(Repository, bot.sandbox.repository(REPOSITORY).id)
        await switch_on(bot.services, repository)
        await bot.settle()
        assert inbox.closed_at is None
        assert sorted(lines(inbox.body)) == [1, 2]
        assert bot.writes("POST", "/issues") == 1


async def test_questions_leave_after_their_time_though_nothing_happens(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1, 2)
        await bot.settle()
        await set_records(bot, 1, asked_at=datetime.now(UTC) - timedelta(days=30))
        await ask_for_inboxes(bot.services)
        await bot.settle()
        assert lines((await bot.inbox()).body) == [2]


async def test_nothing_is_written_in_the_first_days_and_the_first_inbox_says_so(database: Database) -> None:
    async with running_bot(database, observe_days=7.0) as bot:
        bot.prepare(1, 2)
        await bot.settle()
        await bot.hasten()
        assert [record.state for record in await bot.records()] == ["proposed"] * 2
        assert bot.sandbox.writes == []
        over = datetime.now(UTC)
        async with bot.services.database.sessions.begin() as session:
            (await session.get_one(Repository, bot.sandbox.repository(REPOSITORY).id)).observe_until = over
        await bot.hasten()
        body = (await bot.inbox()).body or ""
        assert sorted(lines(body)) == [1, 2], "it comes by itself once the days are over"
        said = f"This is the first thing that Rootcause writes here. Until {over.day} {over:%B %Y} it only watched"
        assert said in body
        for part in ("What will happen", "What will not happen", "How to try it", "How to switch it off"):
            assert body.count(f"**{part}.**") == 1
        assert len(bot.sandbox.writes) == 1

        await unblind(bot)
        await tick(bot, "write-person", 1)
        await bot.settle()
        body = (await bot.inbox()).body or ""
        assert said not in body
        assert "<details><summary>What this is, and how to switch it off</summary>" in body
