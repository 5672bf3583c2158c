"""The database as the plain rows that a report is computed from."""

from __future__ import annotations

from collections.abc import Callable, Container
from datetime import datetime

from sqlalchemy import ColumnElement, true
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, or_, select

import reports.rows as plain
from bot.store.imported import imported_named, with_imported
from bot.store.rows_closings import closings
from bot.store.rows_people import decisions, participants
from bot.store.tables import Repository
from reports.cohort import is_compared


async def load_rows(
    session: AsyncSession, repository_id: int | None, since: datetime | None, until: datetime | None
) -> plain.Rows:
    """Return what a report reads: closings in [`since`, `until`) of issues that are not open again.

    Of other repositories than `repository_id` only public ones enter, and only those that are compared with their
    closings: a private repository's numbers appear in its own report alone. People are named by the database's keyed
    hash, and their accounts' figures are coarse: a report computes from the same values that are exported. Imported
    packages stand beside what was recorded here.
    """
    public = col(Repository.private).is_(False)
    return await _load(
        session,
        public if repository_id is None else or_(col(Repository.id) == repository_id, public),
        since,
        until,
        counts=lambda one: one.repository_id == repository_id or is_compared(one, repository_id),
        may_see_imported=lambda one: one.repository_id == repository_id or not one.private,
    )


async def load_everything(session: AsyncSession, *, include_private: bool) -> plain.Rows:
    """Return all that an export holds: every closing ever recorded, of public repositories or of all."""
    return await _load(
        session,
        true() if include_private else col(Repository.private).is_(False),
        None,
        None,
        counts=lambda _: True,
        may_see_imported=lambda one: include_private or not one.private,
    )


async def repository_named(session: AsyncSession, full_name: str) -> int | None:
    """Return the id of the recorded or imported repository with this `owner/name`, in any case, or None."""
    wanted = select(Repository.id).where(func.lower(Repository.full_name) == full_name.lower())
    found = (await session.execute(wanted.order_by(col(Repository.updated_at).desc()))).scalars().first()
    return await imported_named(session, full_name) if found is None else found


async def _load(
    session: AsyncSession,
    visible: ColumnElement[bool],
    since: datetime | None,
    until: datetime | None,
    *,
    counts: Callable[[plain.Repository], bool],
    may_see_imported: Callable[[plain.Repository], bool],
) -> plain.Rows:
    """Return the visible repositories, and the closings of those that count with all that belongs to them."""
    stored = (await session.execute(select(Repository).where(visible).order_by(col(Repository.id)))).scalars().all()
    seen = {one.id for one in stored}
    repositories = tuple(_repository(one, seen) for one in stored)
    records = await closings(session, {one.repository_id: one for one in repositories if counts(one)}, since, until)
    live = plain.Rows(
        repositories=repositories,
        records=records,
        participants=await participants(session, records),
        decisions=await decisions(session, records),
    )
    return await with_imported(session, live, since, until, may_see_imported)


def _repository(row: Repository, visible: Container[int]) -> plain.Repository:
    return plain.Repository(
        repository_id=row.id,
        repository=row.full_name,
        paradigm=row.paradigm,
        domain=row.domain,
        in_comparison=row.in_comparison,
        matched_with=row.matched_with if row.matched_with in visible else None,
        watches=row.watches,
        stars=row.stars,
        forks=row.forks,
        commits=row.commits,
        contributors=row.contributors,
        private=row.private,
        share=row.share,
        notes=tuple(row.notes),
    )
