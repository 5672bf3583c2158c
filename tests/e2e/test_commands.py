"""Commands in comments, from the signed webhook to the reaction: who may, what counts, and what is answered."""

from __future__ import annotations

from typing import Any

import pytest
from sqlmodel import col, update

from bot.sandbox.faults import Fault
from bot.sandbox.outbox import Outbox
from bot.store.database import Database
from bot.store.tables import Delivery
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import Running, running_bot


async def said(bot: Running, number: int, login: str, body: str) -> int:
    """Let a person comment, wait until all is quiet, and return the comment's id."""
    comment = bot.sandbox.comment(REPOSITORY, number, login, body)
    await bot.settle()
    return comment.id


async def test_rights_decide_who_may(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_bot(database) as bot:
        bot.prepare(*range(1, 9))
        await bot.settle()
        thread = len(bot.sandbox.comments(REPOSITORY, 1))

        for number, login in enumerate(["triage-person", "write-person", "maintain-person", "admin-person"], 1):
            comment = await said(bot, number, login, "/rootcause data-race")
            assert bot.reactions(comment) == ["+1"], login
            record = (await bot.records())[number - 1]
            assert (record.state, record.category, record.category_source) == ("corrected", "data-race", "decision")
        before = await bot.decisions()
        for number, login in enumerate(["read-person", "stranger"], 5):
            comment = await said(bot, number, login, "/rootcause data-race")
            assert bot.reactions(comment) == ["-1"], login
            comment = await said(bot, number, login, "/rootcause memroy-leak")
            assert bot.reactions(comment) == ["confused"], login

        def custom_role(*_: Any) -> dict[str, Any]:
            return {"permission": "write", "role_name": "Security Champion", "user": {"login": "custom-person"}}

        bot.sandbox.add_user("custom-person")
        monkeypatch.setattr("bot.sandbox.rest_repositories.collaborator_permission", custom_role)
        comment = await said(bot, 7, "custom-person", "/rootcause data-race")
        assert bot.reactions(comment) == ["-1"]
        monkeypatch.undo()
        bot.sandbox.grant(REPOSITORY, "unasked-person", "admin")
        path = "/repos/pytorch/pytorch/collaborators/*"
        bot.sandbox.faults.add("GET", path, Fault.FORBIDDEN)
        comment = await said(bot, 8, "unasked-person", "/rootcause data-race")
        assert bot.reactions(comment) == ["-1"]
        assert len(bot.answers(8)) == 1
        assert "could not check" in bot.answers(8)[0]

        assert await bot.decisions() == before
        assert {command.number for command in await bot.commands()} == {1, 2, 3, 4}, "nothing refused is stored"
        for number in range(1, 7):
            assert bot.answers(number) == []
        assert len(bot.sandbox.comments(REPOSITORY, 5)) == thread + 2


async def test_only_a_line_of_its_own_is_a_command(database: Database) -> None:
    hidden = [
        "```\n/rootcause memory-leak\n```",
        "    /rootcause memory-leak",
        "> /rootcause memory-leak",
        "<!--\n/rootcause memory-leak\n-->",
        "Please write `/rootcause memory-leak` here.",
        "I would say /rootcause memory-leak",
        "`/rootcause memory-leak`",
        "/rootcausememory-leak",
    ]
    async with running_bot(database) as bot:
        bot.prepare(1)
        await bot.settle()
        comments = [await said(bot, 1, "triage-person", body) for body in hidden]
        assert [bot.reactions(comment) for comment in comments] == [[]] * len(hidden)
        assert await bot.decisions() == []
        assert await bot.commands() == []
        assert bot.answers(1) == []
        mention = await said(bot, 1, "triage-person", f"I think:\n\n@{bot.sandbox.app.slug} leak\n\nThanks!")
        assert bot.reactions(mention) == ["+1"]
        assert [decision.category for decision in await bot.decisions()] == ["memory-leak"]


async def test_what_each_command_does(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1, 2, 3)
        await bot.settle()

        async def standing(number: int) -> tuple[str, str | None, str | None]:
            record = (await bot.records())[number - 1]
            return record.state, record.category, record.none_kind

        undo = await said(bot, 1, "triage-person", "/rootcause undo")
        assert bot.reactions(undo) == ["confused"], "there is nothing to undo"
        assert (await bot.commands())[0].state == "confused"
        assert bot.reactions(await said(bot, 1, "triage-person", "/rootcause confirm")) == ["+1"]
        assert await standing(1) == ("confirmed", "memory-leak", None)
        assert bot.reactions(await said(bot, 1, "triage-person", "/rootcause none question")) == ["+1"]
        assert await standing(1) == ("rejected", "none", "question")
        await said(bot, 1, "triage-person", "/rootcause undo")
        assert await standing(1) == ("confirmed", "memory-leak", None), "the person's earlier word counts again"

        await said(bot, 1, "write-person", "/rootcause data-race")
        assert await standing(1) == ("disputed", None, None)
        assert bot.reactions(await said(bot, 1, "admin-person", "/rootcause undo")) == ["+1"], "anyone's last decision"
        assert await standing(1) == ("confirmed", "memory-leak", None)
        await said(bot, 1, "admin-person", "/rootcause undo")
        assert await standing(1) == ("proposed", None, None)
        assert len([one for one in await bot.decisions() if one.undone_at]) == 3
        line = f"<!-- rootcause:issue={(await bot.records())[0].issue_id} -->"
        assert line in ((await bot.inbox()).body or ""), "an issue nobody decides any more is asked about again"

        both = await said(bot, 2, "triage-person", "/rootcause leak, resources\n\n/rootcause conf\n/rootcause help")
        assert sorted(bot.reactions(both)) == ["+1", "confused"]
        record = (await bot.records())[1]
        assert (record.category, record.category2) == ("memory-leak", "resource-usage")
        (answer,) = bot.answers(2)
        assert "I do not know `conf`" in answer
        assert "`/rootcause confirm`" in answer

        command = await said(bot, 3, "triage-person", "/rootcause confirm #1")
        assert bot.reactions(command) == ["confused"], "in an issue a command is about that issue"
        assert await standing(3) == ("proposed", None, None)


async def test_words_are_said_once_and_edited_in_place(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1, 2)
        await bot.settle()
        first = await said(bot, 1, "triage-person", "/rootcause memroy-leak")
        assert bot.reactions(first) == ["confused"]
        (answer,) = bot.answers(1)
        assert "`memory-leak`" in answer
        assert f"Answer to [`/rootcause memroy-leak`](#issuecomment-{first}):" in answer
        await said(bot, 1, "triage-person", "/rootcause dta-race")
        (second,) = bot.answers(1)
        assert "`data-race`" in second
        assert "memroy" not in second
        writes = len(bot.sandbox.writes)
        await said(bot, 1, "triage-person", "/rootcause dta-race")
        assert len(bot.sandbox.writes) == writes + 1, "only the reaction"
        assert bot.answers(1) == [second]

        for login in ("stranger", "read-person"):
            assert bot.reactions(await said(bot, 2, login, "/rootcause help")) == ["+1"]
        assert bot.answers(2) == [], "people without triage rights only ever get a reaction"
        assert bot.reactions(await said(bot, 2, "triage-person", "/rootcause help")) == ["+1"]
        (helped,) = bot.answers(2)
        assert "| `/rootcause confirm` |" in helped
        assert await bot.decisions() == []
        assert not any(line.startswith("/rootcause") for text in (second, helped) for line in text.splitlines())


async def test_edits_run_what_is_new_and_deleting_takes_nothing_back(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        await bot.settle()
        comment = await said(bot, 1, "triage-person", "/rootcause memory-leak")
        bot.sandbox.edit_comment(comment, "triage-person", "A word before.\n\n/rootcause memory-leak")
        await bot.settle()
        assert len(await bot.decisions()) == 1
        bot.sandbox.edit_comment(comment, "triage-person", "/rootcause memory-leak\n/rootcause data-race")
        await bot.settle()
        assert [one.category for one in await bot.decisions()] == ["memory-leak", "data-race"]
        bot.sandbox.edit_comment(comment, "triage-person", "Never mind.")
        bot.sandbox.delete_comment(comment, "triage-person")
        await bot.settle()
        assert (await bot.records())[0].category == "data-race"

        stranger = await said(bot, 1, "stranger", "Me too.")
        bot.sandbox.edit_comment(stranger, "triage-person", "/rootcause memory-leak")
        await bot.settle()
        assert bot.reactions(stranger) == ["-1"], "whoever wrote the comment has to be allowed it as well"
        assert (await bot.records())[0].category == "data-race"


@pytest.mark.parametrize("comment_first", [True, False], ids=["comment first", "closing first"])
async def test_the_comment_that_closes_decides(database: Database, comment_first: bool) -> None:
    async with running_bot(database, settle_seconds=60.0) as bot:
        bot.prepare()
        bot.sandbox.seed_issue(REPOSITORY, leaking(1), close=False)
        await bot.settle()
        fix = bot.sandbox.fix_of(REPOSITORY, 1)
        if not comment_first:
            bot.sandbox.close(REPOSITORY, 1, "triage-person", closer=fix)
            await bot.settle()
            assert await bot.records() == [], "the closing settles"
        comment = bot.sandbox.comment(REPOSITORY, 1, "triage-person", "Fixed.\n\n/rootcause data-race")
        await bot.settle()
        assert bot.reactions(comment.id) == ["eyes"], "answered at once, before the closing has settled"
        assert await bot.records() == []
        if comment_first:
            bot.sandbox.close(REPOSITORY, 1, "triage-person", closer=fix)
            await bot.settle()
        await bot.hasten()
        (record,) = await bot.records()
        assert (record.state, record.category) == ("corrected", "data-race")
        assert bot.reactions(comment.id) == ["eyes", "+1"]
        assert len(await bot.decisions()) == 1
        await bot.settle()
        assert bot.writes("POST", "/issues") == 0, "nothing is asked, so there is no inbox"


async def test_commands_in_an_open_issue_wait_for_its_closing(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare()
        bot.sandbox.seed_issue(REPOSITORY, leaking(1), close=False)
        comments = [
            await said(bot, 1, "triage-person", f"/rootcause {words}") for words in ("undo", "data-race", "none docs")
        ]
        refused = await said(bot, 1, "stranger", "/rootcause memory-leak")
        assert [bot.reactions(comment) for comment in comments] == [["eyes"]] * 3
        assert bot.reactions(refused) == ["-1"]
        assert await bot.decisions() == []
        bot.sandbox.faults.add("POST", f"*/comments/{comments[1]}/reactions", Fault.ARCHIVED)
        bot.sandbox.faults.add("POST", f"*/comments/{comments[2]}/reactions", Fault.FORBIDDEN)
        bot.sandbox.close(REPOSITORY, 1, "triage-person", closer=bot.sandbox.fix_of(REPOSITORY, 1))
        await bot.settle()
        (record,) = await bot.records()
        assert (record.state, record.category, record.none_kind) == ("rejected", "none", "docs")
        assert [one.category for one in await bot.decisions()] == ["data-race", "none"]
        assert bot.reactions(comments[0]) == ["eyes", "confused"]
        assert bot.reactions(comments[2]) == ["eyes"], "GitHub refused the reaction"
        (closing,) = [one for one in await bot.deliveries() if one.action == "closed"]
        assert closing.state == "failed"

        await process_again(bot, closing.guid)
        assert bot.reactions(comments[2]) == ["eyes", "+1"], "an answer that is owed is given later"
        assert len(await bot.decisions()) == 2


async def process_again(bot: Running, guid: str) -> None:
    """Let a delivery that was handled be handled once more, as after the loss of a worker."""
    async with bot.services.database.sessions.begin() as session:
        await session.execute(update(Delivery).where(col(Delivery.guid) == guid).values(state="failed"))
    delivery = next(one for one in bot.sandbox.deliveries if one.guid == guid)
    Outbox(bot.sandbox.world).again(delivery)
    await bot.settle()


async def test_the_same_delivery_counts_once(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        await bot.settle()
        undo = await said(bot, 1, "triage-person", "/rootcause undo")
        comment = await said(bot, 1, "triage-person", "/rootcause data-race")
        (delivery,) = [one for one in bot.sandbox.deliveries if f'"id":{comment},' in one.payload]
        for _ in range(3):
            status = await bot.session.post(
                bot.webhook_url,
                data=delivery.payload.encode(),
                headers=bot.sandbox.courier.headers(delivery, delivery.payload.encode()),
            )
            assert status.status == 202
        await bot.settle()
        assert len(await bot.decisions()) == 1

        await process_again(bot, delivery.guid)
        assert len(await bot.decisions()) == 1
        assert bot.reactions(comment) == ["+1"]
        (undoing,) = [one for one in bot.sandbox.deliveries if f'"id":{undo},' in one.payload]
        await process_again(bot, undoing.guid)
        assert bot.reactions(undo) == ["confused"], "it found nothing then, and is not carried out now"
        assert (await bot.records())[0].category == "data-race"


async def test_bots_and_the_app_itself_are_never_answered(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        bot.sandbox.add_user("other[bot]", "Bot")
        bot.sandbox.grant(REPOSITORY, "other[bot]", "write")
        await bot.settle()
        writes = len(bot.sandbox.writes)
        for login in ("other[bot]", f"{bot.sandbox.app.slug}[bot]"):
            comment = bot.sandbox.comment(REPOSITORY, 1, login, "/rootcause memory-leak\n/rootcause memroy-leak")
            await bot.settle()
            bot.sandbox.edit_comment(comment.id, login, "/rootcause help\n/rootcause data-race")
            await bot.settle()
            bot.sandbox.edit_comment(comment.id, "write-person", "/rootcause none")
            await bot.settle()
        assert await bot.decisions() == []
        assert len(bot.sandbox.writes) == writes


async def test_a_command_on_an_issue_closed_before_the_app_came(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1, emit=False)
        await bot.settle()
        assert await bot.records() == []
        comment = await said(bot, 1, "triage-person", "/rootcause data-race")
        (record,) = await bot.records()
        assert (record.state, record.category, record.eligible_system) == ("corrected", "data-race", True)
        assert bot.reactions(comment) == ["+1"]


async def test_where_nothing_can_be_written_decisions_stand(database: Database) -> None:
    async with running_bot(database, observe_days=7.0) as bot:
        bot.prepare(1)
        await bot.settle()
        comment = await said(bot, 1, "triage-person", "/rootcause data-race\n/rootcause help\n/rootcause memroy-leak")
        assert bot.sandbox.writes == [], "it observes"
        assert (await bot.records())[0].category == "data-race"
        assert bot.reactions(comment) == []


async def test_locked_and_archived_are_no_errors(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1, 2, 3)
        await bot.settle()
        bot.sandbox.lock(REPOSITORY, 1, "triage-person")
        comment = await said(bot, 1, "triage-person", "/rootcause data-race\n/rootcause memroy-leak")
        assert (await bot.records())[0].locked
        assert bot.answers(1) == [], "nothing can be said in a locked issue"
        assert sorted(bot.reactions(comment)) == ["+1", "confused"]
        assert (await bot.records())[0].category == "data-race"

        bot.sandbox.faults.add("POST", "*/reactions", Fault.ARCHIVED)
        await said(bot, 2, "triage-person", "/rootcause data-race")
        assert (await bot.records())[1].category == "data-race"
        assert all(one.state == "done" for one in await bot.deliveries())

        sent = bot.sandbox.comment(REPOSITORY, 3, "triage-person", "/rootcause data-race")
        bot.sandbox.archive(REPOSITORY)
        writes = len(bot.sandbox.writes)
        await bot.settle()
        assert (await bot.records())[2].category == "data-race"
        await bot.refresh()
        assert len(bot.sandbox.writes) == writes + len(bot.reactions(sent.id)), "an archived repository is left alone"
        assert all(one.state == "done" for one in await bot.deliveries())
