"""The inbox issue: what it asks, how it is answered in bulk and by ticks, and when it is left alone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from bot.sandbox.faults import Fault
from bot.store.database import Database
from tests.support.closed_issues import REPOSITORY, leaking, not_about_the_system
from tests.support.inboxes import lines, set_records, tick, ticked, unblind
from tests.support.running import running_bot

MONDAY = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
"""A week that is over: closings of the same week, whenever the test runs."""


async def test_the_week_in_the_inbox(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare()
        for number in range(1, 15):
            bot.sandbox.seed_issue(REPOSITORY, leaking(number, MONDAY + timedelta(hours=number)), emit=True)
        for number in range(15, 20):
            bot.sandbox.seed_issue(REPOSITORY, not_about_the_system(number, MONDAY), emit=True)
        await bot.settle()
        records = await bot.records()
        assert [record.eligible_system for record in records] == [True] * 19
        chosen = {one: {r.number for r in records if r.selection == one} for one in ("random", "targeted", None)}
        assert [len(numbers) for numbers in chosen.values()] == [10, 5, 4]
        assert chosen["random"] & set(range(15, 20)), "issues predicted none are asked about too"
        assert {r.selection_probability for r in records if r.selection == "random"} == {10 / 19}

        inbox = await bot.inbox()
        body = inbox.body or ""
        repository_id = bot.sandbox.repository(REPOSITORY).id
        assert body.startswith(f"<!-- rootcause:inbox repository={repository_id} -->\n")
        assert inbox.author_id == bot.sandbox.app.bot_id
        sample, targeted = body.split("### Also useful")
        assert set(lines(sample)) == chosen["random"]
        assert set(lines(targeted)) == chosen["targeted"]
        for record in records:
            asked = record.selection is not None
            assert (record.asked_at is not None) == asked
            box = f"<!-- rootcause:issue={record.issue_id} -->"
            assert (box in body) == (asked and not record.blind)
            assert not record.blind or record.selection == "random"
        assert bot.writes("POST", "/issues") == 1, "one inbox for nineteen closings"

        writes = len(bot.sandbox.writes)
        await bot.refresh()
        await bot.refresh()
        assert len(bot.sandbox.writes) == writes, "nothing changed, so nothing is written"
        assert (await bot.inbox()).number == inbox.number


async def test_bulk_decisions(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(*range(1, 7))
        await bot.settle()
        await unblind(bot)
        inbox = await bot.inbox()

        async def write(body: str, login: str = "triage-person") -> list[str]:
            comment = bot.sandbox.comment(REPOSITORY, inbox.number, login, body)
            await bot.settle()
            return bot.reactions(comment.id)

        assert await write("/rootcause confirm #1 #2\n/rootcause data-race ru #3\n/rootcause none #4 question") == [
            "+1"
        ]
        states = {one.number: (one.state, one.category, one.category2, one.none_kind) for one in await bot.records()}
        assert states[1] == states[2] == ("confirmed", "memory-leak", None, None)
        assert states[3] == ("corrected", "data-race", "resource-usage", None)
        assert states[4] == ("rejected", "none", None, "question")
        assert lines((await bot.inbox()).body) == [6, 5]
        assert "4 decided so far" in ((await bot.inbox()).body or "")

        assert await write("/rootcause undo #3") == ["+1"]
        assert lines((await bot.inbox()).body) == [6, 5, 3]
        assert await write("/rootcause confirm #77") == ["confused"], "there is no such issue"
        assert sorted(await write("/rootcause confirm #3 #77")) == ["+1", "confused"]
        assert await write("/rootcause confirm #5", "read-person") == ["-1"]
        assert await write("/rootcause confirm #5", "stranger") == ["-1"]
        assert "`#77`" in bot.answers(inbox.number)[0]
        assert await write("/rootcause confirm") == ["confused"]
        assert "Which issue?" in bot.answers(inbox.number)[-1]

        await set_records(bot, 5, blind=True)
        assert await write("/rootcause confirm #5") == ["confused"], "asked blind: the category has to be named"
        assert await write("/rootcause memory-leak #5") == ["+1"]
        blind = [one.blind for one in await bot.decisions()]
        assert blind == [False] * (len(blind) - 1) + [True]
        assert (await bot.records())[4].state == "confirmed"


async def test_ticks(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(*range(1, 7))
        bot.sandbox.add_user("other[bot]", "Bot")
        bot.sandbox.grant(REPOSITORY, "other[bot]", "write")
        await bot.settle()
        await unblind(bot)

        await tick(bot, "write-person", 1, 2)
        await bot.settle()
        decisions = await bot.decisions()
        person = bot.sandbox.account("write-person").id
        assert [(one.via, one.category, one.person_id) for one in decisions] == [("tick", "memory-leak", person)] * 2
        assert [record.state for record in await bot.records()][:2] == ["confirmed"] * 2
        assert lines((await bot.inbox()).body) == [6, 5, 4, 3]

        for login in ("other[bot]", "stranger"):
            await tick(bot, login, 3)
            await bot.settle()
            assert len(await bot.decisions()) == 2
            assert ticked((await bot.inbox()).body or "") == (), "a tick that counts for nothing does not stay"
            assert lines((await bot.inbox()).body) == [6, 5, 4, 3]

        # Decided by a comment while the box was still there: the tick that comes after says nothing new.
        bot.sandbox.faults.add("PATCH", "*/issues/*", Fault.ARCHIVED)
        bot.sandbox.comment(REPOSITORY, 3, "triage-person", "/rootcause data-race")
        await bot.settle()
        assert lines((await bot.inbox()).body) == [6, 5, 4, 3]
        await tick(bot, "write-person", 3)
        await bot.settle()
        assert [one.via for one in await bot.decisions()] == ["tick", "tick", "comment"]
        assert (await bot.records())[2].category == "data-race"
        assert lines((await bot.inbox()).body) == [6, 5, 4]

        await tick(bot, "write-person", 4, emit=False)
        await bot.refresh()
        assert (await bot.records())[3].state == "confirmed", "its event was lost, GitHub still knows who ticked"
        assert (await bot.decisions())[-1].person_id == person
        await tick(bot, "other[bot]", 5, emit=False)
        await bot.refresh()
        assert (await bot.records())[4].state == "proposed"
        assert lines((await bot.inbox()).body) == [6, 5]

        # Ticked, confirmed and taken back before the inbox was written anew: the box that is still ticked is done with.
        bot.sandbox.faults.add("PATCH", "*/issues/*", Fault.ARCHIVED)
        await tick(bot, "write-person", 5)
        await bot.settle()
        assert (await bot.records())[4].state == "confirmed"
        bot.sandbox.comment(REPOSITORY, 5, "write-person", "/rootcause undo")
        await bot.settle()
        assert (await bot.records())[4].state == "proposed"
        assert lines((await bot.inbox()).body) == [6, 5]
        assert ticked((await bot.inbox()).body or "") == ()


async def test_two_ticks_at_once_and_a_title_that_is_edited(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1, 2, 3)
        await bot.settle()
        await unblind(bot)
        await tick(bot, "write-person", 1)
        await tick(bot, "admin-person", 2)
        inbox = await bot.inbox()
        bot.sandbox.edit_issue(REPOSITORY, inbox.number, "maintain-person", title="Another title")
        await bot.settle()
        decisions = {one.issue_id: one.person_id for one in await bot.decisions()}
        first, second, third = await bot.records()
        assert decisions == {
            first.issue_id: bot.sandbox.account("write-person").id,
            second.issue_id: bot.sandbox.account("admin-person").id,
        }
        assert third.state == "proposed"
        assert inbox.title == "Another title", "the title is theirs"


async def test_a_text_that_was_broken_is_mended(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1, 2)
        await bot.settle()
        await unblind(bot)
        body = (await bot.inbox()).body
        for emit in (True, False):
            bot.sandbox.edit_issue(REPOSITORY, (await bot.inbox()).number, "write-person", body="Gone!", emit=emit)
            await (bot.settle() if emit else bot.refresh())
            assert (await bot.inbox()).body == body
        assert await bot.decisions() == []


async def test_closed_by_a_person_it_stays_closed(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        await bot.settle()
        inbox = await bot.inbox()
        before = inbox.body
        for emit in (True, False):
            bot.sandbox.close(REPOSITORY, inbox.number, "triage-person", emit=emit)
            writes = len(bot.sandbox.writes)
            bot.sandbox.seed_issue(REPOSITORY, leaking(2 if emit else 3), emit=True)
            await bot.settle()
            assert len(bot.sandbox.writes) == writes
            assert inbox.closed_at is not None
            assert (inbox.body == before) == emit
            bot.sandbox.reopen(REPOSITORY, inbox.number, "triage-person", emit=emit)
            await (bot.settle() if emit else bot.refresh())
            assert sorted(lines((await bot.inbox()).body)) == ([1, 2] if emit else [1, 2, 3])
        assert [record.number for record in await bot.records()] == [1, 2, 3], "the inbox itself is no record"


async def test_an_inbox_that_is_gone_is_not_made_again(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        await bot.settle()
        bot.sandbox.delete_issue(REPOSITORY, (await bot.inbox()).number, "admin-person", emit=False)
        bot.sandbox.seed_issue(REPOSITORY, leaking(2), emit=True)
        writes = len(bot.sandbox.writes)
        await bot.settle()
        await bot.refresh()
        assert len(bot.sandbox.writes) == writes
        assert (await bot.repository()).inbox_closed
        assert all(one.state == "done" for one in await bot.deliveries())


async def test_questions_expire(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1, 2)
        await bot.settle()
        month_ago = datetime.now(UTC) - timedelta(days=30)
        await set_records(bot, 1, asked_at=month_ago)
        await set_records(bot, 2, asked_at=month_ago + timedelta(minutes=5))
        await bot.refresh()
        body = (await bot.inbox()).body or ""
        assert lines(body) == [2]
        assert "1 expired without an answer" in body
        comment = bot.sandbox.comment(REPOSITORY, 1, "triage-person", "/rootcause memory-leak")
        await bot.settle()
        assert bot.reactions(comment.id) == ["+1"], "an answer that comes late still counts"
        first = (await bot.records())[0]
        assert (first.category, first.selection) == ("memory-leak", "random")


async def test_what_has_no_room_waits_unasked(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.texts.inbox.MOST_LINES", 12)
    hostile = "@all | `x` #1 <b>pytorch/pytorch#2</b> " + "@" * 300
    async with running_bot(database) as bot:
        bot.prepare()
        for week in range(2):
            for number in range(1, 11):
                closed = MONDAY - timedelta(weeks=week, hours=number)
                bot.sandbox.seed_issue(REPOSITORY, leaking(week * 10 + number, closed, title=hostile), emit=True)
        await bot.settle()
        body = (await bot.inbox()).body or ""
        assert len(await bot.records()) == 20
        assert len(lines(body)) == 12
        assert "8 more questions wait until there is room here." in body
        assert sum(record.asked_at is not None for record in await bot.records()) == 12
        bot.sandbox.comment(REPOSITORY, 1, "triage-person", "/rootcause memory-leak")
        await bot.settle()
        assert "7 more questions wait" in ((await bot.inbox()).body or "")
        assert sum(record.asked_at is not None for record in await bot.records()) == 13


async def test_hostile_titles_stay_in_their_line(database: Database) -> None:
    titles = [
        "@pytorch/all and @all please |a|b| `code` ``` #1 GH-2 pytorch/pytorch#3",
        f"<!-- --> <script>alert(1)</script> <img src=x> {'ab12' * 10} https://evil.example/x www.evil.example",
        "\u202eright to left\u2066 שלום\u200b [x](http://evil.example) ![y](z) - [x] <!-- rootcause:issue=1 -->",
        "first\n- [x] <!-- rootcause:issue=2 --> second\r\n/rootcause memory-leak\u2028# heading",
    ]
    async with running_bot(database) as bot:
        bot.prepare()
        for number, title in enumerate(titles, 1):
            bot.sandbox.seed_issue(REPOSITORY, leaking(number, title=title), emit=True)
        await bot.settle()
        await unblind(bot)
        body = (await bot.inbox()).body or ""
        assert sorted(lines(body)) == [1, 2, 3, 4]
        assert len(body.splitlines()) == len(body.split("\n")) - 1
        asked = [line for line in body.splitlines() if line.startswith("- [")]
        assert len(asked) == 4
        assert ticked(body) == ()
        for line in asked:
            without_ours = re.sub(r"^- \[ \] <!-- rootcause:issue=\d+ --> \[#\d+\]\(http://127[^)]*\)", "", line)
            assert without_ours != line
            assert not re.search(
                r"@[\w]|(?<!&)#\d|<[!a-z]|GH-\d|[0-9a-f]{7}|https?://|www\.|\]\(|\u202e|\u2066|`", without_ours
            )
        assert not any(line.startswith("/rootcause") for line in body.splitlines())
        assert await bot.decisions() == []


async def test_reopened_issues_leave_the_inbox(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1, 2)
        await bot.settle()
        bot.sandbox.reopen(REPOSITORY, 1, "triage-person")
        await bot.settle()
        assert lines((await bot.inbox()).body) == [2]
        bot.sandbox.comment(REPOSITORY, (await bot.inbox()).number, "triage-person", "/rootcause data-race #1")
        await bot.settle()
        assert await bot.decisions() == [], "it waits until the issue is closed again"
        bot.sandbox.close(REPOSITORY, 1, "triage-person")
        await bot.settle()
        assert (await bot.records())[0].category == "data-race"
        assert lines((await bot.inbox()).body) == [2]
        assert bot.writes("POST", "/issues") == 1


async def test_a_week_that_is_settled_is_left_alone(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare()
        bot.sandbox.seed_issue(REPOSITORY, leaking(1, MONDAY), emit=True)
        bot.sandbox.seed_issue(REPOSITORY, leaking(2, MONDAY + timedelta(days=7)), emit=True)
        await bot.settle()
        long_ago = datetime.now(UTC) - timedelta(days=40)
        await set_records(bot, 1, gathered_at=long_ago, asked_at=long_ago, selection="imported")
        await bot.refresh()
        assert [record.selection for record in await bot.records()] == ["imported", "random"]
        assert lines((await bot.inbox()).body) == [2]
