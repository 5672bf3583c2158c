"""The one writer of deliveries: commits whatever is waiting in a single statement, row and job together."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
import structlog
from psycopg import AsyncConnection, DataError, IntegrityError, InterfaceError, OperationalError
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from bot.deliveries import Arrival
from bot.queue import LATER_PRIORITY, NOW_PRIORITY

log = structlog.get_logger(__name__)

REFUSED = (DataError, IntegrityError, UnicodeEncodeError)
"""What a row's own content brings about; everything else says something about the database."""

_MOST_AT_ONCE = 200
_MOST_CHARACTERS_AT_ONCE = 16 * 1024 * 1024
_CONNECTION_SECONDS = 4.0
"""GitHub waits 10 s for an answer; this leaves time for the batch before to find the database away as well."""

# A delivery that failed for good runs again when GitHub sends it again; any other one is already known. Of each unit
# one job waits to start now, and one later: the one that waits is locked, so it cannot start before this commit. It is
# looked for in a way that leaves the planner no index but that of locks, however stale its statistics are in a burst.
# Texts go over in binary form: as lists in text form they are quoted one character after the other, which costs more
# than all the rest of storing.
_STORE: LiteralString = """
WITH incoming AS (
    SELECT * FROM unnest(
        %(guids)b::text[], %(units)b::text[], %(events)b::text[], %(actions)b::text[], %(installations)s::bigint[],
        %(repositories)s::bigint[], %(numbers)s::int[], %(senders)s::bigint[], %(payloads)b::text[], %(delays)s::float[]
    ) AS row(guid, unit, event, action, installation_id, repository_id, number, sender_id, payload, delay)
), stored AS (
    INSERT INTO delivery (guid, unit, event, action, installation_id, repository_id, number, sender_id, payload,
                          state, attempts, received_at, not_before)
    SELECT guid, unit, event, action, installation_id, repository_id, number, sender_id, payload,
           'waiting', 0, now(), now() + make_interval(secs => delay)
    FROM incoming
    ON CONFLICT (guid) DO UPDATE SET state = 'waiting', attempts = 0, error = NULL, not_before = now()
        WHERE delivery.state = 'failed'
    RETURNING unit, not_before, not_before > now() AS later
), wanted AS (
    SELECT unit, CASE WHEN later THEN %(later_priority)s ELSE %(now_priority)s END AS priority,
           CASE WHEN later THEN min(not_before) END AS scheduled_at
    FROM stored GROUP BY unit, later
), waiting AS (
    SELECT job.id, job.lock, job.priority FROM wanted CROSS JOIN LATERAL (
        SELECT id, lock, priority FROM procrastinate_jobs
        WHERE lock = wanted.unit AND priority = wanted.priority AND task_name = 'process'
          AND status IN ('todo', 'doing') AND status <> 'doing'
        FOR UPDATE SKIP LOCKED
    ) AS job
), moved AS (
    UPDATE procrastinate_jobs AS job SET scheduled_at = wanted.scheduled_at
    FROM wanted JOIN waiting ON waiting.lock = wanted.unit AND waiting.priority = wanted.priority
    WHERE job.id = waiting.id AND job.scheduled_at > wanted.scheduled_at
)
SELECT procrastinate_defer_jobs_v1(array_agg(ROW(
    'live', 'process', priority, unit, NULL, jsonb_build_object('unit', unit), scheduled_at
)::procrastinate_job_to_defer_v1))
FROM wanted WHERE (unit, priority) NOT IN (SELECT lock, priority FROM waiting)
"""


@dataclass(frozen=True)
class _Waiting:
    arrival: Arrival
    stored: asyncio.Future[None]


class Ingest:
    """Stores deliveries durably; `store` returns once the row and its job are committed.

    `settle_seconds` is the delay of closings. `pool` is an autocommit psycopg pool with `procrastinate` on its
    search path.
    """

    def __init__(self, pool: AsyncConnectionPool, settle_seconds: float) -> None:
        self._pool = pool
        self._settle_seconds = settle_seconds
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue()
        self._connection: AsyncConnection[TupleRow] | None = None

    async def store(self, arrival: Arrival) -> None:
        """Wait until the delivery is committed; raises one of `REFUSED`, or what shows the database to be away."""
        waiting = _Waiting(arrival, asyncio.get_running_loop().create_future())
        self._queue.put_nowait(waiting)
        await waiting.stored

    async def run(self) -> None:
        """Commit what is waiting, as long as the process lives; no timer: a batch is what came during the last."""
        try:
            while True:
                batch = [await self._queue.get()]
                size = len(batch[0].arrival.payload)
                while not self._queue.empty() and len(batch) < _MOST_AT_ONCE and size < _MOST_CHARACTERS_AT_ONCE:
                    batch.append(self._queue.get_nowait())
                    size += len(batch[-1].arrival.payload)
                await self._commit(batch)
        finally:
            await self._let_go()

    async def _commit(self, batch: list[_Waiting]) -> None:
        try:
            await self._execute([item.arrival for item in batch])
        except REFUSED as error:
            if len(batch) == 1:
                _fail(batch, error)
                return
            for item in batch:
                await self._commit([item])
        except (psycopg.Error, OSError) as error:
            await self._let_go()
            log.warning("deliveries not stored", deliveries=len(batch), error=type(error).__name__)
            _fail(batch, error)
        else:
            for item in batch:
                if not item.stored.done():
                    item.stored.set_result(None)

    async def _execute(self, arrivals: list[Arrival]) -> None:
        # One statement may touch a row once, so the same GUID twice in a batch counts once.
        rows = list({arrival.guid: arrival for arrival in arrivals}.values())
        parameters = {
            "guids": [row.guid for row in rows],
            "units": [row.unit for row in rows],
            "events": [row.event for row in rows],
            "actions": [row.action for row in rows],
            "installations": [row.installation_id for row in rows],
            "repositories": [row.repository_id for row in rows],
            "numbers": [row.number for row in rows],
            "senders": [row.sender_id for row in rows],
            "payloads": [row.payload for row in rows],
            "delays": [self._settle_seconds if row.settles else 0.0 for row in rows],
            "now_priority": NOW_PRIORITY,
            "later_priority": LATER_PRIORITY,
        }
        is_new = self._connection is None
        try:
            await (await self._taken()).execute(_STORE, parameters)
        except (OperationalError, InterfaceError):
            # It may have broken since the last batch; what was committed all the same is known by its GUIDs.
            await self._let_go()
            if is_new:
                raise
            await (await self._taken()).execute(_STORE, parameters)

    async def _taken(self) -> AsyncConnection[Any]:
        """Return the one connection that is kept: having the pool check one for each batch costs a tenth of it all."""
        if self._connection is None:
            self._connection = await self._pool.getconn(_CONNECTION_SECONDS)
        return self._connection

    async def _let_go(self) -> None:
        """Give the connection back; the pool replaces it where it is broken."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await self._pool.putconn(connection)


def _fail(batch: list[_Waiting], error: BaseException) -> None:
    for item in batch:
        if not item.stored.done():
            item.stored.set_exception(error)
