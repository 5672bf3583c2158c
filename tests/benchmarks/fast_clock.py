"""A time that runs many times faster, the same for processes, the local GitHub and the database.

Run `python -m tests.benchmarks.fast_clock web|worker`: it runs that part of Rootcause by such a clock, whose start
(seconds since 1970) and speed stand in `FAST_CLOCK_START` and `FAST_CLOCK_SPEED`. Every delay and every window of a
limit then takes its time divided by the speed, while what is computed takes what it takes.
"""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass
from datetime import UTC, datetime

import psycopg

from bot.clock import SystemClock
from bot.logs import configure_logs
from bot.processes import run
from bot.settings import Settings

START, SPEED = "FAST_CLOCK_START", "FAST_CLOCK_SPEED"
SEARCH_PATH = "-csearch_path=public,procrastinate -csearch_path=fast,pg_catalog,public,procrastinate"
"""Connection options by which a database goes by the fast time, once `hasten` was called."""

# The schema stands before PostgreSQL's own in the search path, so that these are what every statement asks.
_HASTEN = """
CREATE SCHEMA fast;
CREATE FUNCTION fast.moment(told timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
    'SELECT to_timestamp({start}) + (told - to_timestamp({start})) * {speed}';
CREATE FUNCTION fast.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT fast.moment(pg_catalog.now())';
CREATE FUNCTION fast.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE AS
    'SELECT fast.moment(pg_catalog.statement_timestamp())';
CREATE FUNCTION fast.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    'SELECT fast.moment(pg_catalog.clock_timestamp())';
"""


@dataclass(frozen=True)
class FastClock(SystemClock):
    """The machine's clock, `speed` times as fast since `start` (UTC)."""

    start: datetime
    speed: float

    def now(self) -> datetime:
        return self.start + (datetime.now(UTC) - self.start) * self.speed

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self.speed)

    def environment(self) -> dict[str, str]:
        """Return what tells another process of this clock."""
        return {START: repr(self.start.timestamp()), SPEED: repr(self.speed)}

    async def hasten(self, conninfo: str) -> None:
        """Give a database this clock's time, for connections with `SEARCH_PATH`."""
        async with await psycopg.AsyncConnection.connect(conninfo, autocommit=True) as connection:
            statements = _HASTEN.format(start=repr(self.start.timestamp()), speed=repr(self.speed))
            await connection.execute(statements.encode())


def clock_of_environment() -> FastClock:
    """Return the clock that the process which started this one goes by."""
    start = datetime.fromtimestamp(float(os.environ[START]), UTC)
    return FastClock(start, float(os.environ[SPEED]))


if __name__ == "__main__":
    configure_logs(json_lines=True)
    part = sys.argv[1]
    asyncio.run(run(Settings(), with_web=part == "web", with_worker=part == "worker", clock=clock_of_environment()))
