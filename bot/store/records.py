"""The record of one issue: stored with its parts, found, and deleted with all that belongs to it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, delete, select

from bot.store.saving import PARTS
from bot.store.tables import (
    AwaitedLink,
    Command,
    Decision,
    EvidenceText,
    IssueWrites,
    LeftAlone,
    Participation,
    Proposal,
    Record,
    Shown,
    Statement,
    StudyIssue,
    StudyNote,
    StudyResolution,
)

_REST: tuple[
    type[
        EvidenceText | Proposal | Decision | Statement | AwaitedLink | Shown | StudyIssue | StudyNote | StudyResolution
    ],
    ...,
] = (EvidenceText, Proposal, Decision, Statement, AwaitedLink, Shown, StudyIssue, StudyNote, StudyResolution)


async def find_record(session: AsyncSession, repository_id: int, number: int, *, lock: bool = False) -> Record | None:
    """Return the record of an issue by its number, locked against other writers if asked for."""
    wanted = select(Record).where(Record.repository_id == repository_id, Record.number == number)
    if lock:
        wanted = wanted.with_for_update()
    return (await session.execute(wanted)).scalars().first()


async def lock_records(session: AsyncSession, issue_ids: Collection[int]) -> dict[int, Record]:
    """Return the records of these issues by issue id, locked against other writers."""
    wanted = select(Record).where(col(Record.issue_id).in_(issue_ids)).order_by(col(Record.issue_id)).with_for_update()
    return {record.issue_id: record for record in (await session.execute(wanted)).scalars()}


async def delete_record(session: AsyncSession, repository_id: int, number: int, issue_id: int) -> None:
    """Delete an issue's record with all that belongs to it, because the issue is no longer there."""
    for table in (*PARTS, *_REST, Record):
        await session.execute(delete(table).where(col(table.issue_id) == issue_id))
    for by_number in (Command, LeftAlone, IssueWrites):
        same = (col(by_number.repository_id) == repository_id, col(by_number.number) == number)
        await session.execute(delete(by_number).where(*same))


async def first_standings(session: AsyncSession, issue_ids: Sequence[int]) -> dict[int, dict[int, bool]]:
    """Return by issue and person whether people were members when the issue was first stored, where that is known."""
    known = select(Participation).where(
        col(Participation.issue_id).in_(issue_ids), col(Participation.member).is_not(None)
    )
    standings: dict[int, dict[int, bool]] = {}
    for part in (await session.execute(known)).scalars():
        standings.setdefault(part.issue_id, {})[part.person_id] = part.member is True
    return standings
