"""Labels, from the signed webhook to the label on the issue: ours, the repository's own, and what people do to them."""

from __future__ import annotations

from typing import Any

from sqlmodel import col, delete, update

from bot.features.label_setup import labels_to_make
from bot.features.showing import show
from bot.jobs import defer_process
from bot.queue import NOW_PRIORITY
from bot.sandbox.faults import Fault
from bot.store.database import Database
from bot.store.tables import ConfigurationFile, Delivery, Proposal, Shown
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import Running, running_bot

LEAK, RACE, THREADING = "root-cause/memory-leak", "root-cause/data-race", "root-cause/multi-threading"


def configure(bot: Running, text: str, *, with_labels: bool = True) -> None:
    """Make the repository with a configuration, and our labels unless they are to be missing."""
    bot.prepare()
    bot.sandbox.put_file(REPOSITORY, ".github/rootcause.yml", text)
    if with_labels:
        names = tuple(action.name for action in labels_to_make(1, REPOSITORY, "root-cause/"))
        bot.sandbox.open_issue(REPOSITORY, "stranger", "Labels", labels=names, emit=False)


async def closed(bot: Running, number: int, **facts: Any) -> None:
    """Let an issue be closed, its labels put on by its author as an issue form does."""
    bot.sandbox.seed_issue(REPOSITORY, leaking(number, **facts), emit=True)
    await bot.settle()


async def standing(bot: Running, number: int) -> tuple[str, str | None, str | None]:
    record = next(one for one in await bot.records() if one.number == number)
    return record.state, record.category, record.category_source


async def shown(bot: Running, number: int) -> Shown:
    record = next(one for one in await bot.records() if one.number == number)
    async with bot.services.database.sessions() as session:
        return await session.get_one(Shown, record.issue_id)


def label_writes(bot: Running) -> list[tuple[str, str]]:
    """Return the App's writes to labels, each with the end of its address."""
    return [(one.method, one.path.split("/issues/")[-1]) for one in bot.sandbox.writes if "/labels" in one.path]


async def put(bot: Running, number: int, login: str, name: str) -> None:
    bot.sandbox.label(REPOSITORY, number, login, name)
    await bot.settle()


async def take(bot: Running, number: int, login: str, name: str) -> None:
    bot.sandbox.unlabel(REPOSITORY, number, login, name)
    await bot.settle()


async def replay(bot: Running) -> None:
    """Let every event of a label be handled once more, as after the loss of a worker, the oldest first."""
    about = col(Delivery.action).in_(("labeled", "unlabeled"))
    async with bot.services.database.sessions.begin() as session:
        await session.execute(update(Delivery).where(about).values(state="waiting"))
    for delivery in await bot.deliveries():
        if delivery.state == "waiting":
            await defer_process(delivery.unit, priority=NOW_PRIORITY)
    await bot.settle()
    assert {one.state for one in await bot.deliveries()} == {"done"}


async def test_a_proposal_is_one_label_and_a_decision_replaces_it(database: Database) -> None:
    async with running_bot(database) as bot:
        configure(bot, "propose: label\n")
        await closed(bot, 12)
        assert bot.sandbox.labels(REPOSITORY, 12) == ["bug", LEAK]
        assert bot.answers(12) == [], "a label and no comment"
        assert label_writes(bot) == [("POST", "12/labels")]
        await bot.refresh()
        assert len(label_writes(bot)) == 1, "nothing changed, so nothing is written"

        bot.sandbox.comment(REPOSITORY, 12, "triage-person", "/rootcause data-race")
        await bot.settle()
        assert bot.sandbox.labels(REPOSITORY, 12) == ["bug", RACE]
        assert {method for method, _ in label_writes(bot)} == {"POST", "DELETE"}, (
            "one label at a time, never all of them"
        )
        found = await shown(bot, 12)
        assert (found.label, found.label_changes, found.left_alone) == ("data-race", 2, None), "one in another's place"

        bot.sandbox.comment(REPOSITORY, 12, "triage-person", "/rootcause threading")
        await bot.settle()
        assert bot.sandbox.labels(REPOSITORY, 12) == ["bug", THREADING]
        found = await shown(bot, 12)
        assert (found.label, found.label_changes, found.left_alone) == ("multi-threading", 3, "flapping")

        bot.sandbox.comment(REPOSITORY, 12, "triage-person", "/rootcause none")
        await bot.settle()
        assert await standing(bot, 12) == ("rejected", "none", "decision")
        assert bot.sandbox.labels(REPOSITORY, 12) == ["bug", THREADING], (
            "after three changes nothing is touched any more"
        )
        assert "were changed three times" in ((await bot.inbox()).body or "")

        await closed(bot, 13)
        bot.sandbox.lock(REPOSITORY, 13, "admin-person")
        bot.sandbox.comment(REPOSITORY, 13, "triage-person", "/rootcause none question")
        await bot.settle()
        assert bot.sandbox.labels(REPOSITORY, 13) == ["bug"], "none has no label, and a locked issue takes labels"


async def test_our_label_taken_off_by_a_person_never_comes_back(database: Database) -> None:
    async with running_bot(database) as bot:
        configure(bot, "propose: label\n")
        await closed(bot, 12)
        await take(bot, 12, "triage-person", LEAK)
        assert await standing(bot, 12) == ("rejected", None, None), "it is not that, and nobody said what it is"
        assert await bot.decisions() == []
        writes = len(label_writes(bot))
        await replay(bot)
        bot.sandbox.reopen(REPOSITORY, 12, "write-person")
        bot.sandbox.close(REPOSITORY, 12, "write-person")
        await bot.settle()
        assert await standing(bot, 12) == ("rejected", None, None)
        bot.sandbox.comment(REPOSITORY, 12, "triage-person", "/rootcause data-race")
        await bot.settle()
        assert await standing(bot, 12) == ("corrected", "data-race", "decision")
        assert len(label_writes(bot)) == writes, "its labels are the people's now"


async def test_people_change_our_label_in_either_order(database: Database) -> None:
    async with running_bot(database) as bot:
        configure(bot, "propose: label\n")
        for number, order in ((12, (take, put)), (13, (put, take))):
            await closed(bot, number)
            for act in order:
                name = LEAK if act is take else RACE
                if name == LEAK and LEAK not in bot.sandbox.labels(REPOSITORY, number):
                    continue  # we were faster: our label went when theirs came
                await act(bot, number, "triage-person", name)
            assert await standing(bot, number) == ("corrected", "data-race", "label")
            assert bot.sandbox.labels(REPOSITORY, number) == ["bug", RACE]
        await closed(bot, 14)
        await put(bot, 14, "triage-person", RACE)
        await put(bot, 14, "write-person", LEAK)
        assert (await standing(bot, 14))[0] == "disputed"
        labels = bot.sandbox.labels(REPOSITORY, 14)
        await bot.refresh()
        assert bot.sandbox.labels(REPOSITORY, 14) == labels, "while people disagree nothing is touched"


async def test_whose_labels_count(database: Database) -> None:
    async with running_bot(database) as bot:
        configure(bot, "propose: label\n")
        await closed(bot, 12)
        bot.sandbox.add_user("labeler[bot]")
        bot.sandbox.grant(REPOSITORY, "unasked-person", "admin")
        for login in ("stranger", "read-person", "labeler[bot]"):
            await put(bot, 12, login, RACE)
            await take(bot, 12, login, RACE)
            await take(bot, 12, login, LEAK)
            assert await bot.decisions() == []
            assert (await standing(bot, 12))[0] == "proposed"
            bot.sandbox.label(REPOSITORY, 12, login, LEAK, emit=False)
        writes = label_writes(bot)
        await put(bot, 12, "triage-person", "module: memory usage")
        assert await bot.decisions() == [], "that label is mapped to nothing"
        await put(bot, 12, "triage-person", "root-cause/memory-leaks")
        assert await bot.decisions() == [], "that is no category"

        await closed(bot, 13)
        bot.sandbox.faults.add("GET", "/repos/pytorch/pytorch/collaborators/*", Fault.FORBIDDEN)
        await take(bot, 13, "unasked-person", LEAK)
        assert (await standing(bot, 13))[0] == "proposed", "whose rights are not known decides nothing"
        assert (await shown(bot, 13)).left_alone == "removed", "and our label stays away all the same"
        assert len(label_writes(bot)) == len(writes) + 1


async def test_mapped_labels_decide_at_the_closing_and_afterwards(database: Database) -> None:
    text = 'labels:\n  map:\n    "module: memory usage": memory-leak\n    "Module: Threads": data-race\n'
    async with running_bot(database) as bot:
        configure(bot, text, with_labels=False)
        bot.sandbox.seed_issue(REPOSITORY, leaking(1), close=False)
        bot.sandbox.seed_issue(REPOSITORY, leaking(2, labels=["bug", "module: memory usage"]), close=False)
        await put(bot, 1, "triage-person", "Module: Memory Usage")
        bot.sandbox.label(REPOSITORY, 1, "triage-person", "module: threads")
        bot.sandbox.unlabel(REPOSITORY, 1, "write-person", "module: threads")
        await bot.settle()
        assert await bot.decisions() == [], "an open issue is not decided"
        for number in (1, 2):
            bot.sandbox.close(REPOSITORY, number, "write-person", closer=bot.sandbox.fix_of(REPOSITORY, number))
        await bot.settle()
        assert await standing(bot, 1) == ("confirmed", "memory-leak", "label")
        assert await standing(bot, 2) == ("proposed", None, None), "an issue form's label is nobody's decision"
        assert [one.selection for one in await bot.records()] == ["volunteered", "random"]
        (decision,) = await bot.decisions()
        person = bot.sandbox.account("triage-person").id
        assert (decision.via, decision.person_id, decision.category) == ("label", person, "memory-leak")

        await put(bot, 1, "triage-person", "module: threads")
        assert await standing(bot, 1) == ("corrected", "data-race", "label"), "a person's last word counts"
        await take(bot, 1, "write-person", "module: threads")
        assert await standing(bot, 1) == ("confirmed", "memory-leak", "label"), "the label's own decision is undone"
        await take(bot, 1, "write-person", "module: memory usage")
        assert await standing(bot, 1) == ("proposed", None, None)
        await replay(bot)
        assert await standing(bot, 1) == ("proposed", None, None), "an event that is handled twice says nothing new"
        before = len(await bot.decisions())

        bot.sandbox.reopen(REPOSITORY, 1, "write-person")
        bot.sandbox.label(REPOSITORY, 1, "write-person", "module: memory usage")
        await bot.settle()
        bot.sandbox.close(REPOSITORY, 1, "write-person")
        await bot.settle()
        assert await standing(bot, 1) == ("confirmed", "memory-leak", "label")
        assert len(await bot.decisions()) == before + 1, "what was heard of a label is not heard again at the closing"
        bot.sandbox.comment(REPOSITORY, 1, "write-person", "/rootcause data-race")
        await bot.settle()
        assert await standing(bot, 1) == ("corrected", "data-race", "decision")
        assert label_writes(bot) == [], "labels of their own are never touched"


async def test_a_missing_label_is_reported_and_not_made(database: Database) -> None:
    async with running_bot(database) as bot:
        configure(bot, "propose: label\n", with_labels=False)
        await closed(bot, 12)
        assert label_writes(bot) == []
        assert bot.sandbox.labels(REPOSITORY, 12) == ["bug"]
        body = (await bot.inbox()).body or ""
        assert body.count("rootcause labels setup pytorch/pytorch") == 1


async def test_nothing_is_labelled_while_observing_and_nothing_of_it_later(database: Database) -> None:
    async with running_bot(database, observe_days=7.0) as bot:
        configure(bot, "propose: label\n")
        await closed(bot, 12)
        assert (await shown(bot, 12)).passed_over == "nothing could be written there"
        bot.sandbox.put_file(REPOSITORY, ".github/rootcause.yml", "propose: label\nmode: active\n")
        async with bot.services.database.sessions.begin() as session:
            repository = await session.get_one(type(await bot.repository()), bot.sandbox.repository(REPOSITORY).id)
            repository.state, repository.observe_until = "active", None
        await bot.refresh()
        assert bot.sandbox.writes == [] or all("/labels" not in one.path for one in bot.sandbox.writes)
        await closed(bot, 13)
        assert bot.sandbox.labels(REPOSITORY, 13) == ["bug", LEAK]
        assert bot.sandbox.labels(REPOSITORY, 12) == ["bug"]


async def test_a_label_just_taken_off_is_not_followed_by_another(database: Database) -> None:
    """What is known changes between a person's edit and the event that tells of it: their word is final."""
    async with running_bot(database) as bot:
        configure(bot, "propose: label\n")
        await closed(bot, 12)
        assert LEAK in bot.sandbox.labels(REPOSITORY, 12)
        bot.sandbox.unlabel(REPOSITORY, 12, "triage-person", LEAK)
        async with bot.services.database.sessions.begin() as session:
            await session.execute(update(Proposal).values(category="data-race"))
            await session.execute(update(Shown).values(due=True))
        await show(bot.services, bot.sandbox.repository(REPOSITORY).id)
        await bot.settle()
        assert bot.sandbox.labels(REPOSITORY, 12) == ["bug"]
        assert (await shown(bot, 12)).left_alone == "removed"
        assert (await standing(bot, 12))[0] == "rejected"


async def test_what_the_repository_asks_for_no_more_is_not_begun(database: Database) -> None:
    async with running_bot(database) as bot:
        configure(bot, "propose: label\n", with_labels=False)
        await closed(bot, 12)
        bot.sandbox.open_issue(REPOSITORY, "stranger", "Labels", labels=(LEAK,), emit=False)
        bot.sandbox.put_file(REPOSITORY, ".github/rootcause.yml", "propose: 'off'\n")
        async with bot.services.database.sessions.begin() as session:
            await session.execute(delete(ConfigurationFile))
            await session.execute(update(Shown).values(due=True, passed_over=None))
        await bot.refresh()
        assert bot.sandbox.labels(REPOSITORY, 12) == ["bug"]
        assert not (await shown(bot, 12)).due
