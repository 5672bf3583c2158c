"""The heartbeat sweep of every replica: takes up jobs of workers that died and deliveries that no job is for."""

from __future__ import annotations

import structlog
from sqlalchemy import text

from bot.jobs import NOW_PRIORITY, app, defer_process
from bot.services import Services

log = structlog.get_logger(__name__)

_STRANDED = text("""
    SELECT DISTINCT unit FROM delivery
    WHERE state = 'waiting' AND not_before < :now - make_interval(secs => :seconds)
      AND NOT EXISTS (
          SELECT 1 FROM procrastinate_jobs AS job
          WHERE job.lock = delivery.unit AND job.status IN ('todo', 'doing')
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
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=seconds):
        log.warning("taking up the job of a worker that died", job=job.id, task=job.task_name, lock=job.lock)
        await app.job_manager.retry_job(job)
    async with services.database.sessions() as session:
        found = await session.execute(_STRANDED, {"now": services.clock.now(), "seconds": seconds})
        units = list(found.scalars())
    for unit in units:
        log.warning("a delivery had no job", unit=unit)
        await defer_process(unit, priority=NOW_PRIORITY)
