"""Who may still write: a job is held by its row and a fresh heartbeat, and is let go by whoever has lost it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, cast

import pytest
from procrastinate.jobs import Job
from structlog.testing import capture_logs
from structlog.typing import EventDict

from bot import drain as drain_module
from bot.github.holding import JobLost, holding, still_ours
from bot.queue import open_jobs
from bot.services import Services
from bot.settings import Settings
from bot.store.database import Database
from bot.store.holding import PostgresHold
from bot.store.tables import Delivery
from bot.sweep import sweep
from bot.worker import work
from tests.support.door import Door, comment_event, open_door


@pytest.fixture
async def door(database: Database) -> AsyncIterator[Door]:
    async with open_door(database) as opened, open_jobs(opened.pool):
        yield opened


@pytest.fixture
def services(door: Door, database: Database) -> Services:
    return Services(Settings(), database, door.pool, cast("Any", None), cast("Any", None))


async def beat(door: Door, seconds_ago: int) -> None:
    await door.rows(
        f"UPDATE procrastinate_workers SET last_heartbeat = now() - interval '{seconds_ago} seconds' RETURNING id"  # noqa: S608
    )


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    deadline = time.monotonic() + 10
    while not await holds():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


async def is_doing(door: Door) -> bool:
    return [one["status"] for one in await door.jobs()] == ["doing"]


async def is_noticed(logs: list[EventDict]) -> bool:
    return any("taken up by another worker" in entry["event"] for entry in logs)


def a_job(number: int, worker: int) -> Job:
    return Job(
        id=number, queue="live", lock=None, queueing_lock=None, task_name="process", attempts=0, worker_id=worker
    )


async def test_a_job_is_held_until_the_sweep_may_take_it_up(door: Door, services: Services) -> None:
    await still_ours()  # no job is under way
    await door.send(comment_event("/rootcause confirm"), "issue_comment")
    (worker,) = await door.rows("INSERT INTO procrastinate_workers DEFAULT VALUES RETURNING id")
    taken = f"UPDATE procrastinate_jobs SET status = 'doing', worker_id = {worker['id']} RETURNING id"  # noqa: S608
    (job,) = await door.rows(taken)
    hold = PostgresHold(services.database.sessions, a_job(job["id"], worker["id"]), stalled_after=20.0)
    with holding(hold):
        await still_ours()
        await beat(door, 15)
        await still_ours()
        await beat(door, 25)
        with pytest.raises(JobLost, match="heartbeat has stopped"):
            await still_ours()
        await sweep(services)
        with pytest.raises(JobLost, match="another worker has taken up"):
            await still_ours()
        await beat(door, 0)
        await door.rows(taken)
        with pytest.raises(JobLost):
            await still_ours()  # it is the same worker's again, but another attempt of it
    await door.rows("DELETE FROM procrastinate_workers RETURNING id")
    assert not await hold.is_ours()


async def test_an_answer_that_came_too_late_makes_nobody_sure(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slowly(_: PostgresHold) -> float:
        await asyncio.sleep(0.02)
        return 0.01

    monkeypatch.setattr(PostgresHold, "_seconds_left", slowly)
    with pytest.raises(JobLost, match="heartbeat has stopped"):
        await PostgresHold(services.database.sessions, a_job(1, 1), 20.0).sure()


async def test_who_has_lost_a_job_neither_writes_nor_ends_it(
    door: Door, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    lost = asyncio.Event()

    async def write_slowly(_: Services, delivery: Delivery, payload: Any) -> None:
        await lost.wait()
        await still_ours()
        written.append(delivery.guid)

    monkeypatch.setattr(drain_module, "handle", write_slowly)
    with capture_logs() as logs:
        working = asyncio.create_task(work(services))
        await door.send(comment_event("/rootcause confirm"), "issue_comment")
        await until(lambda: is_doing(door))
        await door.rows(
            "WITH other AS (INSERT INTO procrastinate_workers DEFAULT VALUES RETURNING id) UPDATE procrastinate_jobs "
            "SET worker_id = other.id, attempts = attempts + 1 FROM other RETURNING procrastinate_jobs.id"
        )
        lost.set()
        await until(lambda: is_noticed(logs))
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
    assert written == []
    assert [(one["status"], one["attempts"]) for one in await door.jobs()] == [("doing", 1)]
    assert [(one["state"], one["attempts"]) for one in await door.deliveries()] == [("waiting", 0)]
