"""What a refit does in its own process: learn, compare, store, try in the shadow, and promote what is not worse."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from bot.clock import Clock
from bot.learning.contest import Champion, Learned, is_won
from bot.learning.fit import figures_of, fit, version_of
from bot.learning.outcome import Outcome
from bot.learning.rows import Row, training_rows
from bot.learning.running import open_named
from bot.learning.shadow import run_in_shadow
from bot.store.database import Database
from bot.store.models import Model, add_model, list_models, model_file, note_figures, promote
from bot.store.tables import ModelVersion
from bot.store.training import decided_issues
from classifier import load_classifier
from classifier.examples import CORPUS, Example, read_corpus
from classifier.model_file import ModelFileError
from classifier.trained_model import TrainedModel

log = structlog.get_logger(__name__)

_ONE_REFIT = 7_265_676_103
"""Any number will do, as long as nothing else locks it."""


async def refit(database: Database, clock: Clock, corpus: Path = CORPUS) -> Outcome:
    """Make one refit on the decisions and the corpus in a folder; the same rows are never fitted twice.

    A model that won its comparison is stored as `shadow` first: where the process ends before it is the champion, the
    next refit takes it up from there.
    """
    async with database.engine.connect() as connection:
        taken = await connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": _ONE_REFIT})
        if not taken.scalar_one():
            return Outcome("busy")
        await connection.commit()  # the lock is the connection's, no transaction has to stay open for it
        try:
            return await _refit(database, clock, read_corpus(corpus))
        finally:
            await connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _ONE_REFIT})


async def _refit(database: Database, clock: Clock, corpus: Sequence[Example]) -> Outcome:
    async with database.sessions() as session:
        rows = training_rows(corpus, await decided_issues(session))
        models = await list_models(session)
        same = next((model for model in models if model.version == version_of(rows)), None)
        name, champion = await _champion(session, models)
    if same is None:
        stored = await _fit(database, rows, name, champion, clock.now())
    elif same.state == "shadow":
        stored = same.version
    else:
        return Outcome("nothing new", same.version)
    async with database.sessions() as session:
        found = next(model for model in await list_models(session) if model.version == stored)
    if found.state != "shadow":
        return Outcome("kept", stored)
    return await _go_live(database, found, clock)


async def _champion(session: AsyncSession, models: list[Model]) -> tuple[str, Champion]:
    """Return the champion's name, and what it knows: a model that is not of the database knows the bundled corpus."""
    stored = next((model for model in models if model.state == "champion"), None)
    if stored is not None:
        try:
            open_named(await model_file(session, stored.version), stored.version)
        except ModelFileError as error:
            log.warning("the champion cannot be used and is not compared with", model=stored.version, reason=str(error))
        else:
            return stored.version, Learned(frozenset(stored.row_ids))
    shipped = load_classifier()
    return shipped.version, Learned(frozenset()) if isinstance(shipped, TrainedModel) else shipped


async def _fit(database: Database, rows: tuple[Row, ...], name: str, champion: Champion, now: datetime) -> str:
    fitted = fit(rows, champion)
    won = is_won(fitted.comparisons)
    log.info("a model was fitted", model=fitted.version, decisions=len(fitted.row_ids), champion=name, won=won)
    async with database.sessions.begin() as session:
        await add_model(
            session,
            ModelVersion(
                version=fitted.version,
                state="shadow" if won else "candidate",
                created_at=now,
                training_hash=fitted.training_hash,
                row_ids=list(fitted.row_ids),
                figures=figures_of(fitted, name, rows),
                file=fitted.file,
            ),
        )
    return fitted.version


async def _go_live(database: Database, model: Model, clock: Clock) -> Outcome:
    """Say what would change on undecided issues, note it beside the model, and make it the champion."""
    async with database.sessions() as session:
        packed = await model_file(session, model.version)
        shadow = await run_in_shadow(session, open_named(packed, model.version))
    figures = {**model.figures, "shadow": {"issues": shadow.issues, "changes": len(shadow.changes)}}
    async with database.sessions.begin() as session:
        await note_figures(session, model.version, figures, "shadow")
        before = await promote(session, model.version, clock.now())
    log.info("a model was promoted", model=model.version, before=before, **figures["shadow"])
    return Outcome("promoted", model.version)
