"""The job queue: procrastinate's application, its tasks, and how a job that failed is tried again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from procrastinate import App, BaseRetryStrategy, JobContext, PsycopgConnector, RetryDecision
from procrastinate.exceptions import AlreadyEnqueued
from procrastinate.jobs import Job
from psycopg_pool import AsyncConnectionPool

from bot.github.errors import RateLimited

if TYPE_CHECKING:
    from bot.services import Services

NOW_PRIORITY = 10
"""Of work a person waits for; it overtakes everything that settles or backs off."""

LATER_PRIORITY = 0
"""Of work that waits: a scheduled job blocks later ones of its lock with the same or a lower priority."""

_MOST_ATTEMPTS = 12
_LONGEST_WAIT = 900

app = App(connector=PsycopgConnector())


class BackOff(BaseRetryStrategy):
    """Tries again after 2, 4, 8 ... seconds (at most 15 minutes), or when GitHub says; 12 times, then never.

    The retry gets the low priority, so that a command on the same issue need not wait for it.
    """

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """Return when to try again, or None where the job is to be left as failed, for a person to look at."""
        if job.attempts >= _MOST_ATTEMPTS:
            return None
        if isinstance(exception, RateLimited):
            return RetryDecision(retry_at=exception.retry_at, priority=LATER_PRIORITY)
        seconds = min(2 ** (job.attempts + 1), _LONGEST_WAIT)
        return RetryDecision(retry_in={"seconds": seconds}, priority=LATER_PRIORITY)


@app.task(name="process", queue="live", retry=BackOff(), pass_context=True)
async def process(context: JobContext, unit: str) -> None:
    """Drain the waiting deliveries of one unit of work."""
    from bot.drain import drain

    await drain(_services(context), unit)


@app.task(name="refresh_inbox", queue="live", retry=BackOff(), pass_context=True)
async def refresh_inbox(context: JobContext, repository_id: int) -> None:
    """Bring the inbox issue of one repository up to date."""
    from bot.features.inbox_issue import refresh

    await refresh(_services(context), repository_id)


@app.task(name="publish_report", queue="reports", retry=BackOff(), pass_context=True)
async def publish_report(
    context: JobContext, repository_id: int, period: str, window_months: int = 12, notes: Sequence[str] = ()
) -> None:
    """Build and post one repository's report of one period, unless it stands already."""
    from bot.features.monthly_report import publish

    await publish(_services(context), repository_id, period, window_months=window_months, notes=tuple(notes))


async def defer_process(unit: str, *, priority: int, delay_seconds: float = 0.0) -> None:
    """Ask for a unit of work to be drained, now or after so many seconds."""
    await process.configure(lock=unit, priority=priority, schedule_at=_in(delay_seconds)).defer_async(unit=unit)


async def defer_inbox(repository_id: int, delay_seconds: float) -> None:
    """Ask for an inbox to be brought up to date; requests that come before it runs are one."""
    key = f"inbox:{repository_id}"
    job = refresh_inbox.configure(lock=key, queueing_lock=key, schedule_at=_in(delay_seconds))
    try:
        await job.defer_async(repository_id=repository_id)
    except AlreadyEnqueued:
        return


async def defer_report(repository_id: int, period: str) -> None:
    """Ask for a report; asking again before it is posted changes nothing."""
    key = f"report:{repository_id}:{period}"
    job = publish_report.configure(lock=key, queueing_lock=key)
    try:
        await job.defer_async(repository_id=repository_id, period=period)
    except AlreadyEnqueued:
        return


@asynccontextmanager
async def open_jobs(pool: AsyncConnectionPool) -> AsyncIterator[App]:
    """Connect the queue to an open psycopg pool for as long as the context lasts."""
    with app.replace_connector(PsycopgConnector()):
        async with app.open_async(pool):
            yield app


def _in(seconds: float) -> datetime | None:
    # Not procrastinate's `schedule_in`, which takes whole seconds.
    return datetime.now(UTC) + timedelta(seconds=seconds) if seconds > 0 else None


def _services(context: JobContext) -> Services:
    services: Services = context.additional_context["services"]
    return services
