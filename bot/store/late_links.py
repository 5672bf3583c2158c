"""The closed issues without a fix that landed, as far as is known, and when each is looked at again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, delete, func, select

from bot.store.tables import AwaitedLink, Record, Repository

LOOKS_AFTER = (timedelta(hours=1), timedelta(days=1), timedelta(days=7))
"""How long after its closing an issue without a fix that landed is looked at again; then no more."""


def next_look(closed_at: datetime, after: datetime) -> datetime | None:
    """Return the first of an issue's looks that comes after a moment, or None where all are over."""
    return next((closed_at + wait for wait in LOOKS_AFTER if closed_at + wait > after), None)


def look_due(record: Record, seen_until: datetime) -> datetime | None:
    """Return when a record is to be looked at again, None for never."""
    return next_look(record.closed_at, seen_until) if record.fix_merged_at is None and not record.is_open else None


async def await_links(session: AsyncSession, records: Iterable[Record], seen_until: datetime) -> None:
    """Note when each of these records is looked at again: never, where its fix landed, or its time is over.

    What was there at the moment `seen_until` has been seen.
    """
    rows, settled = [], []
    for record in records:
        due = look_due(record, seen_until)
        if due is None:
            settled.append(record.issue_id)
        else:
            row = {"issue_id": record.issue_id, "repository_id": record.repository_id, "number": record.number}
            rows.append({**row, "due_at": due})
    await forget_links(session, settled)
    if rows:
        statement = insert(AwaitedLink)
        changed = {name: statement.excluded[name] for name in rows[0] if name != "issue_id"}
        await session.execute(
            statement.on_conflict_do_update(index_elements=[col(AwaitedLink.issue_id)], set_=changed), rows
        )


async def forget_links(session: AsyncSession, issue_ids: Collection[int]) -> None:
    """Look for the fixes of these issues no more."""
    if issue_ids:
        await session.execute(delete(AwaitedLink).where(col(AwaitedLink.issue_id).in_(issue_ids)))


async def due_links(session: AsyncSession, installation_id: int, until: datetime) -> Sequence[AwaitedLink]:
    """Return what is due by a moment in an installation's repositories, by repository and number."""
    due = (
        select(AwaitedLink)
        .join(Repository, col(Repository.id) == col(AwaitedLink.repository_id))
        .where(Repository.installation_id == installation_id, AwaitedLink.due_at <= until)
        .order_by(col(AwaitedLink.repository_id), col(AwaitedLink.number))
    )
    return (await session.execute(due)).scalars().all()


async def next_due(session: AsyncSession) -> dict[int, datetime]:
    """Return by installation when something is due there first."""
    soonest = (
        select(col(Repository.installation_id), func.min(col(AwaitedLink.due_at)))
        .join(Repository, col(Repository.id) == col(AwaitedLink.repository_id))
        .group_by(col(Repository.installation_id))
    )
    rows = (await session.execute(soonest)).all()
    return {installation_id: due for installation_id, due in rows if installation_id is not None}
