"""The job queue: how a job is asked for, and how one that failed is tried again; the jobs are in `bot/jobs.py`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, LiteralString

from procrastinate import App, BaseRetryStrategy, PsycopgConnector, RetryDecision
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job
from procrastinate.tasks import Task
from psycopg_pool import AsyncConnectionPool
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from bot.github.errors import GitHubError, RateLimited, Transient

NOW_PRIORITY = 10
"""Of work a person waits for; it overtakes everything that settles or backs off."""

LATER_PRIORITY = 0
"""Of work that waits: a scheduled job blocks later ones of its lock with the same or a lower priority."""

BACKFILL_PRIORITY = -10
"""Of the reading of histories, people and late links, which everything else overtakes."""

DATABASE_AWAY = (ConnectorException, OperationalError, InterfaceError, NoConnectionFree)
"""How it looks when the database does not answer or breaks off, from the queue and from a session."""

_MOST_ATTEMPTS = 12
_MOST_ATTEMPTS_BUG = 3
_SHORTEST_WAIT, _LONGEST_WAIT = 2, 900

app = App(connector=PsycopgConnector())


class BackOff(BaseRetryStrategy):
    """Tries again after 2, 4, 8 ... seconds (at most 15 minutes), or when GitHub says.

    GitHub or the database being away is tried 12 times, our own bugs 3 times, a refusal for good once. The retry gets
    the low priority, so that a command on the same issue need not wait for it; a job that only the end of its worker
    broke off is there again at once, as it was.
    """

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """Return when to try again, or None where the job is to be left as failed, for a person to look at."""
        if isinstance(exception, asyncio.CancelledError):
            return RetryDecision()
        if isinstance(exception, RateLimited):
            soonest = datetime.now(UTC) + timedelta(seconds=_SHORTEST_WAIT)
            return RetryDecision(retry_at=max(exception.retry_at, soonest), priority=LATER_PRIORITY)
        is_passing = isinstance(exception, (Transient, *DATABASE_AWAY))
        if isinstance(exception, GitHubError) and not is_passing:
            return None
        if job.attempts + 1 >= (_MOST_ATTEMPTS if is_passing else _MOST_ATTEMPTS_BUG):
            return None
        seconds = min(2 ** (job.attempts + 1), _LONGEST_WAIT)
        return RetryDecision(retry_in={"seconds": seconds}, priority=LATER_PRIORITY)


@asynccontextmanager
async def open_jobs(pool: AsyncConnectionPool) -> AsyncIterator[App]:
    """Connect the queue to an open psycopg pool for as long as the context lasts."""
    with app.replace_connector(PsycopgConnector()):
        async with app.open_async(pool):
            yield app


# Not procrastinate's own `queueing_lock`: by it a running job that fails while another of its kind waits cannot go back
# to waiting, and would hold its lock for ever. Here that makes two jobs, of which the second finds nothing to do. The
# one that waits is locked, so it cannot start before this commit and miss what it is asked for.
_DEFER: LiteralString = """
WITH due AS (
    SELECT CASE WHEN %(delay)s::float > 0 THEN now() + make_interval(secs => %(delay)s::float) END AS scheduled_at
), waiting AS (
    SELECT id FROM procrastinate_jobs
    WHERE status = 'todo' AND lock = %(lock)s AND task_name = %(task)s AND priority = %(priority)s
    AND args = %(arguments)s::jsonb
    FOR UPDATE SKIP LOCKED
), moved AS (
    UPDATE procrastinate_jobs AS job SET scheduled_at = coalesce(due.scheduled_at, now()) FROM due, waiting
    WHERE job.id = waiting.id AND job.scheduled_at > coalesce(due.scheduled_at, now())
)
SELECT procrastinate_defer_jobs_v1(ARRAY[ROW(
    %(queue)s, %(task)s, %(priority)s, %(lock)s, NULL, %(arguments)s::jsonb, due.scheduled_at
)::procrastinate_job_to_defer_v1])
FROM due WHERE NOT EXISTS (SELECT FROM waiting)
"""


async def defer(task: Task[..., Any, Any], lock: str, priority: int, delay_seconds: float, **arguments: Any) -> None:
    """Ask for a job, or, where one like it waits already, for that one to start no later."""
    await app.connector.execute_query_async(
        _DEFER,
        queue=task.queue,
        task=task.name,
        lock=lock,
        priority=priority,
        delay=delay_seconds,
        arguments=arguments,
    )
