"""Which decisions of the database a model may learn from, and which issues it may be tried on."""

from __future__ import annotations

from sqlmodel import col, update

from bot.decisions.teaching import Tendency
from bot.store.database import Database
from bot.store.proposals import newest_proposals, store_proposal
from bot.store.tables import Decision, EvidenceText
from bot.store.training import decided_issues, tendency_of, undecided_issues, usable_row_ids
from classifier import IssueText
from classifier.lexicon_model import load_lexicon_model
from tests.support.decided import LISTED, NOW, OTHER, PRIVATE, UNLISTED, add_issue, add_repositories

TEXT = IssueText("Memory leak in the loader", "It grows.")


async def test_what_teaches_and_what_does_not(database: Database) -> None:
    async with database.sessions.begin() as session:
        add_repositories(session)
        await add_issue(session, 1, LISTED, TEXT, "memory-leak", bug_type="memory")
        await add_issue(session, 2, OTHER, TEXT, "none")
        await add_issue(session, 3, UNLISTED, TEXT, "memory-leak")
        await add_issue(session, 4, PRIVATE, TEXT, "memory-leak")
        await add_issue(session, 5, LISTED, TEXT, None)
        await add_issue(session, 6, LISTED, TEXT, "data-race", state="disputed", category=None)
        await add_issue(session, 7, LISTED, TEXT, "data-race")
        await add_issue(session, 8, LISTED, TEXT, "data-race")
        await session.execute(update(Decision).where(col(Decision.issue_id) == 7).values(undone_at=NOW))
        await session.execute(
            update(EvidenceText).where(col(EvidenceText.issue_id) == 8).values(text=b"no text of ours")
        )
    async with database.sessions() as session:
        found = await decided_issues(session)
        assert [(one.repository, one.category, one.bug_type) for one in found] == [
            ("pytorch/pytorch", "memory-leak", "memory"),
            ("etcd-io/etcd", "none", None),
        ]
        assert found[0].text() == TEXT
        readable = {one.row_id for one in found}
        assert len(await usable_row_ids(session)) == 3, "without looking into the texts"
        assert readable < await usable_row_ids(session)
        assert [one.number async for one in undecided_issues(session)] == [5]


async def test_another_word_on_an_issue_is_another_row(database: Database) -> None:
    async with database.sessions.begin() as session:
        add_repositories(session)
        await add_issue(session, 1, LISTED, TEXT, "memory-leak")
        (before,) = await usable_row_ids(session)
        decision = Decision(
            issue_id=1, repository_id=LISTED, person_id=900, category="none", via="comment", source="x", decided_at=NOW
        )
        session.add(decision)
        await session.flush()
        (after,) = await usable_row_ids(session)
        assert after == decision.id != before


async def test_the_tendency_comes_from_the_random_sample_alone(database: Database) -> None:
    async with database.sessions.begin() as session:
        add_repositories(session)
        for issue_id, (category, selection) in enumerate(
            [("memory-leak", "random"), ("none", "random"), ("none", "random"), ("data-race", "targeted")], start=1
        ):
            await add_issue(session, issue_id, LISTED, TEXT, category, selection=selection)
        await add_issue(session, 9, OTHER, TEXT, "none", selection="random")
    assert await tendency_of(database, LISTED) == Tendency({"memory-leak": 1, "none": 2})
    assert await tendency_of(database, UNLISTED) == Tendency({})


async def test_a_decided_issue_keeps_the_proposal_it_was_decided_with(database: Database) -> None:
    model = load_lexicon_model()
    other = model.predict(IssueText("Race condition between two threads", "Data race without a lock."))
    async with database.sessions.begin() as session:
        add_repositories(session)
        record = await add_issue(session, 1, LISTED, TEXT, None)
        first = await store_proposal(session, 1, model.predict(TEXT), NOW)
        second = await store_proposal(session, 1, other, NOW)
        assert first is not None
        assert second is not None
        assert second.category == "data-race" != first.category
        record.decided_at = NOW
        await session.flush()
        assert await store_proposal(session, 1, model.predict(TEXT), NOW) == second
        await session.flush()
        assert (await newest_proposals(session, [1]))[1].category == "data-race"
