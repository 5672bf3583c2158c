"""The kind of bug, what is left alone or gathered again, two answers, circles, and what breaks: from the webhook."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.features import applying
from bot.features.collect import collect
from bot.features.talk import Reply, speak
from bot.features.telling import tell
from bot.github.errors import Transient
from bot.sandbox.faults import Fault
from bot.store.database import Database
from bot.store.left_alone import left_alone
from bot.store.proposals import newest_proposals
from bot.store.tables import Proposal, Record
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.inboxes import tick, unblind
from tests.support.running import Running, running_bot


async def said(bot: Running, number: int, body: str, login: str = "triage-person") -> int:
    """Let a person comment, wait until all is quiet, and return the comment's id."""
    comment = bot.sandbox.comment(REPOSITORY, number, login, body)
    await bot.settle()
    return comment.id


async def record_of(bot: Running, number: int) -> Record:
    return next(record for record in await bot.records() if record.number == number)


async def proposal_of(bot: Running, number: int) -> Proposal | None:
    record = await record_of(bot, number)
    async with bot.services.database.sessions() as session:
        return (await newest_proposals(session, [record.issue_id])).get(record.issue_id)


async def inbox_text(bot: Running) -> str:
    return (await bot.inbox()).body or ""


async def test_a_kind_of_bug_outlives_every_gathering_until_it_is_taken_back(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        bot.sandbox.seed_issue(REPOSITORY, leaking(2), close=False)
        await bot.settle()
        assert bot.reactions(await said(bot, 1, "/rootcause type memory")) == ["+1"]
        assert bot.reactions(await said(bot, 1, "/rootcause type memory", "read-person")) == ["-1"]
        waiting = await said(bot, 2, "/rootcause type deploy\n/rootcause leak")
        assert bot.reactions(waiting) == ["eyes"]
        bot.sandbox.close(REPOSITORY, 2, "triage-person", closer=bot.sandbox.fix_of(REPOSITORY, 2))
        await bot.settle()
        assert bot.reactions(waiting) == ["eyes", "+1"]
        assert [(one.bug_type, one.category) for one in await bot.records()] == [
            ("memory", None),
            ("deployment", "memory-leak"),
        ]
        assert (await record_of(bot, 1)).state == "proposed", "the second axis decides nothing of the first"

        gathered = (await record_of(bot, 1)).gathered_at
        assert bot.reactions(await said(bot, 1, "/rootcause recheck")) == ["+1"]
        assert (await record_of(bot, 1)).gathered_at > gathered
        assert bot.reactions(await said(bot, 1, "/rootcause type Algorithm design")) == ["+1"]
        await collect(bot.services, await bot.repository(), 1, at_closing=True)
        assert (await record_of(bot, 1)).bug_type == "algorithm-design"

        await said(bot, 2, "/rootcause recheck")
        assert (await record_of(bot, 2)).category == "memory-leak", "a decision stays"

        wrong = await said(bot, 1, "/rootcause type memroy\n/rootcause type")
        assert bot.reactions(wrong) == ["confused"]
        assert "Nearest: `type memory`" in bot.answers(1)[0]
        assert "Which kind of bug is it?" in bot.answers(1)[0]

        inbox = (await bot.inbox()).number
        assert bot.reactions(await said(bot, inbox, "/rootcause undo #1")) == ["+1"]
        assert (await record_of(bot, 1)).bug_type == "memory", "the word before counts again"
        assert bot.reactions(await said(bot, 1, "/rootcause undo")) == ["+1"]
        await said(bot, 1, "/rootcause recheck")
        record = await record_of(bot, 1)
        assert (record.bug_type, record.state) == (None, "proposed")
        assert bot.reactions(await said(bot, inbox, "/rootcause undo #1")) == ["confused"]
        (answer,) = bot.answers(inbox)
        assert "There is nothing to take back of `#1`" in answer


async def test_an_issue_that_is_left_alone_is_measured_and_nothing_else(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        bot.sandbox.seed_issue(REPOSITORY, leaking(2), close=False)
        await bot.settle()
        author = "reporter"
        assert bot.reactions(await said(bot, 2, "/rootcause off", "stranger")) == ["-1"]
        assert bot.reactions(await said(bot, 2, "/rootcause off", author)) == ["+1"], "at once: it is open"
        bot.sandbox.close(REPOSITORY, 2, "triage-person", closer=bot.sandbox.fix_of(REPOSITORY, 2))
        await bot.settle()
        record = await record_of(bot, 2)
        assert (record.state, record.changed_lines) == ("collected", 16)
        assert await proposal_of(bot, 2) is None
        assert f"issue={record.issue_id} " not in await inbox_text(bot)

        first = (await record_of(bot, 1)).issue_id
        assert f"issue={first} " in await inbox_text(bot)
        inbox = (await bot.inbox()).number
        assert bot.reactions(await said(bot, inbox, "/rootcause off #1")) == ["+1"]
        assert f"issue={first} " not in await inbox_text(bot), "it drops out of the inbox"
        assert bot.reactions(await said(bot, 1, "/rootcause recheck")) == ["confused"]
        assert "`#1` is left alone" in bot.answers(1)[0]
        assert bot.reactions(await said(bot, 1, "/rootcause data-race")) == ["+1"], "a maintainer's word counts"
        assert (await record_of(bot, 1)).category == "data-race"
        await said(bot, 1, "/rootcause undo")
        assert f"issue={first} " not in await inbox_text(bot)

        assert bot.answers(2) == [], "nothing is written there"
        assert bot.reactions(await said(bot, 2, "/rootcause on", author)) == ["+1"]
        assert await proposal_of(bot, 2) is not None
        assert bot.reactions(await said(bot, inbox, "/rootcause on #1")) == ["+1"]
        text = await inbox_text(bot)
        assert [f"issue={one} " in text for one in (first, record.issue_id)] == [True, True]
        async with database.sessions() as session:
            assert await left_alone(session, bot.sandbox.repository(REPOSITORY).id, [1, 2]) == frozenset()


async def test_two_answers_are_shown_until_somebody_resolves_them(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        bot.sandbox.grant(REPOSITORY, "third-person", "triage")
        await bot.settle()
        await said(bot, 1, "/rootcause memory-leak")
        assert "Two answers" not in await inbox_text(bot)
        await said(bot, 1, "/rootcause data-race", "write-person")
        assert "**memory-leak** or **data-race**" in await inbox_text(bot)
        assert "-person" not in await inbox_text(bot), "nobody is named"
        await said(bot, 1, "/rootcause data-race", "third-person")
        assert "**memory-leak** or **data-race**" in await inbox_text(bot), "a majority resolves nothing"
        assert (await record_of(bot, 1)).state == "disputed"

        await said(bot, 1, "/rootcause conversion", "maintain-person")
        assert "Two answers" not in await inbox_text(bot)
        record = await record_of(bot, 1)
        assert (record.state, record.category) == ("corrected", "conversion")
        assert len([one for one in await bot.decisions() if one.undone_at is None]) == 4, "all words are kept"

        await said(bot, 1, "/rootcause undo")
        assert "**memory-leak** or **data-race**" in await inbox_text(bot), "without that word they disagree again"
        await said(bot, 1, "/rootcause data-race")
        assert "Two answers" not in await inbox_text(bot), "one took over the other's answer"
        assert (await record_of(bot, 1)).category == "data-race"


async def test_an_inbox_that_was_closed_asks_again_after_on(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        await bot.settle()
        inbox = (await bot.inbox()).number
        bot.sandbox.close(REPOSITORY, inbox, "triage-person")
        await bot.settle()
        assert (await bot.repository()).inbox_closed
        assert bot.reactions(await said(bot, inbox, "/rootcause on", "stranger")) == ["-1"]
        assert (await bot.repository()).inbox_closed
        assert bot.reactions(await said(bot, inbox, "/rootcause off")) == ["confused"]
        assert "To switch all questions off, close the inbox." in bot.answers(inbox)[0]
        switched = await said(bot, inbox, "/rootcause on")
        assert bot.reactions(switched) == ["+1"]
        assert not (await bot.repository()).inbox_closed
        assert f"issue={(await record_of(bot, 1)).issue_id} " in await inbox_text(bot)
        assert bot.writes("POST", "/issues") == 1, "there is no second inbox"


async def test_two_apps_that_answer_each_other_come_to_an_end(database: Database) -> None:
    answers: dict[str, Callable[[str], str]] = {
        "echo": lambda text: f"You said:\n\n/rootcause {text.split('`')[1] if '`' in text else text}",
        "quotes": lambda text: "\n".join(f"/rootcause {line}" for line in text.splitlines() if line),
        "alternates": lambda text: "/rootcause similar" if "likeliest" in text else "/rootcause explain",
    }
    async with running_bot(database) as bot:
        bot.prepare(*range(1, len(answers) + 1))
        await bot.settle()
        for number, (login, replied) in enumerate(answers.items(), 1):
            bot.sandbox.grant(REPOSITORY, login, "write")
            writes, text = len(bot.sandbox.writes), "memroy-leak"
            for _ in range(6):  # it goes on even where nothing new was said
                await said(bot, number, replied(text), login)
                text = bot.answers(number)[0] if bot.answers(number) else text
            assert 3 <= len(bot.sandbox.writes) - writes <= 5, login
        assert bot.reactions(await said(bot, 1, "/rootcause confirm")) == ["+1"], "a person is answered all the same"
        metrics = await (await bot.session.get(str(bot.web.make_url("/metrics")))).text()
        assert 'rootcause_circuit_breaker_total{kind="React"}' in metrics
        assert await bot.decisions() != []


async def test_a_command_that_breaks_blocks_nothing_else(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(session: Any, record: Record, name: str) -> str:
        if name == "similar":
            raise ZeroDivisionError("nobody foresaw this")
        return await tell(session, record, name)

    monkeypatch.setattr(applying, "tell", broken)
    with capture_logs() as logs:
        await breaking_commands(database)
    broke = [one for one in logs if one["event"] == "command broke"]
    assert {(one["log_level"], one["number"]) for one in broke} == {("error", 1)}


async def closed_on_a_breaking_command(bot: Running, command: str) -> tuple[int, int]:
    """Close an issue in which a command waits that breaks, and one that does not; return their comments."""
    bot.prepare()
    bot.sandbox.seed_issue(REPOSITORY, leaking(1), close=False)
    breaking = await said(bot, 1, command)
    waiting = await said(bot, 1, "/rootcause data-race")
    bot.sandbox.close(REPOSITORY, 1, "triage-person", closer=bot.sandbox.fix_of(REPOSITORY, 1))
    for _ in range(3):
        await bot.hasten()
    return breaking, waiting


async def breaking_commands(database: Database) -> None:
    async with running_bot(database) as bot:
        breaking, waiting = await closed_on_a_breaking_command(bot, "/rootcause similar")
        (record,) = await bot.records()
        assert record.category == "data-race"
        assert bot.reactions(breaking) == ["eyes", "confused"]
        assert bot.reactions(waiting) == ["eyes", "+1"]
        assert [one.state for one in await bot.commands()] == ["confused", "done"]
        assert "Something went wrong on my side with `/rootcause similar`" in bot.answers(1)[0]
        assert all(one.state == "done" for one in await bot.deliveries())

        both = await said(bot, 1, "/rootcause similar\n/rootcause memory-leak")
        for _ in range(2):
            await bot.hasten()
        assert sorted(bot.reactions(both)) == ["+1", "confused"]
        assert (await record_of(bot, 1)).category == "memory-leak"


async def test_who_wrote_and_who_edited_a_comment_both_have_to_be_allowed_it(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        await bot.settle()
        hidden = await said(bot, 1, "Here is my log:\n\n```\nlines\n/rootcause none question\n", "stranger")
        assert bot.reactions(hidden) == []
        shown = "Here is my log:\n\n```\nlines\n```\n\n/rootcause none question\n"
        bot.sandbox.edit_comment(hidden, "admin-person", shown)
        await bot.settle()
        assert bot.reactions(hidden) == ["-1"]
        assert (await bot.decisions(), bot.answers(1)) == ([], [])

        bot.sandbox.grant(REPOSITORY, "unasked-person", "admin")
        mine = await said(bot, 1, "So it is.", "unasked-person")
        bot.sandbox.faults.add("GET", "*/collaborators/unasked-person/permission", Fault.FORBIDDEN)
        bot.sandbox.edit_comment(mine, "admin-person", "/rootcause none question")
        await bot.settle()
        assert (bot.reactions(mine), await bot.decisions()) == (["-1"], [])
        assert "could not check" in bot.answers(1)[0]

        theirs = await said(bot, 1, "So it is.", "triage-person")
        bot.sandbox.edit_comment(theirs, "write-person", "/rootcause none question")
        await bot.settle()
        assert bot.reactions(theirs) == ["+1"]
        assert [one.category for one in await bot.decisions()] == ["none"]


async def test_a_fix_that_breaks_the_gathering_does_not_keep_the_issue_from_being_recorded(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any) -> str:
        raise KeyError("nobody foresaw this")

    monkeypatch.setattr("bot.features.collect.presence", broken)
    with capture_logs():  # without the long tracebacks
        await breaking_fix(database)


async def breaking_fix(database: Database) -> None:
    async with running_bot(database) as bot:
        breaking, waiting = await closed_on_a_breaking_command(bot, "/rootcause fix #77")
        assert [(one.category, one.fix_link) for one in await bot.records()] == [("data-race", "closer_pr")]
        assert (bot.reactions(breaking), bot.reactions(waiting)) == (["eyes", "confused"], ["eyes", "+1"])


async def test_deleting_or_editing_away_a_waiting_command_takes_nothing_back(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare()
        bot.sandbox.seed_issue(REPOSITORY, leaking(1), close=False)
        edited = await said(bot, 1, f"/rootcause reproduced never\n/rootcause fix #{1_000_000 - 1}")
        deleted = await said(bot, 1, "/rootcause data-race")
        bot.sandbox.edit_comment(edited, "triage-person", "Never mind.")
        bot.sandbox.delete_comment(deleted, "triage-person")
        bot.sandbox.close(REPOSITORY, 1, "triage-person", closer=None)
        await bot.settle()
        (record,) = await bot.records()
        assert (record.category, record.fix_link) == ("data-race", "manual")
        assert record.comments_until_reproduced_source == "command"
        assert bot.reactions(edited) == ["eyes", "+1"]
        assert all(one.state == "done" for one in await bot.deliveries())


async def test_an_issue_that_is_left_alone_is_so_where_it_was_transferred_to(database: Database) -> None:
    other = "pytorch/vision"
    async with running_bot(database) as bot:
        bot.prepare()
        bot.sandbox.add_repository("pytorch", "vision")
        bot.sandbox.grant(other, "triage-person", "triage")
        bot.sandbox.select_repositories("pytorch", add=(other,))
        bot.sandbox.seed_issue(REPOSITORY, leaking(1), emit=True)
        await bot.settle()
        await said(bot, 1, "/rootcause off")
        moved = bot.sandbox.transfer_issue(REPOSITORY, 1, other, "triage-person")
        await bot.settle()
        async with database.sessions() as session:
            repository_id = bot.sandbox.repository(other).id
            assert await left_alone(session, repository_id, [moved.number]) == {moved.number}
        comment = bot.sandbox.comment(other, moved.number, "triage-person", "/rootcause undo")
        await bot.settle()
        assert bot.reactions(comment.id) == ["confused"]
        (answer,) = bot.answers(moved.number, other)
        assert f"There is nothing to take back of `#{moved.number}`" in answer


async def test_an_account_that_the_repository_counts_as_a_bot_is_not_answered(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        bot.sandbox.put_file(REPOSITORY, ".github/rootcause.yml", "eligibility: {bots: [write-person]}\n")
        await bot.settle()
        comment = bot.sandbox.comment(REPOSITORY, 1, "write-person", "/rootcause data-race\n/rootcause confrim")
        await bot.settle()
        assert bot.reactions(comment.id) == bot.answers(1) == []
        assert await bot.decisions() == []
        await unblind(bot)
        await tick(bot, "write-person", 1)
        await bot.settle()
        assert await bot.decisions() == []


async def test_workers_that_speak_in_one_issue_at_once_leave_one_answer(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        await bot.settle()
        repository, number = await bot.repository(), (await bot.inbox()).number
        comments = [bot.sandbox.comment(REPOSITORY, number, "triage-person", "hello") for _ in range(4)]
        speaking = (speak(bot.services, repository, number, one.id, Reply((), words=["I see."])) for one in comments)
        outcomes = await asyncio.gather(*speaking, return_exceptions=True)
        assert len(bot.answers(number)) == 1
        assert {type(one) for one in outcomes} <= {type(None), Transient}, "the others are tried again"
        await speak(bot.services, repository, number, comments[0].id, Reply((), words=["I see better."]))
        (answer,) = bot.answers(number)
        assert "I see better." in answer
