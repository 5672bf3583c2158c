"""The heartbeat sweep of every replica: takes up jobs of workers that died and deliveries that no job is for."""

from __future__ import annotations

import structlog
from sqlalchemy import text

from bot.jobs import defer_process
from bot.queue import NOW_PRIORITY
from bot.services import Services

log = structlog.get_logger(__name__)

# In one statement, so that two replicas that sweep at once never take up the same job twice.
_TAKE_UP = text("""
    WITH stalled AS (
        SELECT id, task_name, lock FROM procrastinate_jobs AS job
        WHERE status = 'doing' AND NOT EXISTS (
            SELECT FROM procrastinate_workers AS worker
            WHERE worker.id = job.worker_id AND worker.last_heartbeat >= now() - make_interval(secs => :seconds)
        )
        FOR UPDATE SKIP LOCKED
    )
    SELECT id, task_name, lock, procrastinate_retry_job_v2(id, now(), NULL, NULL, NULL) FROM stalled
""")

# The oldest that are due come first, by their index: all that wait would be read otherwise, at every heartbeat.
_STRANDED = text("""
    WITH due AS MATERIALIZED (
        SELECT unit FROM delivery
        WHERE state = 'waiting' AND not_before < :now - make_interval(secs => :seconds)
        ORDER BY not_before LIMIT 2000
    )
    SELECT DISTINCT unit FROM due
    WHERE NOT EXISTS (
        SELECT FROM procrastinate_jobs AS job
        WHERE job.lock = due.unit AND job.status IN ('todo', 'doing')
    )
    LIMIT 200
""")


async def sweep_forever(services: Services) -> None:
    """Sweep at every heartbeat, as long as the process lives."""
    while True:
        await sweep(services)
        await services.clock.sleep(services.settings.heartbeat_seconds)


async def sweep(services: Services) -> None:
    """Retry the jobs of workers whose heartbeat stopped, and defer jobs for deliveries that have none."""
    seconds = services.settings.stalled_after_seconds
    async with services.database.sessions.begin() as session:
        for job in await session.execute(_TAKE_UP, {"seconds": seconds}):
            log.warning("taking up the job of a worker that died", job=job.id, task=job.task_name, lock=job.lock)
    async with services.database.sessions() as session:
        found = await session.execute(_STRANDED, {"now": services.clock.now(), "seconds": seconds})
        units = list(found.scalars())
    for unit in units:
        log.warning("a delivery had no job", unit=unit)
        await defer_process(unit, priority=NOW_PRIORITY)
