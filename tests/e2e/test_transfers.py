"""Issues and repositories that go elsewhere: what was decided goes along, and nothing is asked or kept twice."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlmodel import SQLModel, delete, func, select

from bot.store.database import Database
from bot.store.moved import moved_to
from bot.store.tables import (
    AwaitedLink,
    Command,
    ConfigurationFile,
    Decision,
    EvidenceText,
    MovedIssue,
    Participation,
    Proposal,
    Record,
    Span,
)
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import Running, running_bot

OTHER = "pytorch/vision"


async def places(bot: Running, table: type[SQLModel]) -> set[Any]:
    """Return which issues a table has rows of."""
    async with bot.services.database.sessions() as session:
        return set(
            (await session.execute(select(SQLModel.metadata.tables[str(table.__tablename__)].c.issue_id))).scalars()
        )


def with_other(bot: Running, *numbers: int) -> None:
    """Prepare two repositories with the App."""
    bot.prepare(*numbers)
    bot.sandbox.add_repository("pytorch", "vision")
    bot.sandbox.grant(OTHER, "triage-person", "triage")
    bot.sandbox.select_repositories("pytorch", add=(OTHER,))


async def test_a_transferred_issue_keeps_its_decision_and_is_not_asked_about_again(database: Database) -> None:
    async with running_bot(database) as bot:
        with_other(bot, 1, 2)
        await bot.settle()
        command = bot.sandbox.comment(REPOSITORY, 1, "triage-person", "/rootcause data-race")
        bot.sandbox.seed_issue(REPOSITORY, leaking(3), close=False)
        waiting = bot.sandbox.comment(REPOSITORY, 3, "triage-person", "/rootcause data-race")
        await bot.settle()
        before = {one.number: one for one in await bot.records()}
        decided = bot.sandbox.transfer_issue(REPOSITORY, 1, OTHER, "admin-person")
        asked = bot.sandbox.transfer_issue(REPOSITORY, 2, OTHER, "admin-person")
        still_open = bot.sandbox.transfer_issue(REPOSITORY, 3, OTHER, "admin-person")
        await bot.settle()

        records = {one.issue_id: one for one in await bot.records()}
        assert set(records) == {decided.id, asked.id}
        moved = records[decided.id]
        assert (moved.repository_id, moved.number) == (bot.sandbox.repository(OTHER).id, decided.number)
        assert (moved.category, moved.state, moved.selection) == ("data-race", before[1].state, before[1].selection)
        assert (moved.html_url or "").endswith(f"vision/issues/{decided.number}")
        assert moved.open_days == before[1].open_days
        for table in (Decision, Proposal, Span, Participation, EvidenceText):
            assert await places(bot, table) <= {decided.id, asked.id}, table
            assert decided.id in await places(bot, table), table
        assert await places(bot, MovedIssue) >= {before[1].issue_id, before[2].issue_id}
        inboxes = [(await bot.inbox(name)).body or "" for name in (REPOSITORY, OTHER)]
        assert "Nothing to decide" in inboxes[0]
        assert f"[#{asked.number}]" in inboxes[1]
        assert f"[#{decided.number}]" not in inboxes[1]

        # What was said of the open one counts at its closing, where it is answered.
        bot.sandbox.close(OTHER, still_open.number, "triage-person")
        await bot.settle()
        assert {one.issue_id: one.category for one in await bot.records()}[still_open.id] == "data-race"
        assert bot.reactions(waiting.id) == ["eyes", "+1"]
        assert bot.reactions(command.id) == ["+1"]

        # A second delivery of each event, in the wrong order, changes nothing.
        rows, decisions = await bot.records(), await bot.decisions()
        writes = len(bot.sandbox.writes)
        for delivery in reversed([one for one in bot.sandbox.deliveries if one.event == "issues"]):
            again = bot.sandbox.services.outbox.again(delivery)
            again.guid = f"again-{again.id}"
        await bot.settle()
        assert [one.model_dump(exclude={"gathered_at"}) for one in await bot.records()] == [
            one.model_dump(exclude={"gathered_at"}) for one in rows
        ]
        assert await bot.decisions() == decisions
        assert len(bot.sandbox.writes) == writes


async def test_a_closing_that_waited_is_recorded_where_the_issue_went(database: Database) -> None:
    async with running_bot(database, settle_seconds=60.0) as bot:
        with_other(bot, 1)
        await bot.settle()
        assert await bot.records() == []
        moved = bot.sandbox.transfer_issue(REPOSITORY, 1, OTHER, "admin-person")
        await bot.settle()
        await bot.hasten()
        (record,) = await bot.records()
        assert (record.issue_id, record.repository_id) == (moved.id, bot.sandbox.repository(OTHER).id)


async def test_nothing_is_kept_of_an_issue_that_went_where_nothing_is_gathered(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        bot.sandbox.add_repository("pytorch", "elsewhere")
        await bot.settle()
        bot.sandbox.comment(REPOSITORY, 1, "triage-person", "/rootcause data-race")
        await bot.settle()
        bot.sandbox.transfer_issue(REPOSITORY, 1, "pytorch/elsewhere", "admin-person")
        await bot.settle()
        for table in (Record, Command, Decision, EvidenceText, Participation, Proposal, Span, AwaitedLink):
            async with bot.services.database.sessions() as session:
                assert (await session.execute(select(func.count()).select_from(table))).scalar_one() == 0, table
        assert "Nothing to decide" in ((await bot.inbox()).body or "")


async def test_a_repository_given_to_another_owner(database: Database) -> None:
    """An owner with the App is asked anew; one without it takes the repository out of reach."""
    async with running_bot(database) as bot:
        with_other(bot, 1)
        for owner in ("everything", "nobody"):
            bot.sandbox.add_owner(owner)
        bot.sandbox.install("everything", "all")
        await bot.settle()
        bot.sandbox.comment(REPOSITORY, 1, "triage-person", "/rootcause data-race")
        await bot.settle()
        bot.sandbox.transfer_repository(REPOSITORY, "everything")
        bot.sandbox.transfer_repository(OTHER, "nobody")
        await bot.settle()
        given, lost = await bot.repository("everything/pytorch"), await bot.repository("nobody/vision")
        assert (given.state, given.installation_id) == ("silent", bot.sandbox.installation("everything").id)
        assert given.full_name == "everything/pytorch"
        assert (lost.state, lost.installation_id) == ("removed", None)
        assert [one.category for one in await bot.records()] == ["data-race"]

        writes = len(bot.sandbox.writes)
        bot.sandbox.seed_issue("everything/pytorch", leaking(2), emit=True)
        await bot.settle()
        assert len(await bot.records()) == 1, "the new owner did not ask for it"
        assert len(bot.sandbox.writes) == writes
        bot.sandbox.put_file("everything/pytorch", ".github/rootcause.yml", "mode: active\n")
        bot.sandbox.seed_issue("everything/pytorch", leaking(3), emit=True)
        async with bot.services.database.sessions.begin() as session:
            await session.execute(delete(ConfigurationFile))
        await bot.settle()
        assert [one.number for one in await bot.records()] == [1, 3]


async def test_one_comment_may_name_an_issue_and_the_number_that_another_gets(database: Database) -> None:
    async with running_bot(database) as bot:
        with_other(bot, 1, 2)
        bot.sandbox.seed_issue(REPOSITORY, leaking(3), emit=True)
        await bot.settle()
        for number in (2, 3):
            bot.sandbox.reopen(REPOSITORY, number, "admin-person")
        for _ in range(2):
            bot.sandbox.open_issue(OTHER, "stranger", "A question")
        inbox = (await bot.inbox()).number
        bot.sandbox.comment(REPOSITORY, inbox, "triage-person", "/rootcause data-race #2 #3")
        await bot.settle()
        moved = bot.sandbox.transfer_issue(REPOSITORY, 2, OTHER, "admin-person")
        assert moved.number == 3
        await bot.settle()
        assert {one.state for one in await bot.deliveries()} <= {"done", "ignored"}
        bot.sandbox.close(OTHER, 3, "admin-person")
        bot.sandbox.close(REPOSITORY, 3, "admin-person")
        await bot.settle()
        decided = {(one.repository_id, one.number): one.category for one in await bot.records()}
        for name in (REPOSITORY, OTHER):
            assert decided[bot.sandbox.repository(name).id, 3] == "data-race", name


async def test_an_issue_that_was_transferred_twice_is_looked_for_where_it_is_now(database: Database) -> None:
    def row(issue_id: int, repository_id: int, number: int, to: tuple[int, int]) -> MovedIssue:
        return MovedIssue(
            issue_id=issue_id, repository_id=repository_id, number=number, to_issue_id=issue_id + 1,
            to_repository_id=to[0], to_number=to[1], moved_at=datetime(2026, 11, 1, tzinfo=UTC),
        )  # fmt: skip

    async with database.sessions.begin() as session:
        session.add_all([row(1, 10, 5, (20, 7)), row(2, 20, 7, (30, 9))])
    async with database.sessions() as session:
        last = await moved_to(session, 10, 5)
        assert last is not None
        assert (last.to_repository_id, last.to_number) == (30, 9)
        assert await moved_to(session, 30, 9) is None
