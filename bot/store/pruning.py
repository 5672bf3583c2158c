"""Deleting what nobody needs any more, some rows at a time, so that no lock is held for long.

Deliveries go 14 days after they came, those that failed as well; one that waits stays. GitHub sends a delivery again
for three days, so each is known by its GUID for as long as it can come again. Jobs that ended without success go 14
days after their last event, and their events and reasons with them; successful ones are deleted at once by the worker.
Of figures stay those that a posted report shows, for as long as the report is there, and all younger than 14 days.
Decisions, statements, commands, records and what the App wrote are never deleted here.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import CursorResult, TextClause, text
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

KEPT = timedelta(days=14)
"""How long deliveries, ended jobs and figures that no report shows are kept."""

AT_ONCE = 1_000
"""Rows of one transaction; of figures, which are large, a tenth."""

_UNHEARD = timedelta(days=1)
"""After which a worker that gave no sign of life is forgotten, and what was written in an issue within the hour."""

# What was stamped by the database is compared with the database's time, everything else with the caller's. The
# condition stands outside the inner query once more where a row may be made young again in between.
_STATEMENTS: Mapping[str, TextClause] = {
    "deliveries": text("""
        DELETE FROM delivery WHERE guid IN (
            SELECT guid FROM delivery
            WHERE received_at < now() - CAST(:kept AS interval) AND state <> 'waiting'
            ORDER BY received_at LIMIT :most FOR UPDATE SKIP LOCKED
        )
    """),
    "jobs": text("""
        DELETE FROM procrastinate_jobs WHERE id IN (
            SELECT id FROM procrastinate_jobs AS job
            WHERE status IN ('succeeded', 'failed', 'cancelled', 'aborted') AND NOT EXISTS (
                SELECT FROM procrastinate_events AS event
                WHERE event.job_id = job.id AND event.at >= now() - CAST(:kept AS interval)
            )
            LIMIT :most FOR UPDATE SKIP LOCKED
        )
    """),
    "workers": text("""
        DELETE FROM procrastinate_workers WHERE id IN (
            SELECT id FROM procrastinate_workers WHERE last_heartbeat < now() - CAST(:unheard AS interval)
            LIMIT :most FOR UPDATE SKIP LOCKED
        )
    """),
    "issue_writes": text("""
        DELETE FROM issue_writes WHERE (repository_id, number) IN (
            SELECT repository_id, number FROM issue_writes
            WHERE coalesce(CAST(recent -> -1 ->> 'at' AS timestamptz), '-infinity')
                  < CAST(:now AS timestamptz) - CAST(:unheard AS interval)
            LIMIT :most FOR UPDATE SKIP LOCKED
        )
    """),
    "figure_uses": text("""
        DELETE FROM figure_use WHERE (name, repository_id) IN (
            SELECT used.name, used.repository_id FROM figure_use AS used JOIN figure ON figure.name = used.name
            WHERE figure.created_at < CAST(:now AS timestamptz) - CAST(:kept AS interval) AND NOT EXISTS (
                SELECT FROM report
                WHERE report.repository_id = used.repository_id AND report.posted_at IS NOT NULL
                AND (report.figures IS NULL OR used.name = ANY (report.figures))
            )
            LIMIT :most
        )
    """),
    "figures": text("""
        DELETE FROM figure WHERE created_at < CAST(:now AS timestamptz) - CAST(:kept AS interval) AND name IN (
            SELECT name FROM figure
            WHERE created_at < CAST(:now AS timestamptz) - CAST(:kept AS interval)
            AND NOT EXISTS (SELECT FROM figure_use WHERE figure_use.name = figure.name)
            LIMIT :most / 10
        )
    """),
}


async def prune(sessions: async_sessionmaker[AsyncSession], now: datetime, at_once: int = AT_ONCE) -> dict[str, int]:
    """Delete all that is old enough, a transaction for so many rows, and return how many rows went of each kind."""
    return {kind: await _all(sessions, statement, now, at_once) for kind, statement in _STATEMENTS.items()}


async def _all(sessions: async_sessionmaker[AsyncSession], statement: TextClause, now: datetime, at_once: int) -> int:
    given: dict[str, Any] = {"now": now, "kept": KEPT, "unheard": _UNHEARD, "most": at_once}
    wanted = {name: given[name] for name in statement.compile().params}
    total = 0
    while True:
        async with sessions.begin() as session:
            result = await session.execute(statement, wanted)
            went = result.rowcount if isinstance(result, CursorResult) else 0
        if went == 0:
            return total
        total += went
