"""What becomes of records, inboxes and reports when issues, repositories and installations change."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import SQLModel, col, delete, func, select, update

from bot.features.monthly_report import publish
from bot.features.report_settings import defer_due
from bot.github import sender
from bot.sandbox.faults import Fault
from bot.sandbox.outbox import Outbox
from bot.store.database import Database
from bot.store.tables import (
    Command,
    ConfigurationFile,
    Decision,
    EvidenceText,
    Participation,
    Proposal,
    Record,
    Report,
    Repository,
    Span,
    Written,
)
from tests.support.clock import SetClock
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import Running, running_bot


async def count(bot: Running, table: type[SQLModel]) -> int:
    """Count the rows of a table."""
    async with bot.services.database.sessions() as session:
        return (await session.execute(select(func.count()).select_from(table))).scalar_one()


async def deliver_late(bot: Running, event: str, action: str) -> None:
    """Send the payload of an earlier webhook once more, as one that was held up on its way."""
    earlier = next(one for one in bot.sandbox.deliveries if (one.event, one.action) == (event, action))
    again = Outbox(bot.sandbox.world).again(earlier)
    again.guid = f"late-{again.id}"
    await bot.settle()


def add_repository(bot: Running, name: str, **facts: Any) -> str:
    """Make another repository of the same owner with one leaking issue, still open."""
    bot.sandbox.add_repository("pytorch", name, **facts)
    full_name = f"pytorch/{name}"
    bot.sandbox.seed_issue(full_name, leaking(1), close=False)
    bot.sandbox.grant(full_name, "triage-person", "triage")
    return full_name


async def test_reopened_and_closed_again(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        await bot.settle()
        bot.sandbox.comment(REPOSITORY, 1, "triage-person", "/rootcause data-race")
        await bot.settle()
        bot.sandbox.reopen(REPOSITORY, 1, "reporter")
        await bot.settle()
        (record,) = await bot.records()
        assert record.is_open
        assert record.category == "data-race", "reopening voids nothing"
        late = bot.sandbox.comment(REPOSITORY, 1, "write-person", "/rootcause data-race resources")
        await bot.settle()
        assert bot.reactions(late.id) == ["eyes"]
        bot.sandbox.close(REPOSITORY, 1, "triage-person")
        await bot.settle()
        (record,) = await bot.records()
        assert (record.is_open, record.reopened, record.state) == (False, 1, "corrected")
        assert (record.category, record.category2) == ("data-race", "resource-usage")
        assert bot.reactions(late.id) == ["eyes", "+1"]
        assert await count(bot, Span) == 2
        assert "[#1]" not in ((await bot.inbox()).body or "")
        assert bot.writes("POST", "/issues") == 1
        reopened = next(one for one in bot.sandbox.deliveries if one.action == "reopened")
        stale = json.loads(reopened.payload)
        stale["issue"]["updated_at"] = "2020-01-01T00:00:00Z"
        reopened.payload = json.dumps(stale)
        await deliver_late(bot, "issues", "reopened")
        assert not (await bot.records())[0].is_open, "an old event opens nothing"

        bot.sandbox.seed_issue(REPOSITORY, leaking(2), emit=True)
        await bot.settle()
        async with bot.services.database.sessions.begin() as session:
            await session.execute(update(Record).values(asked_at=datetime.now(UTC) - timedelta(days=40)))
        await bot.refresh()
        assert "[#2]" not in ((await bot.inbox()).body or "")
        bot.sandbox.reopen(REPOSITORY, 2, "reporter")
        await bot.settle()
        bot.sandbox.close(REPOSITORY, 2, "triage-person")
        await bot.settle()
        assert "[#2]" in ((await bot.inbox()).body or ""), "closed again, it is asked about anew"


async def test_deleted_issues_take_their_records_along(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        other = add_repository(bot, "vision")
        bot.sandbox.select_repositories("pytorch", add=(other,))
        await bot.settle()
        bot.sandbox.comment(REPOSITORY, 1, "triage-person", "/rootcause data-race")
        bot.sandbox.seed_issue(REPOSITORY, leaking(3), close=False)
        bot.sandbox.comment(REPOSITORY, 3, "triage-person", "/rootcause data-race")
        await bot.settle()
        assert await count(bot, Command) == 2
        bot.sandbox.delete_issue(REPOSITORY, 1, "admin-person")
        bot.sandbox.delete_issue(REPOSITORY, 3, "admin-person")
        await bot.settle()
        assert await bot.records() == []
        for table in (Command, Decision, EvidenceText, Participation, Proposal, Span):
            assert await count(bot, table) == 0, table
        assert "Nothing to decide" in ((await bot.inbox()).body or "")
        inbox = await bot.inbox()
        bot.sandbox.transfer_issue(REPOSITORY, inbox.number, other, "admin-person")
        bot.sandbox.seed_issue(REPOSITORY, leaking(4), emit=True)
        writes = len(bot.sandbox.writes)
        await bot.settle()
        assert (await bot.repository()).inbox_closed
        assert [one for one in bot.sandbox.writes[writes:] if REPOSITORY in one.path] == []


async def test_a_closing_whose_issue_is_gone_tells_why_nothing_was_recorded(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        await bot.sandbox.deliver_pending()
        bot.sandbox.delete_issue(REPOSITORY, 1, "admin-person")
        await bot.settle()
        assert await bot.records() == []
        (closing,) = [one for one in await bot.deliveries() if one.action == "closed"]
        assert (closing.state, closing.error) == ("ignored", "GitHub had no such closed issue any more")


async def test_a_renamed_repository_is_followed(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        await bot.settle()
        inbox = await bot.inbox()
        bot.sandbox.rename_repository(REPOSITORY, "torch")
        await bot.settle()
        assert (await bot.repository("pytorch/torch")).full_name == "pytorch/torch"
        comment = bot.sandbox.comment("pytorch/torch", 1, "triage-person", "/rootcause data-race")
        await bot.settle()
        assert bot.reactions(comment.id) == ["+1"]
        assert (await bot.records())[0].category == "data-race"
        assert "Nothing to decide" in (inbox.body or "")
        assert await count(bot, Repository) == 1
        assert bot.writes("POST", "/issues") == 1


async def test_uninstalled_and_installed_again(database: Database) -> None:
    async with running_bot(database, settle_seconds=60.0) as bot:
        bot.prepare(1)
        await bot.settle()
        await bot.hasten()
        assert await count(bot, EvidenceText) == 1
        bot.sandbox.comment(REPOSITORY, 1, "triage-person", "/rootcause data-race")
        await bot.settle()
        bot.sandbox.seed_issue(REPOSITORY, leaking(2), emit=True)
        await bot.sandbox.deliver_pending()
        bot.sandbox.uninstall("pytorch")
        await bot.settle()
        await bot.hasten()
        assert await count(bot, EvidenceText) == 0
        assert [record.number for record in await bot.records()] == [1], "what was still on its way does nothing"
        assert (await bot.repository()).state == "removed"

        writes, decisions = len(bot.sandbox.writes), await bot.decisions()
        for event, action in [("issue_comment", "created"), ("issues", "closed")]:
            await deliver_late(bot, event, action)
        await bot.hasten()
        await bot.refresh()
        assert (await bot.repository()).state == "removed"
        assert await count(bot, EvidenceText) == 0
        assert await bot.decisions() == decisions
        assert len(bot.sandbox.writes) == writes
        left = [(one.state, one.error) for one in await bot.deliveries() if one.state != "done"]
        assert set(left) == {("ignored", "the App is not installed there any more")}
        assert len(left) == 3
        assert await publish(bot.services, bot.sandbox.repository(REPOSITORY).id, "2026-10") is None

        bot.sandbox.install("pytorch", [REPOSITORY])
        bot.sandbox.seed_issue(REPOSITORY, leaking(3), emit=True)
        await bot.settle()
        await bot.hasten()
        assert (await bot.repository()).state == "active"
        assert [record.number for record in await bot.records()] == [1, 3]
        assert "[#3]" in ((await bot.inbox()).body or "")
        assert bot.writes("POST", "/issues") == 1, "the inbox is still the same"


async def test_a_repository_taken_out_and_put_back(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        await bot.settle()
        bot.sandbox.select_repositories("pytorch", remove=(REPOSITORY,))
        await bot.settle()
        assert await count(bot, EvidenceText) == 0
        await deliver_late(bot, "issues", "closed")
        assert (await bot.repository()).state == "removed"
        assert await count(bot, EvidenceText) == 0
        bot.sandbox.select_repositories("pytorch", add=(REPOSITORY,))
        bot.sandbox.seed_issue(REPOSITORY, leaking(2), emit=True)
        await bot.settle()
        assert [record.number for record in await bot.records()] == [1, 2]


async def test_where_nobody_asked_for_it_nothing_happens(database: Database) -> None:
    async with running_bot(database) as bot:
        names = [add_repository(bot, f"part-{index}") for index in range(6)]
        fork = add_repository(bot, "forked", fork=True)
        bot.sandbox.install("pytorch", names)
        await bot.settle()
        for name in names[:2]:
            bot.sandbox.close(name, 1, "triage-person", closer=bot.sandbox.fix_of(name, 1))
            bot.sandbox.comment(name, 1, "triage-person", "/rootcause data-race")
        await bot.settle()
        assert await bot.records() == [], "more than five at once count as all"
        bot.sandbox.select_repositories("pytorch", add=(fork,))
        bot.sandbox.close(fork, 1, "triage-person", closer=bot.sandbox.fix_of(fork, 1))
        await bot.settle()
        assert (await bot.repository(fork)).state == "silent"

        bot.sandbox.add_owner("everything")
        bot.sandbox.add_repository("everything", "one")
        bot.sandbox.seed_issue("everything/one", leaking(1), close=False)
        bot.sandbox.install("everything", "all")
        await bot.settle()
        bot.sandbox.close("everything/one", 1, "everything")
        await bot.settle()
        assert await bot.records() == []
        assert await bot.commands() == []
        assert bot.sandbox.writes == []
        ignored = {one.error for one in await bot.deliveries() if one.state != "done"}
        assert ignored == {"nothing is gathered in this repository, it is silent"}


async def test_a_fork_alone_is_silent(database: Database) -> None:
    """The event of an installation does not say what is a fork; the first event of the repository does."""
    async with running_bot(database) as bot:
        fork = add_repository(bot, "forked", fork=True)
        bot.sandbox.install("pytorch", [fork])
        await bot.settle()
        bot.sandbox.close(fork, 1, "triage-person", closer=bot.sandbox.fix_of(fork, 1))
        bot.sandbox.comment(fork, 1, "triage-person", "/rootcause data-race\n/rootcause help")
        await bot.settle()
        assert await bot.records() == []
        assert bot.sandbox.writes == []


async def test_after_observing_the_inbox_is_made(database: Database) -> None:
    async with running_bot(database, observe_days=7.0) as bot:
        bot.prepare(1)
        await bot.settle()
        (record,) = await bot.records()
        assert (record.state, record.selection, record.asked_at) == ("proposed", "random", None)
        assert bot.sandbox.writes == []
        async with bot.services.database.sessions.begin() as session:
            await session.execute(update(Repository).values(observe_until=datetime.now(UTC) - timedelta(seconds=1)))
        await bot.refresh()
        assert "[#1]" in ((await bot.inbox()).body or "")
        assert (await bot.records())[0].asked_at is not None


async def test_reports_are_posted_once_and_close_the_one_before(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "READ_BACK_SECONDS", 0.05)
    async with running_bot(database, SetClock(datetime(2026, 11, 15, 9, tzinfo=UTC))) as bot:
        bot.prepare()
        bot.sandbox.seed_issue(REPOSITORY, leaking(1, datetime(2026, 9, 10, 12, tzinfo=UTC)), emit=True)
        bot.sandbox.seed_issue(REPOSITORY, leaking(2, datetime(2026, 10, 10, 12, tzinfo=UTC)), emit=True)
        await bot.settle()
        repository_id = bot.sandbox.repository(REPOSITORY).id
        september = await publish(bot.services, repository_id, "2026-09")
        assert september is not None
        assert september.number is not None
        await publish(bot.services, repository_id, "2026-09")
        assert bot.sandbox.issue(REPOSITORY, september.number).closed_at is None
        assert bot.writes("POST", "/issues") == 2, "the inbox and one report"
        report_commands = bot.sandbox.comment(
            REPOSITORY, september.number, "triage-person", "/rootcause data-race #1\n/rootcause confirm"
        )
        await bot.settle()
        assert sorted(bot.reactions(report_commands.id)) == ["+1", "confused"]
        assert (await bot.records())[0].category == "data-race"

        # The connection breaks when GitHub has made the issue already.
        bot.sandbox.faults.add("POST", "/repos/pytorch/pytorch/issues", Fault.DROPPED_AFTER)
        october = await publish(bot.services, repository_id, "2026-10")
        assert october is not None
        assert october.number is not None
        assert bot.sandbox.issue(REPOSITORY, september.number).closed_at is not None
        assert bot.sandbox.issue(REPOSITORY, october.number).closed_at is None

        # The process dies before it remembers what it posted.
        async with bot.services.database.sessions.begin() as session:
            await session.execute(delete(Report).where(col(Report.period) == "2026-10"))
            await session.execute(delete(Written))
            await session.execute(update(Repository).values(created_at=datetime(2026, 9, 1, tzinfo=UTC)))
        await defer_due(bot.services)
        await bot.settle()
        async with bot.services.database.sessions() as session:
            rows = (await session.execute(select(Report).order_by(Report.period))).scalars().all()
        assert [(row.period, row.state, row.number) for row in rows] == [
            ("2026-09", "closed", september.number),
            ("2026-10", "posted", october.number),
        ]
        marked = [one for one in bot.sandbox.issues(REPOSITORY) if "period=2026-10" in (one.body or "")]
        assert len(marked) == 1
        writes = len(bot.sandbox.writes)
        await defer_due(bot.services)
        await bot.settle()
        assert len(bot.sandbox.writes) == writes
        assert [record.number for record in await bot.records()] == [1, 2], "our own issues are never recorded"


@pytest.mark.parametrize("event", ["closed", "deleted"])
async def test_our_own_reports_are_no_closings(database: Database, event: str) -> None:
    async with running_bot(database) as bot:
        bot.prepare()
        await bot.settle()
        report = await publish(bot.services, bot.sandbox.repository(REPOSITORY).id, "2026-10")
        assert report is not None
        assert report.number is not None
        bot.sandbox.close(REPOSITORY, report.number, "triage-person")
        if event == "deleted":
            bot.sandbox.delete_issue(REPOSITORY, report.number, "admin-person")
        await bot.settle()
        assert await count(bot, Record) == 0
        assert bot.writes("POST", "/issues") == 1


async def test_a_snapshot_that_waited_undoes_nothing_newer(database: Database) -> None:
    async with running_bot(database, settle_seconds=60.0) as bot:
        bot.prepare(1)
        await bot.settle()
        bot.sandbox.rename_repository(REPOSITORY, "torch2")
        bot.sandbox.privatize("pytorch/torch2")
        await bot.settle()
        await bot.hasten()
        row = await bot.repository("pytorch/torch2")
        assert (row.full_name, row.private) == ("pytorch/torch2", True)
        assert [record.number for record in await bot.records()] == [1]


async def test_an_issue_of_a_repository_that_took_the_name_over_is_not_recorded(database: Database) -> None:
    async with running_bot(database, settle_seconds=60.0) as bot:
        bot.prepare(1)
        await bot.settle()
        bot.sandbox.rename_repository(REPOSITORY, "torch2")
        bot.sandbox.add_repository("pytorch", "pytorch")
        bot.sandbox.seed_issue(REPOSITORY, leaking(1))
        async with bot.services.database.sessions.begin() as session:
            await session.execute(text("UPDATE delivery SET not_before = now() WHERE action = 'closed'"))
            await session.execute(text("UPDATE procrastinate_jobs SET scheduled_at = now() WHERE status = 'todo'"))
        await bot.work()
        assert await bot.records() == []
        (closing,) = [one for one in await bot.deliveries() if one.action == "closed"]
        assert closing.state == "waiting"
        await bot.settle()
        await bot.hasten()
        (record,) = await bot.records()
        assert record.repository_id == bot.sandbox.repository("pytorch/torch2").id


async def test_archived_turned_private_or_without_issues_it_waits_and_goes_on(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        await bot.settle()
        bot.sandbox.archive(REPOSITORY)
        bot.sandbox.seed_issue(REPOSITORY, leaking(2), emit=True)
        writes = len(bot.sandbox.writes)
        await bot.settle()
        await bot.refresh()
        assert await publish(bot.services, bot.sandbox.repository(REPOSITORY).id, "2026-10") is None
        assert len(bot.sandbox.writes) == writes, "nothing is even tried"
        bot.sandbox.unarchive(REPOSITORY)
        await bot.settle()
        assert "[#2]" in ((await bot.inbox()).body or "")

        inbox = await bot.inbox()
        bot.sandbox.repository(REPOSITORY).has_issues = False
        bot.sandbox.seed_issue(REPOSITORY, leaking(3), emit=True)
        writes = len(bot.sandbox.writes)
        await bot.settle()
        assert len(bot.sandbox.writes) == writes
        assert {one.state for one in await bot.deliveries()} == {"done"}
        async with bot.services.database.sessions() as session:
            jobs = await session.execute(text("SELECT count(*) FROM procrastinate_jobs WHERE attempts > 0"))
        assert jobs.scalar_one() == 0, "no job fails, and none is tried again and again"
        bot.sandbox.repository(REPOSITORY).has_issues = True
        await bot.refresh()
        assert (await bot.inbox()).number == inbox.number
        assert "[#3]" in ((await bot.inbox()).body or "")

        bot.sandbox.put_file(REPOSITORY, ".github/rootcause.yml", "share: named\n")
        async with bot.services.database.sessions.begin() as session:
            await session.execute(delete(ConfigurationFile))
        await bot.refresh()
        page = bot.web.make_url(f"/reports/{REPOSITORY}/{datetime.now(UTC):%Y-%m}")
        for change in (None, bot.sandbox.privatize, bot.sandbox.publicize):
            if change is not None:
                change(REPOSITORY)
                await bot.settle()
            async with bot.session.get(bot.web.make_url("/reports")) as response:
                assert (REPOSITORY in await response.text()) == (change != bot.sandbox.privatize)
            if change == bot.sandbox.privatize:
                async with bot.session.get(page) as response:
                    assert response.status == 404


async def test_in_a_locked_issue_a_command_counts_and_nothing_is_said(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        await bot.settle()
        bot.sandbox.lock(REPOSITORY, 1, "admin-person")
        bot.sandbox.comment(REPOSITORY, 1, "write-person", "/rootcause data-race\n/rootcause dta-race")
        await bot.settle()
        (record,) = await bot.records()
        assert (record.locked, record.category) == (True, "data-race")
        assert bot.answers(1) == []
        assert {one.state for one in await bot.deliveries()} == {"done"}
        bot.sandbox.unlock(REPOSITORY, 1, "admin-person")
        await bot.settle()
        assert not (await bot.records())[0].locked


async def test_nothing_is_made_in_a_repository_that_took_the_name_over(database: Database) -> None:
    """The event of the rename was lost; the repository is written to under the name that it has now."""
    async with running_bot(database) as bot:
        bot.prepare()
        await bot.settle()
        before = len(bot.sandbox.deliveries)
        bot.sandbox.rename_repository(REPOSITORY, "torch2")
        for lost in list(bot.sandbox.deliveries)[before:]:
            bot.sandbox.world.deliveries.pop(lost.id)
        bot.sandbox.add_repository("pytorch", "pytorch")
        report = await publish(bot.services, bot.sandbox.repository("pytorch/torch2").id, "2026-10")
        assert report is not None
        assert bot.sandbox.issues(REPOSITORY) == []
        assert [one.number for one in bot.sandbox.issues("pytorch/torch2")] == [report.number]
