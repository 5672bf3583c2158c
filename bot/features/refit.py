"""The model learns from what was decided.

Purpose: each month better, from decisions alone. Trigger: the clock, every night and as soon as 25 decisions are new;
one refit at a time over all replicas. Effects: a model file in the database, made in a process of its own; where it is
not worse than the champion it takes its place, and every replica uses it within a heartbeat. No record, decision or
proposal is changed: an issue is predicted anew only when it is gathered anew, and a decided one keeps its decision.
"""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from bot.jobs import defer_refit
from bot.learning.naming import learned_name
from bot.learning.process import refit_apart
from bot.services import Services
from bot.store.models import list_models
from bot.store.training import usable_row_ids

log = structlog.get_logger(__name__)

MANY_NEW = 25
"""New decisions after which a refit does not wait for the night (classifier.md, section 5)."""


def count_new(usable: frozenset[int], learned: Sequence[frozenset[int]]) -> int:
    """Return by how many decisions the rows differ from those of the model most like them: added, undone, or changed.

    Where nothing was learned yet all are new.
    """
    return min((len(usable ^ ids) for ids in learned), default=len(usable))


async def ask_for_refit(services: Services, *, least_new: int = MANY_NEW) -> None:
    """Ask for a refit where at least so many decisions are new; models of an older lexicon count for nothing."""
    async with services.database.sessions() as session:
        usable = await usable_row_ids(session)
        models = await list_models(session)
    learned = [frozenset(model.row_ids) for model in models if model.version.startswith(f"{learned_name()}-")]
    if count_new(usable, learned) >= least_new:
        await defer_refit()


async def ask_nightly(services: Services) -> None:
    """Ask for a refit where anything is new, so that few decisions wait no longer than a day."""
    await ask_for_refit(services, least_new=1)


async def refit(services: Services) -> None:
    """Make the refit that was asked for; a challenger that won is used by this process at its next heartbeat."""
    outcome = await refit_apart(services.database)
    log.info("refit ended", result=outcome.result, model=outcome.version)
