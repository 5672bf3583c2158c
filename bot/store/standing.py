"""How everything stands at this moment, as the database knows it: one cheap question, asked at every scrape.

Every part reads an index or a small table. What may be long is counted up to a bound, which the metric names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import LiteralString

from prometheus_client.core import GaugeMetricFamily
from psycopg import AsyncConnection
from psycopg.rows import TupleRow

MOST_COUNTED = 50_000

GAUGES = {
    "rootcause_deliveries_waiting": f"Deliveries that are not done yet, at most {MOST_COUNTED}",
    "rootcause_deliveries_failed": f"Deliveries that failed for good (dead letters), at most {MOST_COUNTED}",
    "rootcause_delivery_oldest_age_seconds": "How long the delivery that waits longest has been due",
    "rootcause_jobs": f"Jobs by queue and status, at most {MOST_COUNTED}",
    "rootcause_job_oldest_age_seconds": "How long the job that waits longest has been due, by queue",
    "rootcause_workers": "Workers by their heartbeat: alive, or silent for so long that their jobs are taken up",
    "rootcause_worker_heartbeat_age_seconds": "How long ago the last heartbeat of any worker was",
    "rootcause_github_budget_remaining": "What the account with the least left may still use of GitHub's hourly limit",
    "rootcause_github_budget_limit": "GitHub's hourly limit of that account",
    "rootcause_model_info": "The model that predicts, by its version",
}

# A closing that settles and a job that is scheduled are not due; a job without a moment is due since it was asked for.
_ASK: LiteralString = """
WITH job AS (
    SELECT queue_name, status::text, count(*), min(scheduled_at) FILTER (WHERE scheduled_at <= now()) AS since,
        min(id) FILTER (WHERE scheduled_at IS NULL) AS first
    FROM (
        SELECT id, queue_name, status, scheduled_at FROM procrastinate_jobs
        WHERE status IN ('todo', 'doing') ORDER BY id LIMIT %(most)s
    ) AS one
    GROUP BY queue_name, status
), failed AS (
    SELECT queue_name, count(*) FROM (
        SELECT queue_name FROM procrastinate_jobs
        WHERE status IN ('succeeded', 'failed', 'cancelled', 'aborted') AND status = 'failed' LIMIT %(most)s
    ) AS one
    GROUP BY queue_name
), asked AS (
    SELECT job.queue_name, min(event.at) AS since
    FROM job JOIN procrastinate_events AS event ON event.job_id = job.first
    WHERE job.status = 'todo' AND event.type IN ('deferred', 'deferred_for_retry', 'retried') GROUP BY job.queue_name
), narrow AS (
    SELECT DISTINCT ON (resource) resource, allowance,
        CASE WHEN resets_at > now() THEN greatest(allowance - used, 0) ELSE allowance END AS remaining
    FROM github_limit
    ORDER BY resource, CASE WHEN resets_at > now() THEN allowance - used ELSE allowance END
)
SELECT 'rootcause_deliveries_waiting' AS name, ARRAY[]::text[] AS keys, ARRAY[]::text[] AS labels, count(*)::float
FROM (SELECT FROM delivery WHERE state = 'waiting' LIMIT %(most)s) AS waiting
UNION ALL SELECT 'rootcause_deliveries_failed', '{}', '{}', count(*)
FROM (SELECT FROM delivery WHERE state = 'failed' LIMIT %(most)s) AS failed
UNION ALL SELECT 'rootcause_delivery_oldest_age_seconds', '{}', '{}',
    extract(epoch FROM now() - min(not_before)) FROM delivery WHERE state = 'waiting'
UNION ALL SELECT 'rootcause_jobs', '{queue,status}', ARRAY[queue_name, status], count FROM job
UNION ALL SELECT 'rootcause_jobs', '{queue,status}', ARRAY[queue_name, 'failed'], count FROM failed
UNION ALL SELECT 'rootcause_job_oldest_age_seconds', '{queue}', ARRAY[job.queue_name],
    extract(epoch FROM now() - least(job.since, asked.since))
FROM job LEFT JOIN asked ON asked.queue_name = job.queue_name WHERE job.status = 'todo'
UNION ALL SELECT 'rootcause_workers', '{state}',
    ARRAY[CASE WHEN last_heartbeat >= now() - make_interval(secs => %(silent)s) THEN 'alive' ELSE 'silent' END],
    count(*) FROM procrastinate_workers GROUP BY 3
UNION ALL SELECT 'rootcause_worker_heartbeat_age_seconds', '{}', '{}',
    extract(epoch FROM now() - max(last_heartbeat)) FROM procrastinate_workers
UNION ALL SELECT 'rootcause_github_budget_remaining', '{resource}', ARRAY[resource], remaining FROM narrow
UNION ALL SELECT 'rootcause_github_budget_limit', '{resource}', ARRAY[resource], allowance FROM narrow
UNION ALL (
    SELECT 'rootcause_model_info', '{version}', ARRAY[version], 1 FROM model_version
    WHERE state IN ('champion', 'shipped') ORDER BY state = 'champion' DESC, created_at DESC LIMIT 1
)
"""
_ALWAYS = {"rootcause_workers": [("state", "alive"), ("state", "silent")]}
"""What is told as nothing rather than left out: an alarm hears no silence."""


@dataclass(frozen=True)
class Measure:
    """One figure of how things stand; None where there is nothing to measure."""

    name: str
    labels: Mapping[str, str]
    value: float | None


async def how_it_stands(connection: AsyncConnection[TupleRow], silent_after_seconds: float) -> list[Measure]:
    """Return every figure; a worker counts as silent after so many seconds without a heartbeat."""
    found = await connection.execute(_ASK, {"most": MOST_COUNTED, "silent": silent_after_seconds})
    return [
        Measure(str(name), dict(zip(keys, labels, strict=True)), None if value is None else float(value))
        for name, keys, labels, value in await found.fetchall()
    ]


def gauges(found: Iterable[Measure]) -> list[GaugeMetricFamily]:
    """Return the figures as Prometheus knows them; an age is 0 where nothing waits, and absent where nobody works."""
    families = {}
    for name, what in GAUGES.items():
        families[name] = GaugeMetricFamily(name, what)
    seen = set()
    for one in found:
        if one.value is not None or one.name == "rootcause_delivery_oldest_age_seconds":
            families[one.name].add_sample(one.name, dict(one.labels), max(one.value or 0.0, 0.0))
            seen.add((one.name, *one.labels.items()))
    for name, several in _ALWAYS.items():
        for label in several:
            if (name, label) not in seen:
                families[name].add_sample(name, dict([label]), 0.0)
    return list(families.values())
