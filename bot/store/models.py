"""The models kept in the database: stored, promoted, rolled back, and the oldest files dropped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, select, update

from bot.store.tables import ModelVersion

KEPT = 5
"""Newest trained models whose files are kept, the champion's apart (classifier.md, section 5)."""

_ONE_AT_A_TIME = 7_265_676_102
"""Any number will do, as long as nothing else locks it."""


class ModelError(Exception):
    """What was asked of the models cannot be done; the message says why."""


@dataclass(frozen=True)
class Model:
    """A stored model without its file, of which only the size in bytes is told (None where it is not kept)."""

    version: str
    state: str
    created_at: datetime
    promoted_at: datetime | None
    training_hash: str | None
    row_ids: tuple[int, ...]
    figures: Mapping[str, Any]
    file_bytes: int | None


async def list_models(session: AsyncSession) -> list[Model]:
    """Return all models, the newest first."""
    rows = await session.execute(
        sqlalchemy.select(
            col(ModelVersion.version),
            col(ModelVersion.state),
            col(ModelVersion.created_at),
            col(ModelVersion.promoted_at),
            col(ModelVersion.training_hash),
            col(ModelVersion.row_ids),
            col(ModelVersion.figures),
            func.octet_length(col(ModelVersion.file)),
        ).order_by(col(ModelVersion.created_at).desc(), col(ModelVersion.version))
    )
    return [
        Model(version, state, created, promoted, digest, tuple(ids), figures, size)
        for version, state, created, promoted, digest, ids, figures, size in rows
    ]


async def champion_version(session: AsyncSession) -> str | None:
    """Return the version of the model that was promoted last and not rolled back, None while there is none."""
    wanted = select(ModelVersion.version).where(ModelVersion.state == "champion")
    return (await session.execute(wanted)).scalars().first()


async def model_file(session: AsyncSession, version: str) -> bytes:
    """Return a model's file; raises `ModelError` where there is none."""
    wanted = sqlalchemy.select(col(ModelVersion.file)).where(col(ModelVersion.version) == version)
    row = (await session.execute(wanted)).first()
    if row is None:
        raise ModelError(f"There is no model {version}; `rootcause model list` names those there are.")
    packed: bytes | None = row[0]
    if packed is None:
        raise ModelError(f"The file of {version} is not kept: only those of the last {KEPT} trained models are.")
    return packed


async def add_model(session: AsyncSession, model: ModelVersion) -> None:
    """Store a newly trained model and drop the files of the oldest ones; the champion's is always kept."""
    await _alone(session)
    session.add(model)
    await session.flush()
    newest = (
        select(ModelVersion.version)
        .where(col(ModelVersion.file).is_not(None))
        .order_by(col(ModelVersion.created_at).desc(), col(ModelVersion.version))
        .limit(KEPT)
    )
    await session.execute(
        update(ModelVersion)
        .where(col(ModelVersion.version).not_in(newest.scalar_subquery()), col(ModelVersion.state) != "champion")
        .where(col(ModelVersion.file).is_not(None))
        .values(file=None, state="retired")
        .execution_options(synchronize_session=False)
    )


async def promote(session: AsyncSession, version: str, now: datetime) -> str | None:
    """Make a stored model the champion and retire the one before; return that one's version, None if there was none.

    The caller has made sure that the file can be used. Raises `ModelError` where there is no such model or file.
    """
    await _alone(session)
    await model_file(session, version)
    before = await champion_version(session)
    if before == version:
        raise ModelError(f"{version} is the champion already.")
    await _retire(session)
    await session.execute(_changing(version).values(state="champion", promoted_at=now))
    return before


async def rollback(session: AsyncSession) -> tuple[str, str | None]:
    """Retire the champion for the one before it; return both versions, None for the model that is shipped.

    The one before is the newest promoted before this one whose file is kept, so that rolling back again goes further
    back. Raises `ModelError` where no trained model is the champion.
    """
    await _alone(session)
    models = {model.version: model for model in await list_models(session)}
    champion = next((model for model in models.values() if model.state == "champion"), None)
    if champion is None:
        raise ModelError("The model that is shipped is used: there is nothing to go back from.")
    earlier = [
        (model.promoted_at, model.version)
        for model in models.values()
        if model.promoted_at and champion.promoted_at and model.promoted_at < champion.promoted_at and model.file_bytes
    ]
    await _retire(session)
    if not earlier:
        return champion.version, None
    await session.execute(_changing(max(earlier)[1]).values(state="champion"))
    return champion.version, max(earlier)[1]


async def use_shipped(session: AsyncSession) -> str:
    """Retire the champion so that the shipped model is used; return the champion's version, or raise `ModelError`."""
    await _alone(session)
    before = await champion_version(session)
    if before is None:
        raise ModelError("The model that is shipped is used already.")
    await _retire(session)
    return before


async def note_figures(session: AsyncSession, version: str, figures: Mapping[str, Any], state: str) -> None:
    """Store what is known of a model by now, and its state."""
    await session.execute(_changing(version).values(figures=dict(figures), state=state))


def _changing(version: str) -> Any:
    changing = update(ModelVersion).where(col(ModelVersion.version) == version)
    return changing.execution_options(synchronize_session=False)


async def _retire(session: AsyncSession) -> None:
    retiring = update(ModelVersion).where(col(ModelVersion.state) == "champion").values(state="retired")
    await session.execute(retiring.execution_options(synchronize_session=False))


async def _alone(session: AsyncSession) -> None:
    """Let no two transactions change which model is used at the same time."""
    await session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ONE_AT_A_TIME})
