"""Backfills as rows: begun or taken up again, moved on page by page, and the next one that is due for a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, or_, select, update

from bot.github.page_size import FIRST_SIZE
from bot.store.tables import Backfill, Record, Repository


async def begin(
    session: AsyncSession, repository_id: int, parameters: Mapping[str, Any], now: datetime, *, by_job: bool = False
) -> Backfill:
    """Return the unfinished backfill of a repository with these parameters, or a new one."""
    unfinished = (
        select(Backfill)
        .where(
            Backfill.repository_id == repository_id,
            Backfill.state == "going_on",
            col(Backfill.by_job).is_(by_job),
            col(Backfill.parameters) == dict(parameters),
        )
        .order_by(col(Backfill.id).desc())
        .limit(1)
    )
    found = (await session.execute(unfinished)).scalars().first()
    if found is not None:
        return found
    new = Backfill(
        repository_id=repository_id,
        parameters=dict(parameters),
        by_job=by_job,
        phase="listing" if parameters.get("sample") else "pages",
        size=min(FIRST_SIZE, parameters.get("limit") or FIRST_SIZE),
        started_at=now,
        updated_at=now,
    )
    session.add(new)
    await session.flush()
    return new


async def begin_listed(
    session: AsyncSession, repository_id: int, parameters: Mapping[str, Any], numbers: Sequence[int], now: datetime
) -> Backfill:
    """Return a new backfill of the issues of these numbers, of which there is at least one."""
    new = Backfill(
        repository_id=repository_id,
        parameters=dict(parameters),
        phase="numbers",
        draw={"numbers": list(numbers)},
        total=len(numbers),
        size=FIRST_SIZE,
        started_at=now,
        updated_at=now,
    )
    session.add(new)
    await session.flush()
    return new


async def was_begun_since(session: AsyncSession, repository_id: int, moment: datetime) -> bool:
    """Say whether jobs read a repository's history, or began to since a moment."""
    some = (
        select(Backfill.id)
        .where(Backfill.repository_id == repository_id, col(Backfill.by_job))
        .where(or_(col(Backfill.state) == "going_on", col(Backfill.started_at) >= moment))
        .limit(1)
    )
    return (await session.execute(some)).first() is not None


async def move_on(session: AsyncSession, backfill: Backfill, changes: Mapping[str, Any]) -> bool:
    """Store that the page is done; return False, having changed nothing, where another process did it already."""
    moved = await session.execute(
        update(Backfill)
        .where(col(Backfill.id) == backfill.id, col(Backfill.page) == backfill.page, col(Backfill.state) == "going_on")
        .values(page=backfill.page + 1, **changes)
        .returning(col(Backfill.id))
        .execution_options(synchronize_session=False)
    )
    return moved.first() is not None


async def set_backfill(session: AsyncSession, backfill_id: int, **values: Any) -> None:
    """Change a backfill's row without moving it on."""
    await session.execute(
        update(Backfill)
        .where(col(Backfill.id) == backfill_id)
        .values(**values)
        .execution_options(synchronize_session=False)
    )


async def claim_due(session: AsyncSession, now: datetime) -> tuple[Backfill, Repository] | None:
    """Return the backfill that jobs have left alone longest of those that are due, and count the attempt."""
    due = (
        select(Backfill, Repository)
        .join(Repository, col(Repository.id) == col(Backfill.repository_id))
        .where(col(Backfill.by_job), Backfill.state == "going_on", _reached(now))
        .order_by(col(Backfill.updated_at), col(Backfill.id))
        .limit(1)
        .with_for_update(of=Backfill, skip_locked=True)
    )
    found = (await session.execute(due)).first()
    if found is None:
        return None
    backfill, repository = found
    backfill.attempts += 1
    backfill.updated_at = now
    return backfill, repository


async def next_due(session: AsyncSession) -> datetime | None:
    """Return when a job has something to read again (the past for at once), or None where nothing is left."""
    soonest = select(func.min(func.coalesce(col(Backfill.not_before), col(Backfill.started_at)))).where(
        col(Backfill.by_job), Backfill.state == "going_on"
    )
    found: datetime | None = (await session.execute(soonest)).scalar_one()
    return found


async def recorded_live(session: AsyncSession, issue_ids: Sequence[int]) -> set[int]:
    """Return which of these issues were recorded at their closing: their records are left as they are."""
    wanted = select(Record.issue_id).where(col(Record.issue_id).in_(issue_ids), col(Record.backfilled).is_(False))
    return set((await session.execute(wanted)).scalars())


def _reached(now: datetime) -> Any:
    return or_(col(Backfill.not_before).is_(None), col(Backfill.not_before) <= now)
