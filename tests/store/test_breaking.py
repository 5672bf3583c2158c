"""The circuit-breaker's memory: one for all replicas, apart for each issue, and short."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sqlmodel import select

from bot.github.breaker import PERIOD, Write
from bot.store.breaking import PostgresBreaker
from bot.store.database import Database
from bot.store.tables import CircuitBreaker, IssueWrites, Written

NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
WRITE = Write(12, NOW, "another App", "?", "first", loud=True)


async def written(breaker: PostgresBreaker, write: Write, times: int) -> int:
    """Write as often as the breaker admits, a minute apart; return how often that was."""
    count = 0
    for minute in range(times):
        one = replace(write, at=write.at + timedelta(minutes=minute), occasion=f"{write.occasion} {minute}")
        if await breaker.admits(one):
            await breaker.note(one)
            count += 1
    return count


async def test_replicas_share_it_and_issues_do_not(database: Database) -> None:
    one, other = PostgresBreaker(database.sessions, 1), PostgresBreaker(database.sessions, 1)
    assert await written(one, WRITE, 9) == 5
    assert not await other.admits(replace(WRITE, at=NOW + timedelta(minutes=9), occasion="later"))
    assert await other.admits(replace(WRITE, number=13, at=NOW + timedelta(minutes=9)))
    assert await PostgresBreaker(database.sessions, 2).admits(WRITE), "another repository's issue has the same number"
    assert await other.admits(replace(WRITE, at=NOW + timedelta(hours=2), occasion="later"))


async def test_an_issue_of_our_own_is_known_by_what_was_written(database: Database) -> None:
    async with database.sessions.begin() as session:
        session.add(
            Written(repository_id=1, marker="<!-- inbox -->", kind="issue", github_id=5, number=12, created_at=NOW)
        )
    breaker = PostgresBreaker(database.sessions, 1)
    assert await written(breaker, WRITE, 9) == 5
    assert await written(breaker, replace(WRITE, who="ann", said="help"), 3) == 3, "each person is looked at apart"


async def test_what_is_older_than_an_hour_is_forgotten(database: Database) -> None:
    breaker = PostgresBreaker(database.sessions, 1)
    await written(breaker, WRITE, 2)
    await breaker.note(replace(WRITE, number=13, at=NOW + PERIOD * 2, occasion="later"))
    async with database.sessions() as session:
        rows = (await session.execute(select(IssueWrites))).scalars().all()
    assert [(row.number, len(row.recent)) for row in rows] == [(13, 1)]


async def test_what_was_stopped_is_counted_by_all_together(database: Database) -> None:
    for breaker in (PostgresBreaker(database.sessions, 1), PostgresBreaker(database.sessions, 2)):
        await breaker.stopped("React")
    async with database.sessions() as session:
        rows = (await session.execute(select(CircuitBreaker))).scalars().all()
    assert [(row.kind, row.stopped) for row in rows] == [("React", 2)]
