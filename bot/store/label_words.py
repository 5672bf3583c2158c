"""Which decisions were made by which label: told by their sources, so that a label taken off undoes its own."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.store.tables import Decision

_SAME_MOMENT = timedelta(seconds=5)
"""How far apart GitHub may date an event and the issue's change by it."""


def source_of(label: str, origin: str) -> str:
    """Return where a label's decision was said; `origin` is the delivery, or the issue's id and the moment."""
    return f"{_beginning(label)}{origin}"


async def said_by_label(session: AsyncSession, issue_id: int, label: str, at: datetime) -> bool:
    """Say whether what a label put on at a moment says was heard before, even where it was taken back since."""
    return any(decision.decided_at >= at - _SAME_MOMENT for decision in await _by_label(session, issue_id, label))


async def says_more_since(session: AsyncSession, issue_id: int, label: str, at: datetime) -> bool:
    """Say whether a label was heard of later than at a moment, so that an event of that moment is an old one."""
    return any(decision.decided_at > at for decision in await _by_label(session, issue_id, label))


async def take_back_label(session: AsyncSession, issue_id: int, label: str, at: datetime, now: datetime) -> bool:
    """Undo what a label said that was taken off at a moment; return whether any of that stood.

    What it said when it was put on later still stands, so an event that is handled twice takes nothing more back.
    """
    said = await _by_label(session, issue_id, label)
    standing = [decision for decision in said if decision.undone_at is None and decision.decided_at <= at]
    for decision in standing:
        decision.undone_at = now
    return bool(standing)


async def _by_label(session: AsyncSession, issue_id: int, label: str) -> list[Decision]:
    about = select(Decision).where(Decision.issue_id == issue_id, Decision.via == "label")
    found = (await session.execute(about.order_by(col(Decision.id)))).scalars()
    return [decision for decision in found if decision.source.startswith(_beginning(label))]


def _beginning(label: str) -> str:
    # Quoted by its length, since a label's name may hold whatever follows it here.
    name = label.casefold()
    return f"label:{len(name)}:{name}:"
