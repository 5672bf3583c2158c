"""One at a time, over all replicas: who is about to create something goes in alone, so that it is made once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker
from sqlmodel import func, select

_NO_LONGER = text("SET LOCAL idle_in_transaction_session_timeout = '5min'")


@asynccontextmanager
async def alone(sessions: async_sessionmaker[AsyncSession], repository_id: int, what: str) -> AsyncIterator[bool]:
    """Learn whether nobody else is in the same block about the same thing of a repository, and keep others out.

    The lock belongs to a transaction that stays open as long as the block, so it ends with a worker that dies, and
    after five minutes with one that hangs.
    """
    async with sessions.begin() as session:
        await session.execute(_NO_LONGER)
        key = func.hashtextextended(f"{repository_id}: {what}", 0)
        yield (await session.execute(select(func.pg_try_advisory_xact_lock(key)))).scalar_one()
