"""Imported packages in the database: stored row by row, read back beside what was recorded here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped
from sqlmodel import col, func, or_, select

from bot.store import tables
from bot.store.tables import Imported
from reports import Decision, Participant, Record, Repository, Rows
from reports.fields import read_row
from reports.package_files import plain

Row = TypeVar("Row", Repository, Record, Participant, Decision)

_AT_ONCE = 1_000


async def save_imported(session: AsyncSession, rows: Rows) -> None:
    """Store a package's rows; rows of the same repository, issue, person or decision from before are replaced."""
    values = [_values(one) for one in _keyed(rows)]
    for start in range(0, len(values), _AT_ONCE):
        statement = insert(Imported).values(values[start : start + _AT_ONCE])
        replaced = {name: statement.excluded[name] for name in ("repository_id", "issue_id", "closed_at", "row")}
        await session.execute(statement.on_conflict_do_update(index_elements=["kind", "key"], set_=replaced))


async def with_imported(
    session: AsyncSession,
    live: Rows,
    since: datetime | None,
    until: datetime | None,
    may_see: Callable[[Repository], bool],
) -> Rows:
    """Return the rows recorded here together with the imported ones of repositories and issues not recorded here.

    [`since`, `until`) bounds the closings; None does not. Of imported repositories only those that `may_see` allows
    enter. What is recorded here counts also where it keeps something out: a repository that is private by now, or an
    issue that is open again, does not come back by an older package.
    """
    imported = await _read(session, "repository", Repository)
    stored = await _stored(session, col(tables.Repository.id), [one.repository_id for one in imported])
    places = [one for one in imported if one.repository_id not in stored and may_see(one)]
    visible = {one.repository_id for one in (*live.repositories, *places)}
    closings = await _read(session, "record", Record, since, until)
    recorded = await _stored(session, col(tables.Record.issue_id), [one.issue_id for one in closings])
    records = [one for one in closings if one.repository_id in visible and one.issue_id not in recorded]
    issues = {one.issue_id for one in records}
    people = await _read(session, "participant", Participant, since, until)
    said = await _read(session, "decision", Decision, since, until)
    return Rows(
        repositories=(*live.repositories, *places),
        records=(*live.records, *records),
        participants=(*(live.participants or ()), *(one for one in people if one.issue_id in issues)),
        decisions=(*(live.decisions or ()), *(one for one in said if one.issue_id in issues)),
    )


async def imported_named(session: AsyncSession, full_name: str) -> int | None:
    """Return the id of the imported repository with this `owner/name`, in any case, or None."""
    name = col(Imported.row)["repository"].astext
    wanted = select(Imported.repository_id).where(Imported.kind == "repository", func.lower(name) == full_name.lower())
    return (await session.execute(wanted)).scalars().first()


async def _stored(session: AsyncSession, column: Mapped[int], ids: Sequence[int]) -> set[int]:
    """Return those of the ids that a table has in this column."""
    found: set[int] = set()
    for start in range(0, len(ids), _AT_ONCE):
        wanted = select(column).where(column.in_(ids[start : start + _AT_ONCE]))
        found |= set((await session.execute(wanted)).scalars())
    return found


async def _read(
    session: AsyncSession,
    kind: str,
    row_type: type[Row],
    since: datetime | None = None,
    until: datetime | None = None,
) -> list[Row]:
    wanted = select(Imported.row).where(Imported.kind == kind).order_by(col(Imported.key))
    if since is not None:
        wanted = wanted.where(or_(col(Imported.closed_at) >= since, col(Imported.closed_at).is_(None)))
    if until is not None:
        wanted = wanted.where(or_(col(Imported.closed_at) < until, col(Imported.closed_at).is_(None)))
    return [read_row(row_type, row) for row in (await session.execute(wanted)).scalars()]


@dataclass(frozen=True)
class _Keyed:
    kind: str
    key: str
    row: Repository | Record | Participant | Decision
    repository_id: int
    issue_id: int | None = None
    closed_at: datetime | None = None


def _values(one: _Keyed) -> dict[str, object]:
    return {
        "kind": one.kind,
        "key": one.key,
        "repository_id": one.repository_id,
        "issue_id": one.issue_id,
        "closed_at": one.closed_at,
        "row": plain(one.row),
    }


def _keyed(rows: Rows) -> Iterator[_Keyed]:
    """Give every row its key; rows of the same person about the same issue are counted."""
    of = {one.issue_id: one for one in rows.records}
    for place in rows.repositories:
        yield _Keyed("repository", str(place.repository_id), place, place.repository_id)
    for record in rows.records:
        yield _about(record, "record", str(record.issue_id), record)
    belonging: list[tuple[str, str, Participant | Decision]] = [
        *(("participant", part.person, part) for part in rows.participants or ()),
        *(("decision", decision.coder, decision) for decision in rows.decisions or ()),
    ]
    seen: Counter[str] = Counter()
    for kind, person, row in belonging:
        if row.issue_id in of:
            name = f"{row.issue_id}:{person}"
            seen[f"{kind}:{name}"] += 1
            yield _about(row, kind, f"{name}:{seen[f'{kind}:{name}']:04d}", of[row.issue_id])


def _about(row: Record | Participant | Decision, kind: str, key: str, record: Record) -> _Keyed:
    return _Keyed(kind, key, row, record.repository_id, record.issue_id, record.closed_at)
