"""The database does not grow by what nobody needs any more.

Purpose: what is kept of deliveries, jobs and figures stays bounded. Trigger: the clock, every day. Effects: old rows
are deleted, as `bot.store.pruning` says; nothing is written to GitHub.
"""

from __future__ import annotations

from datetime import UTC

import structlog
from apscheduler.triggers.cron import CronTrigger

from bot.features.registration import Entry, Times
from bot.jobs import defer_pruning
from bot.metrics import PRUNED
from bot.services import Services
from bot.store.pruning import prune

log = structlog.get_logger(__name__)

PRUNE_HOUR = 2
"""Of every day (UTC), before the refit and the rounds."""


async def ask_for_pruning(_: Services) -> None:
    """Ask for what is old to be deleted; asking twice is asking once."""
    await defer_pruning()


async def prune_now(services: Services) -> None:
    """Delete what is old, and say how much it was."""
    went = await prune(services.database.sessions, services.clock.now())
    for kind, rows in went.items():
        PRUNED.labels(kind=kind).inc(rows)
    if any(went.values()):
        log.info("old rows deleted", **went)


TIMES: Times = (Entry("old rows", ask_for_pruning, CronTrigger(hour=PRUNE_HOUR, timezone=UTC)),)
