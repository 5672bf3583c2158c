"""What `/metrics` says: what all processes counted, how things stand, and of this process what it uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from prometheus_client import GC_COLLECTOR, PLATFORM_COLLECTOR, PROCESS_COLLECTOR, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from psycopg import AsyncConnection, InterfaceError, OperationalError
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from bot.store.counted import Counts, read_counts
from bot.store.standing import gauges, how_it_stands

_SECONDS = 2.0


class _Found(Collector):
    def __init__(self, families: Sequence[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families


class Metrics:
    """Answers `/metrics`; a worker counts as silent after `silent_after_seconds` without a heartbeat."""

    def __init__(self, pool: AsyncConnectionPool, counts: Counts, silent_after_seconds: float) -> None:
        self._pool = pool
        self._counts = counts
        self._silent_after_seconds = silent_after_seconds

    async def text(self) -> bytes:
        """Return everything in Prometheus' text form; without the database, what this process says of itself."""
        await self._counts.add(self._pool)
        families: list[Metric] = []
        try:
            async with self._pool.connection(timeout=_SECONDS) as connection:
                families += await read_counts(connection)
                families.append(await _stopped(connection))
                families += gauges(await how_it_stands(connection, self._silent_after_seconds))
        except (OperationalError, InterfaceError, PoolTimeout):
            families = []
        answers = GaugeMetricFamily("rootcause_database_up", "1 where the database answered this scrape, else 0")
        answers.add_metric([], 1.0 if families else 0.0)
        registry = CollectorRegistry()
        for own in (PROCESS_COLLECTOR, PLATFORM_COLLECTOR, GC_COLLECTOR, _Found([answers, *families])):
            registry.register(own)
        return generate_latest(registry)


async def _stopped(connection: AsyncConnection[TupleRow]) -> CounterMetricFamily:
    what = "Writes that were not made since they would have gone round in a circle"
    family = CounterMetricFamily("rootcause_circuit_breaker", what, labels=["kind"])
    found = await connection.execute("SELECT kind, stopped FROM circuit_breaker ORDER BY kind")
    for kind, stopped in await found.fetchall():
        family.add_metric([str(kind)], int(stopped))
    return family
