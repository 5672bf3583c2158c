"""How the work stands, for the operator's page: deliveries, jobs, workers, and what failed for good."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

MOST_FAILED = 50
"""Failed deliveries that are listed, the newest; all of them are counted."""

# `done_at` would count when it ended; what came within an hour is what a person remembers having sent.
_RECENT = text("""
    SELECT state, count(*) FILTER (WHERE received_at > now() - interval '1 hour') AS hour, count(*) AS day
    FROM delivery WHERE received_at > now() - interval '1 day' GROUP BY state ORDER BY state
""")

_WAITING = text("""
    SELECT count(*) AS waiting, count(*) FILTER (WHERE not_before > now()) AS settling, min(received_at) AS oldest
    FROM delivery WHERE state = 'waiting'
""")

_FAILED = text("""
    SELECT d.guid, d.event, d.action, d.unit, r.full_name AS repository, d.number, d.attempts, d.error, d.received_at,
        count(*) OVER () AS of_all
    FROM delivery AS d LEFT JOIN repository AS r ON r.id = d.repository_id
    WHERE d.state = 'failed' ORDER BY d.received_at DESC, d.sequence DESC LIMIT :most
""")

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


@dataclass(frozen=True)
class Recent:
    """Deliveries that came within the last hour and day, by what has become of them: done, ignored, failed, waiting."""

    state: str
    hour: int
    day: int


@dataclass(frozen=True)
class Failed:
    """A delivery that failed for good, and why; `repository` is None where it was never recorded."""

    guid: str
    event: str
    action: str | None
    unit: str
    repository: str | None
    number: int | None
    attempts: int
    error: str | None
    received_at: datetime


@dataclass(frozen=True)
class Deliveries:
    """What came in. Of the `waiting` ones the `settling` wait for their moment; `oldest` is when the first came."""

    recent: tuple[Recent, ...]
    waiting: int
    settling: int
    oldest: datetime | None
    failed: tuple[Failed, ...]
    failed_in_all: int


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


async def deliveries(session: AsyncSession) -> Deliveries:
    """Return what came in and what became of it."""
    recent = tuple(Recent(**row._mapping) for row in await session.execute(_RECENT))
    waiting = (await session.execute(_WAITING)).one()
    failed = (await session.execute(_FAILED, {"most": MOST_FAILED})).mappings().all()
    listed = tuple(Failed(**{key: value for key, value in row.items() if key != "of_all"}) for row in failed)
    in_all = failed[0]["of_all"] if failed else 0
    return Deliveries(recent, waiting.waiting, waiting.settling, waiting.oldest, listed, in_all)


async def queues(session: AsyncSession) -> tuple[Queue, ...]:
    """Return every queue with jobs in it; jobs that succeed are deleted at once."""
    return tuple(Queue(**row._mapping) for row in await session.execute(_QUEUES))


async def workers(session: AsyncSession, stalled_after: float) -> Workers:
    """Return which workers live; one whose last sign is `stalled_after` seconds old is taken for dead."""
    return Workers(**(await session.execute(_WORKERS, {"seconds": stalled_after})).one()._mapping)
