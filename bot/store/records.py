"""The record of one issue: stored with its parts, found, and deleted with all that belongs to it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, delete, select

from bot.evidence.eligibility import Verdicts
from bot.evidence.indicators import Indicators
from bot.evidence.model import Evidence
from bot.store.saving import PARTS, Gathered, save_all
from bot.store.tables import (
    Command,
    Decision,
    EvidenceText,
    Proposal,
    Record,
    StudyIssue,
    StudyNote,
    StudyResolution,
)

_REST: tuple[type[EvidenceText | Proposal | Decision | StudyIssue | StudyNote | StudyResolution], ...] = (
    EvidenceText,
    Proposal,
    Decision,
    StudyIssue,
    StudyNote,
    StudyResolution,
)


async def save_evidence(
    session: AsyncSession,
    evidence: Evidence,
    indicators: Indicators,
    verdicts: Verdicts,
    packed: bytes,
    now: datetime,
) -> Record:
    """Insert or update the record of a closing as it happens and replace its parts; decisions stay as they are."""
    gathered = Gathered(evidence, indicators, verdicts, packed)
    return (await save_all(session, [gathered], now, backfilled=False))[evidence.issue_id]


async def find_record(session: AsyncSession, repository_id: int, number: int, *, lock: bool = False) -> Record | None:
    """Return the record of an issue by its number, locked against other writers if asked for."""
    wanted = select(Record).where(Record.repository_id == repository_id, Record.number == number)
    if lock:
        wanted = wanted.with_for_update()
    return (await session.execute(wanted)).scalars().first()


async def delete_record(session: AsyncSession, repository_id: int, number: int, issue_id: int) -> None:
    """Delete an issue's record with all that belongs to it, because the issue is no longer there."""
    for table in (*PARTS, *_REST, Record):
        await session.execute(delete(table).where(col(table.issue_id) == issue_id))
    await session.execute(
        delete(Command).where(col(Command.repository_id) == repository_id, col(Command.number) == number)
    )
