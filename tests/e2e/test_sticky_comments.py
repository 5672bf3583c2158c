"""The one comment that shows a proposal in its issue: where a repository asked for it, and all the times it is not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlmodel import update

from bot.features import sticky_comment
from bot.github import sender
from bot.sandbox.faults import Fault
from bot.store.database import Database
from bot.store.tables import Shown, Written
from bot.texts.proposal import PROPOSAL_MARKER
from tests.support.closed_issues import REPOSITORY, leaking, not_about_the_system
from tests.support.running import Running, running_bot

FILE = ".github/rootcause.yml"


def configure(bot: Running, text: str = "propose: comment\n") -> None:
    bot.prepare()
    bot.sandbox.put_file(REPOSITORY, FILE, text)


async def closed(bot: Running, number: int, closed_at: datetime | None = None, **facts: Any) -> None:
    bot.sandbox.seed_issue(REPOSITORY, leaking(number, closed_at, **facts), emit=True)
    await bot.settle()


async def say(bot: Running, number: int, words: str) -> None:
    bot.sandbox.comment(REPOSITORY, number, "triage-person", f"/rootcause {words}")
    await bot.settle()


async def test_one_comment_is_written_edited_and_folded_away(database: Database) -> None:
    async with running_bot(database) as bot:
        configure(bot)
        await closed(bot, 12)
        (comment,) = bot.answers(12)
        assert comment.startswith(PROPOSAL_MARKER)
        assert "**memory-leak** (" in comment
        assert "<details>" not in comment
        assert "@" not in comment
        assert not any(line.startswith("/rootcause") for line in comment.splitlines())
        await bot.refresh()
        assert bot.writes("POST", "/12/comments") == 1
        await say(bot, 12, "data-race")
        (comment,) = bot.answers(12)
        assert "<details><summary>Root cause: <b>data-race</b>, decided by maintainers</summary>" in comment
        bot.sandbox.put_file(REPOSITORY, FILE, "propose: inbox\n")
        async with bot.services.database.sessions.begin() as session:
            await session.execute(update(Shown).values(due=True))
        await say(bot, 12, "undo")
        (comment,) = bot.answers(12)
        assert "<details>" not in comment, "nobody has decided any more"
        await say(bot, 12, "none question")
        assert "not about the system: a question" in bot.answers(12)[0]
        assert bot.writes("POST", "/12/comments") == 1, "one comment for good"
        assert bot.sandbox.labels(REPOSITORY, 12) == ["bug"]


async def test_the_comment_is_found_again_and_never_made_twice(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "READ_BACK_SECONDS", 0.05)
    async with running_bot(database) as bot:
        configure(bot)
        bot.sandbox.faults.add("POST", "*/issues/12/comments", Fault.SERVER_ERROR_AFTER, count=1)
        await closed(bot, 12)
        assert len(bot.answers(12)) == 1
        async with bot.services.database.sessions.begin() as session:  # as if the process had ended before it knew
            await session.execute(update(Shown).values(comment_id=None, comment_digest=None, due=True))
            await session.delete(
                await session.get_one(Written, (bot.sandbox.repository(REPOSITORY).id, "#12 " + PROPOSAL_MARKER))
            )
        await bot.refresh()
        assert len(bot.answers(12)) == 1
        (comment,) = [one for one in bot.sandbox.comments(REPOSITORY, 12) if one.author_id == bot.sandbox.app.bot_id]
        bot.sandbox.delete_comment(comment.id, "admin-person")
        await say(bot, 12, "data-race")
        await say(bot, 12, "undo")
        assert bot.answers(12) == [], "what people delete stays deleted"


async def test_where_no_comment_is_written(database: Database) -> None:
    async with running_bot(database) as bot:
        configure(bot)
        bot.sandbox.add_user("reporter[bot]")
        now = datetime.now(UTC)
        bot.sandbox.seed_issue(REPOSITORY, leaking(1), emit=True)
        bot.sandbox.lock(REPOSITORY, 1, "admin-person")
        await bot.settle()
        await closed(bot, 2, now - timedelta(hours=5))
        await closed(bot, 3, author="reporter[bot]")
        bot.sandbox.seed_issue(REPOSITORY, not_about_the_system(4), emit=True)
        await closed(bot, 5, labels=["question"])
        await say(bot, 2, "data-race")
        assert len(await bot.records()) == 5
        assert [bot.answers(number) for number in range(1, 6)] == [[]] * 5
        bot.sandbox.unlock(REPOSITORY, 1, "admin-person")
        await bot.settle()
        await bot.refresh()
        assert bot.answers(1) == [], "the moment is over"


async def test_a_locked_issue_keeps_its_comment_as_it_was_until_it_is_unlocked(database: Database) -> None:
    async with running_bot(database) as bot:
        configure(bot)
        await closed(bot, 12)
        bot.sandbox.lock(REPOSITORY, 12, "admin-person")
        await bot.settle()
        bot.sandbox.comment(
            REPOSITORY, (await bot.repository()).inbox_number or 0, "triage-person", "/rootcause data-race #12"
        )
        await bot.settle()
        assert "<details>" not in bot.answers(12)[0]
        bot.sandbox.unlock(REPOSITORY, 12, "admin-person")
        await bot.settle()
        await bot.refresh()
        assert "<details>" in bot.answers(12)[0]


async def test_a_day_has_so_many_comments(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sticky_comment, "MOST_A_DAY", 2)
    async with running_bot(database) as bot:
        configure(bot)
        bot.prepare(1, 2, 3)
        await bot.settle()
        assert sorted(len(bot.answers(number)) for number in (1, 2, 3)) == [0, 1, 1]
        assert len(await bot.records()) == 3


async def test_nothing_is_written_while_observing(database: Database) -> None:
    async with running_bot(database, observe_days=7.0) as bot:
        configure(bot)
        await closed(bot, 12)
        assert [record.state for record in await bot.records()] == ["proposed"]
        assert bot.sandbox.writes == []
