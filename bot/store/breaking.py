"""The writes of the last hour in each issue, as a row that all replicas share."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker
from sqlmodel import col, select

from bot.github.breaker import PERIOD, Write, may_write
from bot.store.tables import CircuitBreaker, IssueWrites, Written

_FORGET = text(
    "DELETE FROM issue_writes WHERE repository_id = :repository AND (recent -> -1 ->> 'at')::timestamptz < :since"
)


class PostgresBreaker:
    """The breaker of one repository; implements `bot.github.breaker.Breaker`."""

    def __init__(self, sessions: async_sessionmaker[AsyncSession], repository_id: int) -> None:
        self._sessions = sessions
        self._repository_id = repository_id

    async def admits(self, write: Write) -> bool:
        """Say whether a write may go out, by what all replicas wrote in its issue within the hour."""
        async with self._sessions() as session:
            row = await session.get(IssueWrites, (self._repository_id, write.number))
            if row is None:
                return True
            ours = select(Written.marker).where(
                Written.repository_id == self._repository_id, Written.kind == "issue", Written.number == write.number
            )
            is_own = (await session.execute(ours.limit(1))).first() is not None
        return may_write(_recent(row.recent, write), write, is_own=is_own)

    async def stopped(self, kind: str) -> None:
        """Count a write that was not made, for `/metrics`."""
        one_more = insert(CircuitBreaker).values(kind=kind, stopped=1)
        count = {"stopped": col(CircuitBreaker.stopped) + 1}
        async with self._sessions.begin() as session:
            await session.execute(one_more.on_conflict_do_update(index_elements=[col(CircuitBreaker.kind)], set_=count))

    async def note(self, write: Write) -> None:
        """Remember that it went out, and forget what is older than an hour."""
        key = {"repository_id": self._repository_id, "number": write.number}
        async with self._sessions.begin() as session:
            await session.execute(_FORGET, {"repository": self._repository_id, "since": write.at - PERIOD})
            await session.execute(insert(IssueWrites).values(**key, recent=[]).on_conflict_do_nothing())
            same = (col(IssueWrites.repository_id) == self._repository_id, col(IssueWrites.number) == write.number)
            row = (await session.execute(select(IssueWrites).where(*same).with_for_update())).scalar_one()
            row.recent = [_packed(one) for one in (*_recent(row.recent, write), write)]


def _recent(stored: list[dict[str, Any]], write: Write) -> list[Write]:
    writes = [
        Write(write.number, datetime.fromisoformat(one["at"]), one["who"], one["said"], one["occasion"], one["loud"])
        for one in stored
    ]
    return [one for one in writes if one.at > write.at - PERIOD]


def _packed(write: Write) -> dict[str, Any]:
    return {
        "at": write.at.isoformat(),
        "who": write.who,
        "said": write.said,
        "occasion": write.occasion,
        "loud": write.loud,
    }
