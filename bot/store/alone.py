"""One worker at a time, over all replicas: who is about to create something claims it, so that it is created once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker
from sqlmodel import col, delete

from bot.clock import Clock
from bot.store.tables import Written

CLAIMED_FOR = timedelta(minutes=2)
"""After which a claim counts no more: its worker died."""


@asynccontextmanager
async def alone(
    sessions: async_sessionmaker[AsyncSession], clock: Clock, repository_id: int, what: str
) -> AsyncIterator[bool]:
    """Claim something of a repository until the block ends; the block learns whether nobody else holds it."""
    now, marker = clock.now(), f"claim: {what}"
    row = {"repository_id": repository_id, "marker": marker, "kind": "claim", "github_id": 0, "created_at": now}
    claim = insert(Written).values(**row)
    claim = claim.on_conflict_do_update(
        index_elements=[col(Written.repository_id), col(Written.marker)],
        set_={"created_at": now},
        where=col(Written.created_at) < now - CLAIMED_FOR,
    )
    async with sessions.begin() as session:
        is_mine = (await session.execute(claim.returning(col(Written.marker)))).first() is not None
    try:
        yield is_mine
    finally:
        if is_mine:
            mine = delete(Written).where(
                col(Written.repository_id) == repository_id,
                col(Written.marker) == marker,
                col(Written.created_at) == now,
            )
            async with sessions.begin() as session:
                await session.execute(mine)
