"""`fix` and `reproduced`, from the signed webhook to the record: in closed issues, open ones, and the inbox."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlmodel import col, update

from bot.features.collect import collect
from bot.github.linking import ManualFix
from bot.sandbox.outbox import Outbox
from bot.store.database import Database
from bot.store.statements import standing_fixes
from bot.store.tables import Delivery, Record
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import Running, running_bot

FILES = [{"path": "src/core.cpp", "status": "modified", "additions": 30, "deletions": 10}]


async def said(bot: Running, number: int, body: str, login: str = "triage-person") -> int:
    comment = bot.sandbox.comment(REPOSITORY, number, login, body)
    await bot.settle()
    return comment.id


async def record_of(bot: Running, number: int) -> Record:
    return next(record for record in await bot.records() if record.number == number)


def change(bot: Running, *, merged: bool = True, **facts: Any) -> int:
    """Make a pull request that nothing links to any issue, and return its number."""
    at = datetime.now(UTC) - timedelta(days=2)
    facts |= {"merged_at": at, "merge_commit_sha": facts.get("merge_commit_sha")} if merged else {}
    return bot.sandbox.add_pull_request(REPOSITORY, "Free the cache", "write-person", files=FILES, **facts).number


async def test_a_persons_word_on_a_closed_issue_outlives_every_gathering(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        await bot.settle()
        landed, waiting = change(bot), change(bot, merged=False)
        found = await record_of(bot, 1)
        assert (found.fix_link, found.changed_lines) == ("closer_pr", 16)

        assert bot.reactions(await said(bot, 1, f"/rootcause fix #{waiting}")) == ["+1"]
        record = await record_of(bot, 1)
        assert (record.fix_link, record.changed_lines, record.eligible_bug) == ("manual", 40, False)
        assert "fix_not_landed" in record.exclusions
        assert f"`#{waiting}` is noted as the fix" in bot.answers(1)[0]

        page = bot.sandbox.page_url(REPOSITORY, 1)
        url = page.replace("/issues/1", f"/pull/{landed}/files")
        comment = await said(bot, 1, f"/rootcause fix {url}\n/rootcause reproduced 2")
        assert bot.reactions(comment) == ["+1"]
        record = await record_of(bot, 1)
        assert (record.fix_link, record.changed_lines, record.eligible_bug) == ("manual", 40, True)
        assert (record.comments_until_reproduced, record.comments_until_reproduced_source) == (2, "command")

        mistakes = {
            "fix #4040": "no pull request or commit `#4040`",
            "fix https://other.example/o/r/pull/1": "on another server",
            "reproduced 9": "the issue has 3 comments by people",
            f"reproduced {page[:-1]}2#issuecomment-5": "no comment of this issue",
        }
        wrong = await said(bot, 1, "\n".join(f"/rootcause {words}" for words in mistakes))
        assert bot.reactions(wrong) == ["confused"]
        assert [told for told in mistakes.values() if told not in bot.answers(1)[0]] == []
        assert (await record_of(bot, 1)).model_dump(exclude={"gathered_at"}) == record.model_dump(
            exclude={"gathered_at"}
        )

        (delivery,) = [one for one in bot.sandbox.deliveries if f'"id":{comment},' in one.payload]
        async with database.sessions.begin() as session:
            await session.execute(update(Delivery).where(col(Delivery.guid) == delivery.guid).values(state="failed"))
        Outbox(bot.sandbox.world).again(delivery)
        bot.sandbox.reopen(REPOSITORY, 1, "triage-person")
        await bot.settle()
        bot.sandbox.close(REPOSITORY, 1, "triage-person", closer=bot.sandbox.fix_of(REPOSITORY, 1))
        await bot.settle()
        await collect(bot.services, await bot.repository(), 1)
        record = await record_of(bot, 1)
        assert (record.reopened, record.fix_link, record.changed_lines) == (1, "manual", 40)
        assert (record.comments_until_reproduced, record.comments_until_reproduced_source) == (2, "command")

        assert bot.reactions(await said(bot, 1, "/rootcause reproduced never")) == ["+1"]
        record = await record_of(bot, 1)
        assert (record.comments_until_reproduced, record.comments_until_reproduced_source) == (None, "command")
        assert bot.reactions(await said(bot, 1, "/rootcause undo")) == ["+1"]
        record = await record_of(bot, 1)
        assert (record.comments_until_reproduced, record.fix_link) == (2, "manual"), "the word before counts again"
        assert bot.reactions(await said(bot, 1, "/rootcause undo\n" * 3)) == ["+1"]
        record = await record_of(bot, 1)
        assert (record.comments_until_reproduced, record.fix_link) == (None, "closer_pr")
        assert record.comments_until_reproduced_source is None


async def test_hidden_changes_guesses_and_many_issues_at_once(database: Database) -> None:
    async with running_bot(database, bot_logins=frozenset({"Person-1"})) as bot:
        bot.sandbox.add_owner("secret")
        bot.sandbox.add_repository("secret", "vault", private=True)
        bot.prepare()
        for login in ("person-1", "person-3"):
            bot.sandbox.grant(REPOSITORY, login, "write")
        for number in (1, 2):
            bot.sandbox.seed_issue(REPOSITORY, leaking(number), emit=True)
        await bot.settle()
        record = await record_of(bot, 1)
        assert (record.comments_until_reproduced, record.comments_until_reproduced_source) == (1, "heuristic")
        assert record.issue_comments == 2, "one of the three is by an account that is known to be a bot"
        assert bot.reactions(await said(bot, 1, "/rootcause reproduced never", "person-1")) == []

        assert bot.reactions(await said(bot, 1, "/rootcause reproduced")) == ["+1"]
        assert "reproduced in comment 1, as I had guessed" in bot.answers(1)[0]
        record = await record_of(bot, 1)
        assert (record.comments_until_reproduced, record.comments_until_reproduced_source) == (1, "command")

        both = await said(bot, 1, "/rootcause fix secret/vault#3\n/rootcause undo x")
        assert sorted(bot.reactions(both)) == ["+1", "confused"]
        record, few = await record_of(bot, 1), "fewer_than_3_comments"
        assert (record.fix_link, record.fix_kind, record.exclusions) == ("private", None, ["fix_unreadable", few])
        (answer,) = bot.answers(1)
        assert "I cannot read `secret/vault#3`" in answer
        assert "I do not know `x`" in answer, "one comment holds all"

        inbox = (await bot.inbox()).number
        landed = change(bot)
        third = bot.sandbox.comments(REPOSITORY, 2)[2].id
        link = f"{bot.sandbox.page_url(REPOSITORY, 2)}#issuecomment-{third}"
        body = f"/rootcause fix #2 #{landed}\n/rootcause reproduced #2 {link}\n/rootcause reproduced #1 #404 2"
        assert sorted(bot.reactions(await said(bot, inbox, body))) == ["+1", "confused"]
        first, second = await bot.records()
        assert (second.fix_link, second.changed_lines, second.comments_until_reproduced) == ("manual", 40, 2)
        assert (first.fix_link, first.comments_until_reproduced) == ("private", 2)


async def test_in_an_open_issue_they_wait_and_are_answered_at_the_closing(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare()
        bot.sandbox.seed_issue(REPOSITORY, leaking(1), close=False)
        first, second = change(bot), change(bot)
        body = f"/rootcause fix #{first}\n/rootcause fix #{second}\n/rootcause undo\n/rootcause leak"
        waiting = await said(bot, 1, body)
        wrong = await said(bot, 1, "/rootcause reproduced 77\n/rootcause fix #4040")
        assert bot.reactions(waiting) == bot.reactions(wrong) == ["eyes"]
        assert await bot.records() == []
        bot.sandbox.close(REPOSITORY, 1, "triage-person", closer=bot.sandbox.fix_of(REPOSITORY, 1))
        await bot.settle()
        (record,) = await bot.records()
        assert (record.fix_link, record.category, record.state) == ("manual", "memory-leak", "confirmed")
        async with database.sessions() as session:
            assert await standing_fixes(session, [record.issue_id]) == {record.issue_id: ManualFix(REPOSITORY, first)}
        assert (bot.reactions(waiting), bot.reactions(wrong)) == (["eyes", "+1"], ["eyes", "confused"])
        (answer,) = bot.answers(1)
        assert "the issue has 5 comments by people" in answer
        assert "no pull request or commit `#4040`" in answer
