"""All that is stored about one issue, for showing it: the record, its parts, and its people in numbers only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, select

from bot.decisions.coders import coder_id
from bot.frameworks import present_name
from bot.store.people_in_numbers import People, people_of
from bot.store.proposals import newest_proposals
from bot.store.pseudonyms import pseudonyms
from bot.store.records import find_record
from bot.store.tables import (
    AwaitedLink,
    Decision,
    EvidenceText,
    Fix,
    FixFile,
    Proposal,
    Record,
    Repository,
    Span,
    Statement,
    StudyNote,
    StudyResolution,
)


@dataclass(frozen=True)
class Told:
    """One decision, or a new code that a coder drafted; `coder` is the database's keyed hash, never a name."""

    coder: str
    category: str
    category2: str | None
    none_kind: str | None
    via: str
    blind: bool
    decided_at: datetime
    undone_at: datetime | None
    draft: bool = False


@dataclass(frozen=True)
class Stated:
    """What somebody said of the fix (`owner/name#12`, or a commit), of the comment that reproduced it, or of its type.

    Without a `position` it never was reproduced.
    """

    person: str
    kind: str
    change: str | None
    position: int | None
    said_at: datetime
    undone_at: datetime | None
    bug_type: str | None = None


@dataclass(frozen=True)
class Whole:
    """A record with everything around it; at `next_look` its fix is looked for again."""

    repository: Repository
    record: Record
    spans: tuple[Span, ...]
    fix: Fix | None
    files: tuple[FixFile, ...]
    proposal: Proposal | None
    told: tuple[Told, ...]
    resolution: StudyResolution | None
    stated: tuple[Stated, ...]
    next_look: datetime | None
    people: People
    keeps_text: bool


async def find_repository(session: AsyncSession, full_name: str) -> Repository | None:
    """Return a stored repository by its name in any case, or by an older name of one of the study's frameworks."""
    for name in dict.fromkeys((full_name, present_name(full_name))):
        named = select(Repository).where(func.lower(Repository.full_name) == name.lower())
        # A name that was given up and taken again stands twice: the one seen last has it now.
        found = (await session.execute(named.order_by(col(Repository.updated_at).desc()))).scalars().first()
        if found is not None:
            return found
    return None


async def load_whole(session: AsyncSession, repository: Repository, number: int) -> Whole | None:
    """Return everything about an issue, or None where it is not recorded."""
    record = await find_record(session, repository.id, number)
    if record is None:
        return None
    issue_id = record.issue_id
    hide = await pseudonyms(session)
    spans = select(Span).where(Span.issue_id == issue_id).order_by(col(Span.position))
    awaited = await session.get(AwaitedLink, issue_id)
    files = select(FixFile).where(FixFile.issue_id == issue_id).order_by(col(FixFile.path))
    return Whole(
        repository=repository,
        record=record,
        spans=tuple((await session.execute(spans)).scalars()),
        fix=await session.get(Fix, issue_id),
        files=tuple((await session.execute(files)).scalars()),
        proposal=(await newest_proposals(session, [issue_id])).get(issue_id),
        told=await _told(session, issue_id, hide),
        resolution=await session.get(StudyResolution, issue_id),
        stated=await _stated(session, issue_id, hide),
        next_look=awaited.due_at if awaited is not None else None,
        people=await people_of(session, record),
        keeps_text=await session.get(EvidenceText, issue_id) is not None,
    )


async def _told(session: AsyncSession, issue_id: int, hide: Callable[[int], str]) -> tuple[Told, ...]:
    decided = await session.execute(select(Decision).where(Decision.issue_id == issue_id).order_by(col(Decision.id)))
    drafted = await session.execute(
        select(StudyNote).where(StudyNote.issue_id == issue_id, col(StudyNote.draft).is_not(None))
    )
    found = [
        Told(
            coder=hide(row.person_id or 0),
            category=row.category,
            category2=row.category2,
            none_kind=row.none_kind,
            via=row.via,
            blind=row.blind,
            decided_at=row.decided_at,
            undone_at=row.undone_at,
        )
        for row in decided.scalars()
    ]
    found += [
        Told(hide(coder_id(row.coder)), row.draft or "", None, None, "study", False, row.written_at, None, draft=True)
        for row in drafted.scalars()
    ]
    return tuple(sorted(found, key=lambda one: one.decided_at))


async def _stated(session: AsyncSession, issue_id: int, hide: Callable[[int], str]) -> tuple[Stated, ...]:
    said = await session.execute(select(Statement).where(Statement.issue_id == issue_id).order_by(col(Statement.id)))
    return tuple(
        Stated(hide(row.person_id or 0), row.kind, _change(row), row.position, row.said_at, row.undone_at, row.bug_type)
        for row in said.scalars()
    )


def _change(row: Statement) -> str | None:
    if row.fix_repository is None:
        return None
    return f"{row.fix_repository}#{row.fix_number}" if row.fix_number else f"{row.fix_repository}@{row.fix_sha}"
