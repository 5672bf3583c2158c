"""Whether so many decisions came or went since the last refit that a look at all of them is worth its time."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, select

from bot.store.tables import Decision, ModelVersion, Repository

_READ_BEFORE = timedelta(days=1)
"""How long before a model is stored its decisions were read, at most: far more than a refit may take."""


async def came_or_went(session: AsyncSession, name: str, most: int) -> int:
    """Count up to `most` decisions that were made or undone since the newest model with this beginning of its name.

    Only those of repositories from which a model may learn count; where there is no such model, all of them. This reads
    what is new alone. Repositories that are listed or become private, and texts that are deleted, are no decisions.
    """
    learned = sqlalchemy.select(
        col(ModelVersion.created_at),
        select(func.max(sqlalchemy.column("id")))
        .select_from(func.unnest(col(ModelVersion.row_ids)).alias("id"))
        .scalar_subquery(),
    )
    newest = (
        await session.execute(
            learned.where(col(ModelVersion.version).startswith(name, autoescape=True))
            .order_by(col(ModelVersion.created_at).desc())
            .limit(1)
        )
    ).first()
    moment, last = (None, None) if newest is None else newest
    teaching = (
        select(Decision.id)
        .join(Repository, col(Repository.id) == col(Decision.repository_id))
        .where(col(Repository.in_comparison), col(Repository.private).is_(False))
    )
    came = teaching.where(col(Decision.id) > (last or 0), col(Decision.undone_at).is_(None))
    count = len((await session.execute(came.limit(most))).all())
    if moment is not None and count < most:
        went = teaching.where(col(Decision.undone_at) > moment - _READ_BEFORE)
        count += len((await session.execute(went.limit(most - count))).all())
    return count
