"""What the App created on GitHub, remembered by its hidden marker."""

from __future__ import annotations

from typing import Literal

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from bot.clock import Clock
from bot.github.writer import WrittenItem
from bot.store.tables import Written


class PostgresWritten:
    """The markers of one repository; implements `bot.github.writer.WrittenStore`."""

    def __init__(self, sessions: async_sessionmaker[AsyncSession], repository_id: int, clock: Clock) -> None:
        self._sessions = sessions
        self._repository_id = repository_id
        self._clock = clock

    async def get(self, marker: str) -> WrittenItem | None:
        """Return what was created with this marker, or None."""
        async with self._sessions() as session:
            row = await session.get(Written, (self._repository_id, marker))
            if row is None:
                return None
            kind: Literal["issue", "comment"] = "issue" if row.kind == "issue" else "comment"
            return WrittenItem(kind, row.github_id, row.number, row.url or "")

    async def put(self, marker: str, item: WrittenItem) -> None:
        """Remember what was created; the first one of a marker stays."""
        row = {
            "repository_id": self._repository_id,
            "marker": marker,
            "kind": item.kind,
            "github_id": item.github_id,
            "number": item.number,
            "url": item.url,
            "created_at": self._clock.now(),
        }
        async with self._sessions.begin() as session:
            await session.execute(insert(Written).values(**row).on_conflict_do_nothing())
