"""What all processes did together, for `/metrics`: workers answer no requests, so the database counts for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector
from psycopg import Error as DatabaseError
from psycopg_pool import AsyncConnectionPool, PoolTimeout

_NAME = "rootcause_circuit_breaker"
_WHAT = "Writes that were not made since they would have gone round in a circle"


class _Stopped(Collector):
    def __init__(self, rows: Sequence[tuple[str, int]]) -> None:
        self._rows = rows

    def collect(self) -> Iterator[CounterMetricFamily]:
        family = CounterMetricFamily(_NAME, _WHAT, labels=["kind"])
        for kind, stopped in self._rows:
            family.add_metric([kind], stopped)
        yield family


async def shared_metrics(pool: AsyncConnectionPool) -> bytes:
    """Return the shared counters as Prometheus reads them; nothing where the database does not answer."""
    try:
        async with pool.connection(timeout=2) as connection:
            found = await connection.execute("SELECT kind, stopped FROM circuit_breaker ORDER BY kind")
            rows = [(str(kind), int(stopped)) for kind, stopped in await found.fetchall()]
    except (DatabaseError, PoolTimeout):
        return b""
    registry = CollectorRegistry()
    registry.register(_Stopped(rows))
    return generate_latest(registry)
