"""Which confirmed issues are most like one: cosines by hand, and nobody named who did not agree to it."""

from __future__ import annotations

import math

import pytest
from sqlmodel import col, update

from bot.evidence.similar import MOST_SIMILAR, nearest, words_of
from bot.features.telling import shown, tell
from bot.store.database import Database
from bot.store.proposals import store_proposal
from bot.store.similar import similar_records
from bot.store.tables import Fix, Repository
from classifier import CommentText, IssueText
from classifier.lexicon_model import load_lexicon_model
from tests.support.decided import LISTED, NOW, OTHER, PRIVATE, UNLISTED, add_issue, add_repositories

LEAK = IssueText("Memory leak in the loader", "The resident memory of the loader grows with each batch.")
RACE = IssueText("Race condition in the scheduler", "Two threads write the counter without holding the mutex.")


def test_the_cosine_by_hand() -> None:
    # n = 2: `leak` stands in both, weight 1 + ln(3/3) = 1; `loader` in one, 1 + ln(3/2); `queue` in one as well.
    rare = 1 + math.log(1.5)
    found = nearest({"leak": 1, "loader": 1}, {1: {"leak": 1, "loader": 1}, 2: {"leak": 1, "queue": 1}})
    assert [issue_id for issue_id, _ in found] == [1, 2]
    assert found[0][1] == pytest.approx(1.0)
    assert found[1][1] == pytest.approx(1 / (1 + rare**2))
    # A term that occurs three times weighs 1 + ln 3 as often.
    (only,) = nearest({"leak": 3}, {1: {"leak": 1, "loader": 1}})
    assert only[1] == pytest.approx(1 / math.sqrt(2))


def test_nothing_in_common_is_not_similar_and_three_are_enough() -> None:
    assert nearest({"leak": 1}, {1: {"race": 1}, 2: {}}) == []
    assert nearest({}, {1: {"race": 1}}) == []
    assert [one for one, _ in nearest({"leak": 1}, {number: {"leak": 1} for number in range(9, 0, -1)})] == [1, 2, 3]


def test_the_title_counts_twice_and_comments_count() -> None:
    words = words_of(IssueText("Leak", "", (CommentText("It leaks."),)))
    assert words["leak"] == 3


async def fill(database: Database) -> None:
    """Fill every repository with one confirmed leak; the issue asked about is 1."""
    async with database.sessions.begin() as session:
        add_repositories(session)
        await add_issue(session, 1, LISTED, LEAK, None)
        await add_issue(session, 2, LISTED, LEAK, "memory-leak", open_days=4.0)
        await add_issue(session, 3, LISTED, RACE, "data-race")
        await add_issue(session, 4, LISTED, LEAK, None)
        await add_issue(session, 5, LISTED, LEAK, "memory-leak", state="disputed", category=None)
        await add_issue(session, 6, LISTED, LEAK, "memory-leak", is_open=True)
        await add_issue(session, 7, OTHER, LEAK, "memory-leak")
        await add_issue(session, 8, UNLISTED, LEAK, "memory-leak")
        await add_issue(session, 9, PRIVATE, LEAK, "memory-leak")
        session.add(Fix(issue_id=2, kind="pull_request", link="closer_pr", number=99))
        session.add(Fix(issue_id=7, kind="commit", link="closer_commit", repository="secret/one", sha="9f" * 20))


async def numbers(database: Database) -> list[int]:
    async with database.sessions() as session:
        asked = await add_issue(session, 1000, LISTED, LEAK, None)
        return [one.record.number for one in await similar_records(session, asked)]


async def test_own_confirmed_issues_first_and_of_others_only_those_that_may_be_named(database: Database) -> None:
    await fill(database)
    assert await numbers(database) == [2]
    async with database.sessions.begin() as session:
        await session.execute(update(Repository).values(share="named"))
    assert await numbers(database) == [2, 7], "neither an unlisted nor a private one"
    async with database.sessions.begin() as session:
        for number in (20, 21):
            await add_issue(session, number, LISTED, LEAK, "memory-leak")
    assert await numbers(database) == [2, 20, 21]
    assert len(await numbers(database)) == MOST_SIMILAR


async def test_what_is_told(database: Database) -> None:
    await fill(database)
    async with database.sessions.begin() as session:
        await session.execute(update(Repository).where(col(Repository.id) == OTHER).values(share="named"))
        asked = await add_issue(session, 1000, LISTED, LEAK, None, blind=True)
        assert await tell(session, asked, "similar") == (
            "Confirmed issues like `#1000`, the nearest first:\n\n"
            "| issue | cause | fix | open |\n| --- | --- | --- | ---: |\n"
            "| [#2](https://redirect.github.com/pytorch/pytorch/issues/2) Memory leak in the loader | `memory-leak` | "
            "[#99](https://redirect.github.com/pytorch/pytorch/pull/99) | 4.0 days |\n"
            "| [#7](https://redirect.github.com/etcd-io/etcd/issues/7) (etcd-io/etcd) Memory leak in the loader | "
            "`memory-leak` | not known | not known |"
        ), "a fix that may lie in a private repository is not named elsewhere"
        assert "asked blind" in await tell(session, asked, "explain")
        asked.blind = False
        assert await tell(session, asked, "explain") == "Nothing was predicted of `#1000` yet."
        await store_proposal(session, asked.issue_id, load_lexicon_model().predict(LEAK), NOW)
        words = await tell(session, asked, "explain")
        assert "| `memory-leak` | " in words
        assert "*Memory leak*" in words
        with pytest.raises(ValueError, match="asks nothing"):
            await tell(session, asked, "confirm")


async def test_a_fix_is_named_where_its_own_maintainers_ask(database: Database) -> None:
    await fill(database)
    async with database.sessions.begin() as session:
        await session.execute(update(Repository).values(share="named"))
        asked = await add_issue(session, 1000, OTHER, LEAK, None)
        (own, *_) = await similar_records(session, asked)
        assert shown(own, OTHER).fix == (
            "secret/one@9f9f9f9f9f",
            f"https://redirect.github.com/secret/one/commit/{'9f' * 20}",
        )


async def test_a_fix_in_another_private_repository_is_named_to_nobody(database: Database) -> None:
    await fill(database)
    async with database.sessions.begin() as session:
        await session.execute(update(Repository).where(col(Repository.id) == PRIVATE).values(full_name="Secret/one"))
        asked = await add_issue(session, 1000, OTHER, LEAK, None)
        (own, *_) = await similar_records(session, asked)
        assert shown(own, OTHER).fix is None
