"""What the App left: the repositories and installations whose people are to be forgotten."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import or_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, select

from bot.store.tables import Installation, Repository


async def repositories_of(session: AsyncSession, installation: int | str) -> list[int]:
    """Return the repositories that an installation, by its number or its owner's name, covers or covered last."""
    ids = select(Installation.id)
    if isinstance(installation, int):
        ids = ids.where(Installation.id == installation)
    else:
        ids = ids.where(func.lower(Installation.account_login) == installation.lower())
    wanted = select(Repository.id).where(
        or_(col(Repository.installation_id).in_(ids), col(Repository.left_installation_id).in_(ids))
    )
    return sorted((await session.execute(wanted)).scalars())


async def left_before(session: AsyncSession, moment: datetime) -> list[int]:
    """Return the repositories that the App left before a moment, and whose people are not forgotten yet."""
    wanted = select(Repository.id).where(
        Repository.state == "removed",
        col(Repository.left_at) <= moment,
        col(Repository.forgotten_at).is_(None),
    )
    return sorted((await session.execute(wanted)).scalars())


async def installations_left(session: AsyncSession, moment: datetime) -> list[int]:
    """Return the installations that were removed before a moment, and whose owner is not forgotten yet."""
    wanted = select(Installation.id).where(
        Installation.state == "removed",
        col(Installation.removed_at) <= moment,
        col(Installation.account_login).is_not(None),
    )
    return sorted((await session.execute(wanted)).scalars())
