"""Whether the process can work, asked by anybody as often as they like: one question to the database serves all."""

from __future__ import annotations

import asyncio

from aiohttp import web
from psycopg import Error as DatabaseError
from psycopg.errors import UndefinedTable
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from bot.store.migrate import older_revisions

_SECONDS = 2.0


class Readiness:
    """Asks the database whether it answers and is up to date; whoever comes meanwhile waits for the same answer."""

    def __init__(self, pool: AsyncConnectionPool) -> None:
        self._pool = pool
        self._asking: asyncio.Task[str | None] | None = None
        self._older = older_revisions()
        self._stopping = False

    async def stop(self, _: web.Application) -> None:
        """Be ready no more: who is connected yet sends nothing new here."""
        self._stopping = True

    async def lacking(self) -> str | None:
        """Return what keeps the process from working, asked within 2 s; None where nothing does."""
        if self._stopping:
            return "the process is stopping"
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        # Shielded, since one asker who hangs up must not take the answer from the others.
        return await asyncio.shield(self._asking)

    async def _ask(self) -> str | None:
        try:
            async with asyncio.timeout(_SECONDS), self._pool.connection(timeout=_SECONDS) as connection:
                found = await connection.execute("SELECT version_num FROM alembic_version")
                present = {str(version) for (version,) in await found.fetchall()}
        except UndefinedTable:
            present = set()
        except (DatabaseError, PoolTimeout, TimeoutError):
            return "the database does not answer"
        # One that a newer version of Rootcause brought further is no reason: this process goes on until it is replaced.
        return "the database is not up to date: run `rootcause db upgrade`" if present <= self._older else None
