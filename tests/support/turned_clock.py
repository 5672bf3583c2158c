"""One virtual clock for the bot, the local GitHub and the database: `now()` in SQL says what the clock says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, LiteralString

import psycopg
from sqlalchemy.ext.asyncio import create_async_engine

from bot.store.database import Database, conninfo, normalise_url, session_factory
from tests.support.clock import VirtualClock

# The schema stands before PostgreSQL's own in the search path, so that every `now()`, the queue's too, is this one.
_SHADOW = """
CREATE SCHEMA turned;
CREATE TABLE turned.clock (moment timestamptz NOT NULL);
CREATE FUNCTION turned.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT moment FROM turned.clock';
CREATE FUNCTION turned.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
    AS 'SELECT moment FROM turned.clock';
"""
_PATH, _SHADOWED_PATH = "search_path=public", "search_path=turned,pg_catalog,public"


class TurnedClock(VirtualClock):
    """A `Clock` that moves only when somebody sleeps or moves it, and the database's `now()` with it."""

    def __init__(self, start: datetime, connection: psycopg.AsyncConnection) -> None:
        super().__init__(start)
        self._connection = connection

    async def sleep(self, seconds: float) -> None:
        """Move the clock to the end of the sleep."""
        await super().sleep(seconds)
        await self._tell()

    async def move_to(self, moment: datetime) -> None:
        """Move the clock on to a moment; it never goes back."""
        if moment > self._now:
            self._now = moment
            await self._tell()

    async def ask(self, question: LiteralString) -> tuple[Any, ...]:
        """Return the one row that answers a question to the database."""
        row: tuple[Any, ...] | None = await (await self._connection.execute(question)).fetchone()
        assert row is not None
        return row

    async def _tell(self) -> None:
        await self._connection.execute("UPDATE turned.clock SET moment = %s", (self._now,))


@asynccontextmanager
async def turned_database(address: str, start: datetime) -> AsyncIterator[tuple[Database, TurnedClock]]:
    """Open a migrated database whose `now()` follows the clock that comes with it."""
    url = normalise_url(address)
    options = str(url.query["options"]).replace(_PATH, _SHADOWED_PATH)
    url = url.update_query_dict({"options": options})
    engine = create_async_engine(url, hide_parameters=True)  # without the ping before each use, a fifth of a month
    try:
        async with await psycopg.AsyncConnection.connect(conninfo(url), autocommit=True) as connection:
            await connection.execute(_SHADOW)
            await connection.execute("INSERT INTO turned.clock VALUES (%s)", (start,))
            database = Database(url, conninfo(url), engine, session_factory(engine), None)
            yield database, TurnedClock(start, connection)
    finally:
        await engine.dispose()
