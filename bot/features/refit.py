"""The model learns from what was decided.

Purpose: each month better, from decisions alone. Trigger: the clock, every night and as soon as 25 decisions are new;
one refit at a time over all replicas. Effects: a model file in the database, made in a process of its own; where it is
not worse than the champion it takes its place, and every replica uses it within a heartbeat. No record, decision or
proposal is changed: an issue is predicted anew only when it is gathered anew, and a decided one keeps its decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

import structlog
from apscheduler.triggers.cron import CronTrigger

from bot.features.registration import Entry, Times
from bot.jobs import defer_refit
from bot.learning.naming import learned_name
from bot.learning.process import refit_apart
from bot.services import Services
from bot.store.models import list_models
from bot.store.newly_decided import came_or_went
from bot.store.training import usable_row_ids

log = structlog.get_logger(__name__)

REFIT_HOUR, REFIT_MINUTES = 3, "*/10"
"""A refit is due each night at three o'clock UTC, and, every ten minutes, where enough decisions are new."""

MANY_NEW = 25
"""New decisions after which a refit does not wait for the night (classifier.md, section 5)."""


def count_new(usable: frozenset[int], learned: Sequence[frozenset[int]]) -> int:
    """Return by how many decisions the rows differ from those of the model most like them: added, undone, or changed.

    Where nothing was learned yet all are new.
    """
    return min((len(usable ^ ids) for ids in learned), default=len(usable))


async def ask_for_refit(services: Services) -> None:
    """Ask for a refit where many decisions are new; where too few came or went for that, nothing else is read.

    One decision changes two rows at most: the one that stood before it on its issue is none any more.
    """
    enough = (MANY_NEW + 1) // 2
    async with services.database.sessions() as session:
        changed = await came_or_went(session, f"{learned_name()}-", enough)
    if changed == enough:
        await _ask_where_new(services, MANY_NEW)


async def ask_nightly(services: Services) -> None:
    """Ask for a refit where anything is new, so that few decisions wait no longer than a day."""
    await _ask_where_new(services, 1)


async def _ask_where_new(services: Services, least_new: int) -> None:
    """Ask for a refit where at least so many decisions are new; models of an older lexicon count for nothing."""
    async with services.database.sessions() as session:
        usable = await usable_row_ids(session)
        models = await list_models(session)
    learned = [frozenset(model.row_ids) for model in models if model.version.startswith(f"{learned_name()}-")]
    if count_new(usable, learned) >= least_new:
        await defer_refit()


async def refit(services: Services) -> None:
    """Make the refit that was asked for; a challenger that won is used by this process at its next heartbeat."""
    outcome = await refit_apart(services.database)
    log.info("refit ended", result=outcome.result, model=outcome.version)


TIMES: Times = (
    Entry("nightly refit", ask_nightly, CronTrigger(hour=REFIT_HOUR, timezone=UTC)),
    Entry("refit", ask_for_refit, CronTrigger(minute=REFIT_MINUTES, timezone=UTC)),
)
