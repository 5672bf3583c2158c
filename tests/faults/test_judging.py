"""The long runs are judged as strictly as they say: a job that failed for no known reason is lost, memory stays."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlalchemy import text

from bot.store.database import Database
from tests.benchmarks.day_measures import Quarter, verdicts
from tests.faults.once import dead_letters, lost

JOBS = """
    INSERT INTO procrastinate_jobs (queue_name, task_name, status) VALUES
    ('live', 'told', 'failed'), ('live', 'untold', 'failed'), ('live', 'ended', 'aborted'), ('live', 'waiting', 'todo')
"""
REASON = "INSERT INTO failed_job SELECT id, 'Gone: /repos/a/b' FROM procrastinate_jobs WHERE task_name = 'told'"
NOBODY = cast("Any", SimpleNamespace(closed=(), decided={}, helped={}))


async def test_a_job_that_failed_without_a_reason_is_lost(database: Database) -> None:
    async with database.sessions.begin() as session:
        for statement in (JOBS, REASON):
            await session.execute(text(statement))

    async def query(statement: str) -> list[tuple[Any, ...]]:
        async with database.sessions() as session:
            return [tuple(row) for row in await session.execute(text(statement))]

    sandbox = SimpleNamespace(faults=SimpleNamespace(struck=[]))
    place = cast("Any", SimpleNamespace(query=query, accepted=list, sandbox=sandbox))
    assert await lost(place, NOBODY) == [
        "job untold 2 is failed, and nobody knows why",
        "job ended 3 is aborted, and nobody knows why",
    ]
    assert await dead_letters(place) == Counter({"job told: Gone: …": 1, "job untold: None": 1, "job ended: None": 1})


@pytest.mark.parametrize(
    ("processes", "database", "decisions", "code"),
    [(104.0, 100.0, 3, 0), (106.0, 90.0, 3, 1), (100.0, 120.0, 3, 1), (100.0, 100.0, 0, 1), (100.0, 100.0, 5, 1)],
)
async def test_a_day_goes_well_only_where_memory_stays_and_somebody_decided(
    processes: float, database: float, decisions: int, code: int
) -> None:
    async def row(statement: str) -> tuple[int, ...]:
        counted = {"count(DISTINCT": (0,), "FROM decision": (decisions,), "FROM report": (1,), "max(used)": (5,)}
        return next((found for words, found in counted.items() if words in statement), (0, 0, 0, 0, 0, 0, 9, 0))

    sandbox = SimpleNamespace(deliveries=(), violations=(), writes=(), world=SimpleNamespace(issues={}))
    quarter = [Quarter(100.0, 100.0, 0.0, 0.0, 1, 1)] * 3
    last = Quarter(processes, database, 0.0, 0.0, 1, 1)
    place = cast("Any", SimpleNamespace(row=row, sandbox=sandbox))
    assert await verdicts(place, [*quarter, last], closings=9, commands=4) == code
