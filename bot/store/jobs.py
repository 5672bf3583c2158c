"""The queue of jobs as people look at it: what waits and runs, what failed for good and why, and another try of that.

Jobs that succeed are deleted at once. Why one failed is in a table of our own, since the queue keeps no reason.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncSession

_QUEUES = text("""
    SELECT j.queue_name AS queue,
        count(*) FILTER (WHERE j.status = 'todo' AND coalesce(j.scheduled_at, now()) <= now()) AS due,
        count(*) FILTER (WHERE j.status = 'todo' AND j.scheduled_at > now()) AS later,
        count(*) FILTER (WHERE j.status = 'doing') AS running,
        count(*) FILTER (WHERE j.status IN ('failed', 'aborted')) AS failed,
        min(coalesce(j.scheduled_at, e.at)) FILTER (
            WHERE j.status = 'todo' AND coalesce(j.scheduled_at, now()) <= now()
        ) AS oldest
    FROM procrastinate_jobs AS j
    LEFT JOIN procrastinate_events AS e ON e.job_id = j.id AND e.type = 'deferred'
    WHERE j.status IN ('todo', 'doing', 'failed', 'aborted') GROUP BY j.queue_name ORDER BY j.queue_name
""")

_WORKERS = text("""
    SELECT count(*) FILTER (WHERE last_heartbeat >= now() - make_interval(secs => :seconds)) AS alive,
        max(last_heartbeat) AS newest FROM procrastinate_workers
""")

# A job names its repository or installation itself, or by the unit of work that it drains. Numbers are compared as
# text: one job with a word in the place of a number would break every question about jobs.
_JOBS = """
    WITH one AS (
        SELECT *, string_to_array(coalesce(args ->> 'unit', ''), ':') AS unit FROM procrastinate_jobs WHERE {condition}
    )
    SELECT one.id, one.task_name AS task, one.queue_name AS queue, coalesce(one.lock, '') AS unit,
        CASE WHEN one.status = 'aborted' THEN 'failed' ELSE one.status::text END AS state, one.attempts,
        one.scheduled_at, r.full_name AS repository, i.account_login AS account,
        CASE WHEN named.number ~ '^[0-9]{1,9}$' THEN named.number::int END AS number, f.error, ended.at AS failed_at
    FROM one
    CROSS JOIN LATERAL (
        SELECT
            coalesce(one.args ->> 'repository_id', CASE WHEN unit[1] IN ('issue', 'repository') THEN unit[2] END)
                AS repository_id,
            coalesce(one.args ->> 'installation_id', CASE WHEN unit[1] = 'installation' THEN unit[2] END)
                AS installation_id,
            coalesce(one.args ->> 'number', CASE WHEN unit[1] = 'issue' THEN unit[3] END) AS number
    ) AS named
    LEFT JOIN repository AS r ON r.id::text = named.repository_id
    LEFT JOIN installation AS i ON i.id::text = named.installation_id
    LEFT JOIN failed_job AS f ON f.job_id = one.id AND one.status = 'failed'
    LEFT JOIN LATERAL (
        SELECT max(at) AS at FROM procrastinate_events
        WHERE job_id = one.id AND type IN ('failed', 'aborted') AND one.status IN ('failed', 'aborted')
    ) AS ended ON true
    ORDER BY one.id
"""


def _jobs(condition: str) -> TextClause:
    return text(_JOBS.replace("{condition}", condition))


_NEWEST_FAILED = _jobs("status IN ('failed', 'aborted') ORDER BY id DESC LIMIT :most")
_OF_UNITS = _jobs("lock = ANY(:units) AND status IN ('todo', 'doing', 'failed', 'aborted')")
_BY_ID = _jobs("id = :id")

# What is scheduled for now is due since now; it had been due since it was first asked for otherwise. Why it failed this
# time would be told of the next failure too, where that one's reason cannot be kept.
_RETRY = text("""
    WITH again AS (
        UPDATE procrastinate_jobs
        SET status = 'todo', attempts = 0, scheduled_at = now(), worker_id = NULL, abort_requested = false
        WHERE id = ANY(:ids) AND status IN ('failed', 'aborted') RETURNING id
    ), gone AS (
        DELETE FROM failed_job USING again WHERE job_id = again.id
    )
    SELECT id FROM again
""")

# By the database's clock alone, since workers are on other machines than those who ask.
_SINCE_DUE = text("""
    SELECT extract(epoch FROM clock_timestamp() - coalesce(scheduled_at, (
        SELECT max(at) FROM procrastinate_events
        WHERE job_id = job.id AND type IN ('deferred', 'deferred_for_retry', 'retried')
    )))::float
    FROM procrastinate_jobs AS job WHERE id = :id
""")

# A job that is deleted meanwhile needs no reason.
_NOTE = text("""
    INSERT INTO failed_job (job_id, error) SELECT id, :error FROM procrastinate_jobs WHERE id = :id
    ON CONFLICT (job_id) DO UPDATE SET error = excluded.error
""")


@dataclass(frozen=True)
class Queue:
    """The jobs of one queue: due now, due later, running, failed for good; `oldest` is since when one has been due."""

    queue: str
    due: int
    later: int
    running: int
    failed: int
    oldest: datetime | None


@dataclass(frozen=True)
class Workers:
    """How many workers gave a sign of life in time, and the newest sign of any."""

    alive: int
    newest: datetime | None


@dataclass(frozen=True)
class Job:
    """A job that waits (todo), runs (doing) or failed for good.

    `repository`, `number` and `account` are what it is about, as far as it tells and we know; `error` is why it failed,
    None where that was not kept.
    """

    id: int
    task: str
    queue: str
    unit: str
    state: str
    attempts: int
    scheduled_at: datetime | None
    repository: str | None
    account: str | None
    number: int | None
    error: str | None
    failed_at: datetime | None

    @property
    def why(self) -> str:
        """Why it failed, or where that can be read."""
        return self.error or f"the log line with job={self.id} says it"

    @property
    def about(self) -> str:
        """What it is about, as people write it; its unit of work where nothing is known of that."""
        issue = f"#{self.number}" if self.number is not None else ""
        return f"{self.repository}{issue}" if self.repository else self.account or self.unit


async def queues(session: AsyncSession) -> tuple[Queue, ...]:
    """Return every queue with jobs in it."""
    return tuple(Queue(**row._mapping) for row in await session.execute(_QUEUES))


async def workers(session: AsyncSession, stalled_after: float) -> Workers:
    """Return which workers live; one whose last sign is `stalled_after` seconds old is taken for dead."""
    return Workers(**(await session.execute(_WORKERS, {"seconds": stalled_after})).one()._mapping)


async def newest_failed(session: AsyncSession, most: int | None) -> tuple[Job, ...]:
    """Return the jobs that failed for good, the newest first; at most so many, or all."""
    found = await session.execute(_NEWEST_FAILED, {"most": most})
    return tuple(Job(**row._mapping) for row in found)[::-1]


async def jobs_of(session: AsyncSession, units: Collection[str]) -> tuple[Job, ...]:
    """Return the jobs of these units of work, the oldest first."""
    return tuple(Job(**row._mapping) for row in await session.execute(_OF_UNITS, {"units": list(units)}))


async def find_job(session: AsyncSession, job_id: int) -> Job | None:
    """Return one job; None where it succeeded, or was never there."""
    row = (await session.execute(_BY_ID, {"id": job_id})).first()
    return None if row is None else Job(**row._mapping)


async def let_run_again(session: AsyncSession, job_ids: Collection[int]) -> set[int]:
    """Let jobs that failed for good wait as new ones do; return the numbers of those that do now."""
    return set((await session.execute(_RETRY, {"ids": list(job_ids)})).scalars())


async def note_failure(session: AsyncSession, job_id: int, error: str) -> None:
    """Keep why a job fails for good."""
    await session.execute(_NOTE, {"id": job_id, "error": error})


async def seconds_since_due(session: AsyncSession, job_id: int | None) -> float | None:
    """Return for how long a job, or its present attempt, has been due; None where it is not there."""
    seconds: float | None = (await session.execute(_SINCE_DUE, {"id": job_id})).scalar_one_or_none()
    return seconds
