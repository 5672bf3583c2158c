"""What came in and what became of it, for the operator's page: deliveries, and those that failed for good."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

MOST_FAILED = 50
"""Failed deliveries and jobs that are listed, the newest of each; all of them are counted."""

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


async def deliveries(session: AsyncSession) -> Deliveries:
    """Return what came in and what became of it."""
    recent = tuple(Recent(**row._mapping) for row in await session.execute(_RECENT))
    waiting = (await session.execute(_WAITING)).one()
    failed = (await session.execute(_FAILED, {"most": MOST_FAILED})).mappings().all()
    listed = tuple(Failed(**{key: value for key, value in row.items() if key != "of_all"}) for row in failed)
    in_all = failed[0]["of_all"] if failed else 0
    return Deliveries(recent, waiting.waiting, waiting.settling, waiting.oldest, listed, in_all)
