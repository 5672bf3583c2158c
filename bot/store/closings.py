"""Up to where each repository's closed issues were compared with its records, and what is known of closings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, delete, func, select, update

from bot.store.among import among
from bot.store.repositories import gathering
from bot.store.tables import ClosingsSeen, Delivery, Record, Repository

LONGEST_BACK = timedelta(days=7)
"""How far the first comparison of a repository goes back, at most: no further than to when it began to gather."""


async def watch_closings(session: AsyncSession, repository_ids: Iterable[int], since: datetime) -> None:
    """Note that closings of these repositories count from a moment on, unless they do already."""
    rows = [{"repository_id": one, "since": since} for one in repository_ids]
    if rows:
        await session.execute(insert(ClosingsSeen).on_conflict_do_nothing(), rows)


async def watched(session: AsyncSession, now: datetime) -> list[int]:
    """Return the repositories that gather, and see to it that the closings of these alone are watched."""
    wanted = select(Repository.id, Repository.created_at).where(gathering()).order_by(col(Repository.id))
    rows = (await session.execute(wanted)).all()
    ids = [row.id for row in rows]
    await session.execute(delete(ClosingsSeen).where(col(ClosingsSeen.repository_id).not_in(ids)))
    for row in rows:
        await watch_closings(session, [row.id], max(row.created_at, now - LONGEST_BACK))
    return ids


async def set_seen(session: AsyncSession, seen: ClosingsSeen, values: Mapping[str, Any]) -> None:
    """Note up to where a repository was compared; nothing where another process, or its leaving, was faster."""
    same = (col(ClosingsSeen.repository_id) == seen.repository_id, col(ClosingsSeen.since) == seen.since)
    changed = update(ClosingsSeen).where(*same).values(**values)
    await session.execute(changed.execution_options(synchronize_session=False))


async def closings_recorded(session: AsyncSession, repository_id: int, numbers: Collection[int]) -> dict[int, datetime]:
    """Return up to when the closings of each of these issues are recorded; one that counts as open again is not.

    What was closed before it was gathered is part of the record, though GitHub's two moments of one closing may differ.
    """
    wanted = select(Record.number, func.greatest(Record.closed_at, Record.gathered_at).label("until")).where(
        Record.repository_id == repository_id, among(Record.number, numbers), col(Record.is_open).is_(False)
    )
    return {row.number: row.until for row in await session.execute(wanted)}


async def units_waiting(session: AsyncSession, units: Collection[str]) -> frozenset[str]:
    """Return those of these units of work for which a delivery waits."""
    waiting = select(Delivery.unit).where(among(Delivery.unit, units), Delivery.state == "waiting").distinct()
    return frozenset((await session.execute(waiting)).scalars())
