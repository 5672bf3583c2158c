"""Which issues are left alone: not asked about, not predicted, and given no label or comment, until `on`."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, delete, select

from bot.store.among import among
from bot.store.tables import LeftAlone, Record


async def leave_alone(session: AsyncSession, repository_id: int, number: int, now: datetime) -> None:
    """Note that an issue, open or closed, is left alone; noted again it stays so."""
    row = {"repository_id": repository_id, "number": number, "left_at": now}
    await session.execute(insert(LeftAlone).values(**row).on_conflict_do_nothing())


async def resume(session: AsyncSession, repository_id: int, number: int) -> bool:
    """Note that an issue is left alone no longer; return whether it was."""
    gone = delete(LeftAlone).where(col(LeftAlone.repository_id) == repository_id, col(LeftAlone.number) == number)
    return (await session.execute(gone.returning(col(LeftAlone.number)))).first() is not None


async def left_alone(session: AsyncSession, repository_id: int, numbers: Collection[int]) -> frozenset[int]:
    """Return those of a repository's issues, by their numbers, that are left alone."""
    found = select(LeftAlone.number).where(LeftAlone.repository_id == repository_id, among(LeftAlone.number, numbers))
    return frozenset((await session.execute(found)).scalars())


def is_left_alone() -> ColumnElement[bool]:
    """Return the same as a condition on `Record`."""
    same = (LeftAlone.repository_id == Record.repository_id, LeftAlone.number == Record.number)
    return select(LeftAlone.number).where(*same).correlate(Record).exists()
