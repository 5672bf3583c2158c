"""What is old enough goes, some rows at a time; what can come again, waits, or is shown by a report stays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import text

from bot.store.database import Database
from bot.store.figures import store_figures
from bot.store.pruning import prune
from bot.store.tables import CircuitBreaker, IssueWrites, Report, Repository
from reports.figures import FigureFile

NOW = datetime.now(UTC)
LONG_AGO = NOW - timedelta(days=15)
LATELY = NOW - timedelta(days=13)

DELIVERIES = """
    INSERT INTO delivery (guid, unit, event, payload, state, attempts, received_at, not_before)
    SELECT state || days || '-' || number, 'issue:1:1', 'issues', '{}', state, 0,
           now() - make_interval(days => days), now()
    FROM unnest(ARRAY['done', 'ignored', 'failed', 'waiting']) AS state, unnest(ARRAY[3, 13, 15]) AS days,
         generate_series(1, 5) AS number
"""
JOBS = """
    WITH worker AS (
        INSERT INTO procrastinate_workers (last_heartbeat) SELECT now() - make_interval(days => days)
        FROM unnest(ARRAY[0, 2]) AS days RETURNING id
    ), job AS (
        INSERT INTO procrastinate_jobs (queue_name, task_name, args, status, worker_id)
        SELECT 'live', status::text || days, '{}', status, (SELECT min(id) FROM worker)
        FROM unnest(ARRAY['todo', 'doing', 'succeeded', 'failed', 'cancelled', 'aborted']::procrastinate_job_status[])
             AS status, unnest(ARRAY[13, 15]) AS days
        RETURNING id, task_name
    )
    SELECT count(*) FROM job
"""
EVENTS = """
    INSERT INTO procrastinate_events (job_id, type, at)
    SELECT id, 'failed', now() - CASE WHEN task_name LIKE '%15' THEN interval '15 days' ELSE interval '13 days' END
    FROM procrastinate_jobs
"""


async def run(database: Database, *statements: str) -> list[tuple[Any, ...]]:
    """Run statements and return the rows of the last."""
    async with database.sessions.begin() as session:
        for statement in statements:
            result = await session.execute(text(statement))
        return [tuple(row) for row in result.all()] if result.returns_rows else []  # type: ignore[attr-defined]


async def test_deliveries_jobs_and_workers_go_when_nobody_needs_them_any_more(database: Database) -> None:
    reasons = "INSERT INTO failed_job SELECT id, task_name FROM procrastinate_jobs WHERE status = 'failed'"
    await run(database, DELIVERIES, JOBS, "DELETE FROM procrastinate_events", EVENTS, reasons)
    went = await prune(database.sessions, NOW, at_once=2)
    assert (went["deliveries"], went["jobs"], went["workers"]) == (15, 4, 1)
    left = await run(database, "SELECT state, guid LIKE '%15-%', count(*) FROM delivery GROUP BY 1, 2 ORDER BY 1, 2")
    young = [(state, False, 10) for state in ("done", "failed", "ignored", "waiting")]
    assert left == [*young, ("waiting", True, 5)]
    names = {name for (name,) in await run(database, "SELECT task_name FROM procrastinate_jobs")}
    assert names == {f"{one}13" for one in ("todo", "doing", "succeeded", "failed", "cancelled", "aborted")} | {
        "todo15",
        "doing15",
    }
    orphans = "SELECT count(*) FROM procrastinate_events WHERE job_id NOT IN (SELECT id FROM procrastinate_jobs)"
    assert await run(database, orphans) == [(0,)]
    assert await run(database, "SELECT error FROM failed_job") == [("failed13",)], "a reason goes with its job"
    assert set((await prune(database.sessions, NOW)).values()) == {0}, "asked again, there is nothing to do"


def figure(name: str) -> FigureFile:
    return FigureFile(name, "light", name, f"<svg>{name}</svg>".encode(), f"png of {name}".encode())


async def test_figures_stay_as_long_as_a_posted_report_shows_them(database: Database) -> None:
    files = {name: figure(name) for name in ("shown", "replaced", "shared", "young", "unknown", "unposted")}
    async with database.sessions.begin() as session:
        for number in (1, 2, 3):
            session.add(Repository(id=number, full_name=f"a/{number}", created_at=NOW, updated_at=NOW))
        await session.flush()
        for number, names, at in (
            (1, ["shown", "replaced", "shared"], LONG_AGO),
            (2, ["shared", "unposted"], LONG_AGO),
            (3, ["unknown"], LONG_AGO),
            (1, ["young"], LATELY),
        ):
            assert await store_figures(session, number, [files[name] for name in names], at)
        shows = [files["shown"].svg_name, files["shown"].png_name]
        for number, figures, posted in ((1, shows, NOW), (2, None, None), (3, None, LONG_AGO)):
            session.add(
                Report(repository_id=number, period="2027-02", figures=figures, created_at=NOW, posted_at=posted)
            )
    went = await prune(database.sessions, NOW, at_once=10)
    left = {name.partition("-")[0] for (name,) in await run(database, "SELECT name FROM figure")}
    assert left == {"shown", "young", "unknown"}
    assert (went["figures"], went["figure_uses"]) == (6, 8)
    async with database.sessions.begin() as session:
        await store_figures(session, 1, [files["young"]], NOW + timedelta(days=9))
    assert (await prune(database.sessions, NOW + timedelta(days=10)))["figures"] == 0, "stored again, it is young again"


async def test_what_was_written_in_an_issue_is_forgotten_a_day_later_and_counters_are_not(database: Database) -> None:
    async with database.sessions.begin() as session:
        for number, hours in ((1, 30), (2, 20), (3, None)):
            recent = [] if hours is None else [{"at": (NOW - timedelta(hours=hours)).isoformat()}]
            session.add(IssueWrites(repository_id=1, number=number, recent=recent))
        session.add(CircuitBreaker(kind="comment", stopped=3))
    assert (await prune(database.sessions, NOW))["issue_writes"] == 2
    assert await run(database, "SELECT number FROM issue_writes") == [(2,)]
    assert await run(database, "SELECT stopped FROM circuit_breaker") == [(3,)]
