"""`similar` and `explain`, from the comment to the App's one answer: in a closed issue, an open one, and the inbox."""

from __future__ import annotations

from sqlmodel import update

from bot.store.database import Database
from bot.store.tables import Record
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import running_bot


async def test_what_is_asked_is_answered_and_decides_nothing(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1, 2, 3)
        opened = bot.sandbox.open_issue(
            REPOSITORY, "reporter", "Memory leak in the data loader", "It is never released."
        )
        await bot.settle()
        async with database.sessions.begin() as session:
            await session.execute(update(Record).values(blind=False))
        bot.sandbox.comment(REPOSITORY, 1, "triage-person", "/rootcause memory-leak")
        bot.sandbox.comment(REPOSITORY, 2, "triage-person", "/rootcause none question")
        await bot.settle()
        asked = bot.sandbox.comment(REPOSITORY, 3, "triage-person", "/rootcause similar\n/rootcause explain")
        waiting = bot.sandbox.comment(REPOSITORY, opened.number, "triage-person", "/rootcause similar")
        refused = bot.sandbox.comment(REPOSITORY, 3, "read-person", "/rootcause similar")
        await bot.settle()
        assert bot.reactions(asked.id) == ["+1"]
        assert bot.reactions(waiting.id) == ["eyes"]
        assert bot.reactions(refused.id) == ["-1"]
        (answer,) = bot.answers(3)
        assert "[#1](" in answer
        assert "`memory-leak` | [#999999](" in answer
        assert "`none` (question)" in answer
        assert "makes of `#3`" in answer
        assert [one.state for one in await bot.records()] == ["confirmed", "rejected", "proposed"]
        assert len(await bot.decisions()) == 2

        bot.sandbox.close(REPOSITORY, opened.number, "write-person")
        await bot.hasten()
        (answer,) = bot.answers(opened.number)
        assert "Confirmed issues like" in answer
        assert "+1" in bot.reactions(waiting.id)

        inbox = await bot.inbox()
        bot.sandbox.comment(REPOSITORY, inbox.number, "triage-person", "/rootcause explain #3 #1")
        await bot.settle()
        (answer,) = bot.answers(inbox.number)
        assert answer.count("makes of") == 2
        assert leaking()["title"] not in answer
