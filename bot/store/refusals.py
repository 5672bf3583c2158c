"""What people refused by taking our label off an issue: it is not what was proposed, and nobody said what it is."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.decisions.verdict import Said
from bot.store.tables import Statement

REFUSED = "refused"
"""The kind of such a statement."""


async def among_refusals(session: AsyncSession, issue_id: int, decisions: Sequence[Said]) -> list[Said]:
    """Return an issue's decisions, oldest first, with the refusals that stand at their places between them.

    A refusal names no category. It is no decision for `none`: that would count issues as not system-related of which
    nobody said so.
    """
    wanted = select(Statement).where(
        Statement.issue_id == issue_id, Statement.kind == REFUSED, col(Statement.undone_at).is_(None)
    )
    refusals = [
        Said(row.person_id, None, None, None, "label", row.said_at)
        for row in (await session.execute(wanted.order_by(col(Statement.id)))).scalars()
    ]
    return sorted([*refusals, *decisions], key=lambda said: said.decided_at) if refusals else list(decisions)
