"""`/metrics` and `/readyz`: Prometheus' conventions, sums over processes, and the truth about what waits."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
from aiohttp.test_utils import TestServer
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from bot.clock import SystemClock
from bot.metrics import JOBS, REPORTS, REQUESTS
from bot.settings import Settings
from bot.store.counted import Counts
from bot.store.database import Database
from bot.store.migrate import older_revisions
from bot.web.app import create_app
from bot.web.reports.routes import ReportPages
from bot.web.webhook import Identity, Webhook
from tests.support.door import Door, comment_event, issue_event, open_door

OTHER_ENDINGS = ("_milliseconds", "_ms", "_minutes", "_hours", "_kb", "_mb", "_percent", "_count", "_sum", "_bucket")


@pytest.fixture
async def door(database: Database) -> AsyncIterator[Door]:
    async with open_door(database) as opened:
        yield opened


async def families(door: Door) -> dict[str, Metric]:
    async with door.session.get(door.url("/metrics")) as answer:
        assert answer.status == 200
        assert answer.headers["Content-Type"].startswith("text/plain; version=")
        text = await answer.text()
    samples = [line.rpartition(" ")[0] for line in text.splitlines() if not line.startswith("#")]
    assert len(samples) == len(set(samples)), "nothing is told twice"
    return {one.name: one for one in text_string_to_metric_families(text)}


def value(found: dict[str, Metric], name: str, **labels: str) -> float | None:
    samples = (one for family in found.values() for one in family.samples)
    return next((one.value for one in samples if (one.name, one.labels) == (name, labels)), None)


async def execute(door: Door, *statements: str) -> None:
    async with door.pool.connection() as connection:
        for statement in statements:
            await connection.execute(statement.encode())


async def test_the_names_keep_prometheus_conventions_and_labels_are_few(door: Door) -> None:
    REPORTS.inc()
    JOBS.labels(task="process", outcome="succeeded").observe(0.3)
    await door.send(comment_event("/rootcause confirm"), "issue_comment")
    found = await families(door)
    own = {name: one for name, one in found.items() if name.startswith("rootcause_")}
    assert len(own) > 20
    for name, one in own.items():
        assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name)
        assert not name.endswith(OTHER_ENDINGS), name
        assert name.endswith("_seconds") == ("age" in name or "duration" in name or "latency" in name), name
        assert one.documentation, name
        assert not one.documentation.endswith("."), name
        assert one.type in {"counter", "gauge", "histogram"}, name
        for sample in one.samples:
            assert sample.name.endswith("_total") == (one.type == "counter"), sample
            assert not set(sample.labels) & {"repository", "login", "person", "issue"}, sample
    assert "process_resident_memory_bytes" in found
    assert value(found, "rootcause_deliveries_total", event="issue_comment", outcome="stored") == 1


async def test_what_all_processes_counted_is_told_by_each(door: Door, database: Database) -> None:
    REQUESTS.labels(resource="core", status="2xx").inc()
    first = await families(door)
    # What a worker on another machine added meanwhile, of a newer version too.
    await execute(
        door,
        "UPDATE counted SET value = value + 41 WHERE name = 'rootcause_github_requests_total'",
        """INSERT INTO counted VALUES ('rootcause_github_requests_total', '{"resource": "search", "status": "5xx"}', 3),
           ('rootcause_not_known_yet_total', '{}', 5)""",
    )
    JOBS.labels(task="process", outcome="failed").observe(3)
    JOBS.labels(task="process", outcome="failed").observe(400)
    second = await families(door)
    assert value(first, "rootcause_github_requests_total", resource="core", status="2xx") == 1
    assert value(second, "rootcause_github_requests_total", resource="core", status="2xx") == 42
    assert value(second, "rootcause_github_requests_total", resource="search", status="5xx") == 3
    assert not any("not_known" in name for name in second)
    assert value(second, "rootcause_reports_total") is not None, "what never happened is told as nothing"
    name, labels = "rootcause_job_duration_seconds", {"task": "process", "outcome": "failed"}
    samples = [one for one in second[name].samples if one.labels.items() >= labels.items()]
    buckets = {one.labels["le"]: one.value for one in samples if one.name == f"{name}_bucket"}
    assert list(buckets) == sorted(buckets, key=float)
    assert (buckets["2.5"], buckets["5.0"], buckets["300.0"], buckets["+Inf"]) == (0, 1, 1, 2)
    assert value(second, f"{name}_sum", **labels) == 403
    assert {key: one.samples for key, one in (await families(door)).items() if key.startswith("rootcause")} == {
        key: one.samples for key, one in second.items() if key.startswith("rootcause")
    }, "looking counts nothing"
    async with open_door(database) as beside:
        assert value(await families(beside), "rootcause_github_requests_total", resource="core", status="2xx") == 42


async def test_what_was_not_added_for_want_of_a_database_is_added_later(door: Door) -> None:
    counts = Counts()
    REPORTS.inc()
    await execute(door, "ALTER TABLE counted RENAME TO away")
    assert not await counts.add(door.pool)
    await execute(door, "ALTER TABLE away RENAME TO counted")
    assert await counts.add(door.pool)
    assert await counts.add(door.pool)
    assert [row["value"] for row in await door.rows("SELECT * FROM counted")] == [1]


async def test_what_waits_and_who_works_is_told(door: Door) -> None:
    found = await families(door)
    assert value(found, "rootcause_delivery_oldest_age_seconds") == 0
    assert value(found, "rootcause_workers", state="alive") == 0
    assert value(found, "rootcause_worker_heartbeat_age_seconds") is None
    await door.send(issue_event())  # settles yet
    for number in (8, 9, 10):
        await door.send(comment_event("/rootcause confirm", number=number), "issue_comment")
    await execute(
        door,
        "UPDATE delivery SET not_before = now() - interval '90 seconds' WHERE number = 8",
        "UPDATE delivery SET state = 'failed' WHERE number = 9",
        "UPDATE delivery SET state = 'done' WHERE number = 10",
        "UPDATE procrastinate_events SET at = now() - interval '70 seconds' WHERE type = 'deferred'",
        "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '3 s'), (now() - interval '1 h')",
        "UPDATE procrastinate_jobs SET status = 'failed' WHERE lock LIKE '%:9'",
        """INSERT INTO github_limit (installation_id, resource, allowance, used, resets_at, minute_at) VALUES
           (1, 'core', 5000, 4000, now() + interval '5 min', now()), (2, 'core', 5000, 10, NULL, now()),
           (3, 'core', 5000, 4999, now() - interval '5 min', now())""",
        """INSERT INTO model_version (version, state, created_at) VALUES ('shipped-1', 'shipped', now()),
           ('learned-2', 'champion', now() - interval '1 day'), ('old-1', 'retired', now())""",
    )
    found = await families(door)
    assert value(found, "rootcause_deliveries_waiting") == 2
    assert value(found, "rootcause_deliveries_failed") == 1
    assert value(found, "rootcause_delivery_oldest_age_seconds") == pytest.approx(90, abs=5)
    assert value(found, "rootcause_job_oldest_age_seconds", queue="live") == pytest.approx(70, abs=5)
    assert value(found, "rootcause_jobs", queue="live", status="todo") == 3
    assert value(found, "rootcause_jobs", queue="live", status="failed") == 1
    assert (value(found, "rootcause_workers", state="alive"), value(found, "rootcause_workers", state="silent")) == (
        1,
        1,
    )
    assert value(found, "rootcause_worker_heartbeat_age_seconds") == pytest.approx(3, abs=3)
    assert value(found, "rootcause_github_budget_remaining", resource="core") == 1000
    assert value(found, "rootcause_github_budget_limit", resource="core") == 5000
    assert [one.labels for one in found["rootcause_model_info"].samples] == [{"version": "learned-2"}]


async def test_without_the_database_the_process_still_tells_of_itself(door: Door) -> None:
    await door.pool.close()
    found = await families(door)
    assert value(found, "rootcause_database_up") == 0
    assert "process_cpu_seconds" in found
    assert not [name for name in found if name.startswith("rootcause_") and name != "rootcause_database_up"]


async def ready(door: Door) -> tuple[int, str]:
    async with door.session.get(door.url("/readyz")) as answer:
        return answer.status, await answer.text()


async def test_whether_the_process_is_ready_is_the_truth(database: Database) -> None:
    async with open_door(database) as door:
        status, text = await ready(door)
        assert "missing settings" in text, "the database is fine"
        older = max(older_revisions())
        await execute(door, f"UPDATE alembic_version SET version_num = '{older}'")  # noqa: S608
        status, text = await ready(door)
        assert (status, "rootcause db upgrade" in text) == (503, True)
        await execute(door, "UPDATE alembic_version SET version_num = '9999_of_a_newer_version'")
        assert "missing settings" in (await ready(door))[1], "the old processes go on while a new version is rolled out"
        await execute(door, "DELETE FROM alembic_version")
        assert "rootcause db upgrade" in (await ready(door))[1]
        webhook = Webhook(door.ingest, (), Identity("rootcause"))
        app = create_app(Settings(), webhook, door.pool, ReportPages(database, SystemClock()))
        async with TestServer(app) as server:
            await app.shutdown()  # the answers under way are given yet
            async with door.session.get(server.make_url("/readyz")) as answer:
                assert (answer.status, await answer.text()) == (503, "not ready: the process is stopping")
