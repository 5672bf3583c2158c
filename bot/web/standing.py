"""How the installation stands, in a few cheap questions to the database, and what of it needs a person's look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import text

from bot.clock import Clock
from bot.settings import Settings
from bot.store import jobs, status, status_of_places
from bot.store.database import Database
from reports.numbers import counted

LATE = timedelta(minutes=5)
"""A job that is due for longer waits for something else than its turn."""

_LONGEST_QUESTION = text("SET LOCAL statement_timeout = '5s'")


@dataclass(frozen=True)
class Limits:
    """What an installation may write within a minute and an hour."""

    minute: int
    hour: int


@dataclass(frozen=True)
class Standing:
    """All that the operator's page shows; `at` is when it was asked."""

    at: datetime
    deliveries: status.Deliveries
    queues: tuple[jobs.Queue, ...]
    failed_jobs: tuple[jobs.Job, ...]
    failed_jobs_in_all: int
    workers: jobs.Workers
    writes: tuple[status_of_places.Writes, ...]
    write_limits: Limits
    reads: tuple[status_of_places.Reads, ...]
    models: status_of_places.Models
    reports: tuple[status_of_places.ReportStanding, ...]


async def ask(database: Database, settings: Settings, clock: Clock) -> Standing:
    """Ask the database; raises where it is away or takes longer than 5 s for a question."""
    async with database.sessions() as session:
        await session.execute(_LONGEST_QUESTION)
        queues = await jobs.queues(session)
        return Standing(
            at=clock.now(),
            deliveries=await status.deliveries(session),
            queues=queues,
            failed_jobs=await jobs.newest_failed(session, status.MOST_FAILED),
            failed_jobs_in_all=sum(one.failed for one in queues),
            workers=await jobs.workers(session, settings.stalled_after_seconds),
            writes=await status_of_places.writes(session),
            write_limits=Limits(settings.writes_per_minute, settings.writes_per_hour),
            reads=await status_of_places.reads(session),
            models=await status_of_places.models(session),
            reports=await status_of_places.reports(session),
        )


def worries(standing: Standing) -> list[str]:
    """Return what needs a look, a sentence each; nothing where all is well."""
    return list(_worries(standing))


def _worries(standing: Standing) -> Iterator[str]:
    failed = standing.deliveries.failed_in_all
    if failed:
        yield f"{counted(failed, 'delivery')} failed for good: read why below, mend it, then retry."
    if not standing.workers.alive:
        yield "No worker gives a sign of life: start `rootcause worker` or `rootcause serve`."
    for one in standing.queues:
        if one.oldest is not None and standing.at - one.oldest > LATE:
            yield f"A job of the queue {one.queue} has been due for {ago(one.oldest, standing.at)}."
    lost = standing.failed_jobs_in_all
    if lost:
        yield f"{counted(lost, 'job')} failed for good: read why below, mend it, then retry."
    closed = sum(one.closed_until is not None for one in standing.reads)
    if closed:
        yield f"GitHub refuses {counted(closed, 'window')} of requests for now; they go on by themselves."
    missing = sum(one.state == "failed" for one in standing.reports)
    if missing:
        yield f"{counted(missing, 'report')} could not be posted; `/rootcause report` in the inbox asks for one again."


def facts(standing: Standing) -> dict[str, Any]:
    """Return it as JSON has it, moments in ISO format, with what needs a look."""
    found: dict[str, Any] = _plain({**asdict(standing), "needs_a_look": worries(standing)})
    return found


def ago(moment: datetime, now: datetime) -> str:
    """Return how long ago something was, in the largest unit that fits."""
    seconds = max(0, int((now - moment).total_seconds()))
    for unit, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * unit:
            return f"{seconds // unit} {name}"
    return f"{seconds} s"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value.isoformat() if isinstance(value, datetime) else value
