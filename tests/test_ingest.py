"""The one writer of deliveries: batches, poison, bursts, and a database that is away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import psycopg
import pytest
from psycopg_pool import AsyncConnectionPool

from bot import ingest as ingest_module
from bot.deliveries import Arrival, arrival
from bot.store.database import Database
from bot.store.embedded import EmbeddedServer
from tests.support.door import (
    REPOSITORY_ID,
    Door,
    comment_event,
    headers,
    issue_event,
    new_guid,
    open_door,
)

ISSUE = f"issue:{REPOSITORY_ID}:7"


@pytest.fixture
async def door(database: Database) -> AsyncIterator[Door]:
    async with open_door(database) as opened:
        yield opened


def closing(number: int = 7, payload: str = "{}") -> Arrival:
    kept = arrival(new_guid(), "issues", issue_event(number=number), bot_id=None, slug="rootcause")
    assert kept is not None
    return replace(kept, payload=payload)


def command(number: int = 7) -> Arrival:
    event = comment_event("/rootcause confirm", number=number)
    kept = arrival(new_guid(), "issue_comment", event, bot_id=None, slug="rootcause")
    assert kept is not None
    return kept


async def store(door: Door, *arrivals: Arrival) -> list[BaseException | None]:
    """Store all at once and return what became of each."""
    return await asyncio.gather(*map(door.ingest.store, arrivals), return_exceptions=True)


async def test_what_comes_at_once_is_one_batch_in_the_order_it_came(door: Door) -> None:
    arrivals = [closing(number) for number in range(1, 121)]
    assert await store(door, *arrivals) == [None] * 120
    rows = await door.deliveries()
    assert [row["guid"] for row in rows] == [one.guid for one in arrivals]
    commits = {row["received_at"] for row in rows}
    assert len(commits) <= 3, "rows of one statement bear one time"
    assert len(await door.jobs()) == 120


async def test_one_row_that_the_database_refuses_fails_alone(door: Door) -> None:
    good = [closing(number) for number in range(1, 11)]
    poison = replace(closing(11), payload="a NUL: \0")
    too_big = replace(closing(12), number=2**40)
    outcomes = await store(door, *good[:5], poison, *good[5:], too_big)
    assert isinstance(outcomes[5], psycopg.DataError)
    assert isinstance(outcomes[11], psycopg.DataError)
    assert [one for number, one in enumerate(outcomes) if number not in {5, 11}] == [None] * 10
    assert {row["guid"] for row in await door.deliveries()} == {one.guid for one in good}
    assert len(await door.jobs()) == 10


async def test_text_that_is_no_unicode_fails_alone_too(door: Door) -> None:
    outcomes = await store(door, closing(1), replace(closing(2), payload="\ud800"), closing(3))
    assert [type(one) for one in outcomes] == [type(None), UnicodeEncodeError, type(None)]
    assert len(await door.deliveries()) == 2


async def test_a_guid_twice_in_one_batch_is_one_row_and_one_job(door: Door) -> None:
    one = closing()
    assert await store(door, one, one, one) == [None] * 3
    assert len(await door.deliveries()) == 1
    assert len(await door.jobs()) == 1


async def test_a_burst_for_one_issue_leaves_one_job_to_start_now_and_one_later(door: Door) -> None:
    for _ in range(5):
        await store(door, *[command() for _ in range(40)], *[closing() for _ in range(40)])
    assert len(await door.deliveries()) == 400
    jobs = await door.jobs()
    assert sorted(job["priority"] for job in jobs) == [0, 10]
    (first, *_) = await door.rows("SELECT min(not_before) AS due FROM delivery WHERE event = 'issues'")
    assert [job["scheduled_at"] for job in jobs if job["priority"] == 0] == [first["due"]]


async def test_a_closing_does_not_wait_for_a_back_off_of_its_issue(door: Door) -> None:
    await store(door, closing())
    await door.rows("UPDATE procrastinate_jobs SET scheduled_at = now() + interval '1 hour' RETURNING id")
    await store(door, closing())
    (job,) = await door.jobs()
    (*_, newest) = await door.deliveries()
    assert job["scheduled_at"] == newest["not_before"], "a second job would be blocked by the sleeping first one"


async def test_a_job_that_runs_already_does_not_count_as_waiting(door: Door) -> None:
    await store(door, command())
    await door.rows("UPDATE procrastinate_jobs SET status = 'doing' RETURNING id")
    await store(door, command())
    assert [job["status"] for job in await door.jobs()] == ["doing", "todo"]


async def test_a_job_that_another_worker_is_just_fetching_does_not_count_either(door: Door) -> None:
    await store(door, command())
    async with await psycopg.AsyncConnection.connect(str(door.pool.conninfo)) as fetching:
        await fetching.execute("UPDATE procrastinate_jobs SET status = 'doing'")
        await store(door, command())
        await fetching.commit()
    assert [job["status"] for job in await door.jobs()] == ["doing", "todo"]


async def test_jobs_of_other_kinds_and_units_are_left_alone(door: Door) -> None:
    await store(door, command(1))
    await door.rows("UPDATE procrastinate_jobs SET task_name = 'another' RETURNING id")
    await store(door, command(1), command(2))
    assert {(job["task_name"], job["lock"]) for job in await door.jobs()} == {
        ("another", f"issue:{REPOSITORY_ID}:1"),
        ("process", f"issue:{REPOSITORY_ID}:1"),
        ("process", f"issue:{REPOSITORY_ID}:2"),
    }


async def test_a_backlog_does_not_slow_the_door(door: Door) -> None:
    await door.rows(
        "INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, args) "
        "SELECT 'live', 'process', number % 2 * 10, 'issue:1:' || number, '{}' "
        "FROM generate_series(1, 30000) AS number RETURNING id"
    )
    started = time.monotonic()
    await store(door, *[command(number) for number in range(1, 201)])
    assert time.monotonic() - started < 3, "each unit is compared with every job that waits"
    assert len(await door.deliveries()) == 200


async def test_connections_that_the_server_broke_are_replaced_unnoticed(
    door: Door, database_server: EmbeddedServer
) -> None:
    await store(door, closing(1))
    async with await psycopg.AsyncConnection.connect(database_server.conninfo, autocommit=True) as other:
        await other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [_name(door.pool)]
        )
    assert (await door.send(issue_event(number=2)))[0] == 202
    assert [row["number"] for row in await door.deliveries()] == [1, 2]


async def test_a_server_that_lets_nobody_in_is_a_503_within_githubs_ten_seconds_and_then_all_is_well(
    door: Door, database_server: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 2 * ingest_module._CONNECTION_SECONDS < 10, "one batch may have to wait for another"
    monkeypatch.setattr(ingest_module, "_CONNECTION_SECONDS", 0.5)
    guids = [new_guid() for _ in range(3)]
    async with await psycopg.AsyncConnection.connect(database_server.conninfo, autocommit=True) as other:
        name = _name(door.pool)
        await other.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false'.encode())
        await other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        async with asyncio.timeout(3):
            away = await asyncio.gather(*(door.send(issue_event(), guid=guid) for guid in guids))
        assert {status for status, _ in away} == {503}
        await other.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true'.encode())
    async with asyncio.timeout(20):
        for guid in guids * 20:
            if (await door.send(issue_event(), guid=guid))[0] == 202:
                break
    assert {status for status, _ in [await door.send(issue_event(), guid=guid) for guid in guids]} == {202}
    assert {row["guid"] for row in await door.deliveries()} == set(guids)
    assert len(await door.jobs()) == 1


async def test_answers_come_only_after_the_commit(door: Door) -> None:
    """What another connection sees when the 202 is there is what a crash would leave."""
    body = b'{"action": "closed", "issue": {"number": 7}, "repository": {"id": 1}}'
    async with door.session.post(door.url(), data=body, headers=headers(body)) as answer:
        assert answer.status == 202
        async with await psycopg.AsyncConnection.connect(str(door.pool.conninfo)) as other:
            found = await (
                await other.execute("SELECT count(*) FROM delivery JOIN procrastinate_jobs ON lock = unit")
            ).fetchone()
    assert found == (1,)


def _name(pool: AsyncConnectionPool) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(str(pool.conninfo))["dbname"])
