"""A job as its worker holds it: by its row in the queue and by the worker's own heartbeat."""

from __future__ import annotations

import time

from procrastinate.jobs import Job
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from bot.github.holding import JobLost

# A job that was taken up and came back to the same worker has one more attempt behind it.
_LEFT = text("""
    SELECT extract(epoch FROM worker.last_heartbeat - clock_timestamp())::float + :stalled_after
    FROM procrastinate_jobs AS job JOIN procrastinate_workers AS worker ON worker.id = job.worker_id
    WHERE job.id = :job AND job.status = 'doing' AND job.worker_id = :worker AND job.attempts = :attempts
""")


class PostgresHold:
    """Asks the database; implements `bot.github.holding.Hold`. `stalled_after` is the sweep's, in seconds."""

    def __init__(self, sessions: async_sessionmaker[AsyncSession], job: Job, stalled_after: float) -> None:
        self._sessions = sessions
        self._job = {"job": job.id, "worker": job.worker_id, "attempts": job.attempts, "stalled_after": stalled_after}

    async def is_ours(self) -> bool:
        """Say whether the row still names this worker and this attempt."""
        return await self._seconds_left() is not None

    async def sure(self) -> None:
        """Return while the sweep cannot have taken up the job; raises `JobLost`, or one of `DATABASE_AWAY`.

        A process that was stopped between the question and its answer, which tells nothing any more, is not sure.
        """
        asked = time.monotonic()
        left = await self._seconds_left()
        if left is None:
            raise JobLost("another worker has taken up the job")
        if time.monotonic() - asked >= left:
            raise JobLost("the heartbeat has stopped for so long that another worker may take up the job")

    async def _seconds_left(self) -> float | None:
        """Return in how many seconds the sweep may take up the job unless a heartbeat comes; None where it did."""
        async with self._sessions() as session:
            return (await session.execute(_LEFT, self._job)).scalar_one_or_none()
