"""What all processes count together: each adds to the database what it counted, so that one of them can tell for all.

Workers answer no requests, and any web process is as good as another: the sums of all, since the database began, are
in one table. A process that is killed takes its last seconds of counting with it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from typing import LiteralString

import structlog
from prometheus_client import Metric
from prometheus_client.samples import Sample
from psycopg import AsyncConnection
from psycopg import Error as DatabaseError
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from bot.clock import Clock
from bot.metrics import COUNTED

log = structlog.get_logger(__name__)

_CREATED = "_created"
_EVERY_SECONDS = 5.0

Labels = tuple[tuple[str, str], ...]
Key = tuple[str, Labels]
"""A sample's name and its labels, sorted."""

# In one order, so that two processes that add at once wait for each other and never both.
_ADD: LiteralString = """
INSERT INTO counted (name, labels, value)
SELECT * FROM unnest(%s::text[], %s::text[], %s::float[]) AS added(name, labels, value) ORDER BY name, labels
ON CONFLICT (name, labels) DO UPDATE SET value = counted.value + excluded.value
"""
_READ: LiteralString = "SELECT name, labels, value FROM counted ORDER BY name, labels"


class Counts:
    """The counters of this process since it began, and the sums of all processes; one of a process."""

    def __init__(self) -> None:
        self._added = _counted_here()
        self._adding = asyncio.Lock()

    async def add(self, pool: AsyncConnectionPool) -> bool:
        """Add what was counted since the last time; return whether the database took it, or was not needed."""
        async with self._adding:
            now = _counted_here()
            if now == self._added:
                return True
            rows = _grown(self._added, now)
            try:
                async with pool.connection(timeout=2) as connection:
                    await connection.execute(_ADD, tuple(map(list, zip(*rows, strict=True))))
            except (DatabaseError, PoolTimeout) as error:
                log.warning("what was counted is added later", error=type(error).__name__)
                return False
            self._added = now
            return True

    async def keep_adding(self, pool: AsyncConnectionPool, clock: Clock) -> None:
        """Add every few seconds, as long as the process lives; what the database does not take now it takes later."""
        while True:
            await clock.sleep(_EVERY_SECONDS)
            await self.add(pool)


async def read_counts(connection: AsyncConnection[TupleRow]) -> list[Metric]:
    """Return the sums of all processes, by the metrics that this version knows."""
    found = await (await connection.execute(_READ)).fetchall()
    return _families({(str(name), _sorted(json.loads(labels))): float(value) for name, labels, value in found})


def _families(sums: Mapping[Key, float]) -> list[Metric]:
    families = []
    for own in _own_metrics():
        family = Metric(own.name, own.documentation, own.type)
        names = {f"{own.name}{ending}" for ending in ("_total", "_bucket", "_count", "_sum")}
        series = {key: value for key, value in sums.items() if key[0] in names}
        # What has no labels is counted from the start, as nothing.
        series = {(one.name, ()): 0.0 for one in _samples(own) if not one.labels} | series
        for name, labels in sorted(series, key=_order):
            family.add_sample(name, dict(labels), series[name, labels])
        families.append(family)
    return families


def _counted_here() -> dict[Key, float]:
    return {
        (sample.name, _sorted(sample.labels)): sample.value for metric in _own_metrics() for sample in _samples(metric)
    }


def _grown(before: Mapping[Key, float], now: Mapping[Key, float]) -> list[tuple[str, str, float]]:
    """Return what was counted between, in order; a series whole, so that no bucket of a histogram is missing."""
    new = {key: value - before.get(key, 0.0) for key, value in now.items()}
    grown = {_series(key) for key, difference in new.items() if difference > 0}
    added = (key for key in new if _series(key) in grown)
    return sorted((key[0], json.dumps(dict(key[1])), new[key]) for key in added)


def _sorted(labels: Mapping[str, str]) -> Labels:
    return tuple(sorted(labels.items()))


def _own_metrics() -> Iterable[Metric]:
    return (metric for one in COUNTED for metric in one.collect())


def _samples(metric: Metric) -> list[Sample]:
    return [sample for sample in metric.samples if not sample.name.endswith(_CREATED)]


def _series(key: Key) -> Key:
    name, labels = key
    for ending in ("_bucket", "_count", "_sum"):
        name = name.removesuffix(ending)
    return name, tuple(pair for pair in labels if pair[0] != "le")


def _order(key: Key) -> tuple[Key, str, float]:
    return _series(key), key[0], float(dict(key[1]).get("le", "inf"))
