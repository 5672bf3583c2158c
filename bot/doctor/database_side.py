"""Looks at the database: whether it answers, its version, a pooler in between, migrations, and what waits in it."""

from __future__ import annotations

import asyncio
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow
from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError

from bot.doctor.database_judging import (
    Queue,
    judge_connection,
    judge_migrations,
    judge_pooler,
    judge_queue,
    judge_version,
)
from bot.doctor.finding import Finding
from bot.settings import Settings
from bot.store.database import conninfo, normalise_url
from bot.store.errors import DatabaseUnavailable
from bot.store.migrate import pending_migrations

_CONNECT_SECONDS = 10
_HEARING_SECONDS = 2.0
_ADDRESS = "Correct DATABASE_URL: user, password, host, port and name as the server has them."
_EMBEDDED = (
    "Let {folder} be a folder of the user that runs Rootcause (`chown`), on a disk with room; `cluster/server.log` in "
    "it says what the server met. Or set ROOTCAUSE_DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL server."
)

_QUEUE = """
    WITH due_job AS (
        SELECT coalesce(job.scheduled_at, (
            SELECT max(at) FROM procrastinate_events
            WHERE job_id = job.id AND type IN ('deferred', 'deferred_for_retry', 'retried')
        )) AS since
        FROM procrastinate_jobs AS job
        WHERE queue_name = 'live' AND status = 'todo' AND coalesce(scheduled_at, now()) <= now()
    )
    SELECT (SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - make_interval(secs => %(alive)s)),
           count(*) FILTER (WHERE state = 'waiting' AND not_before <= now()),
           extract(epoch FROM now() - min(not_before) FILTER (WHERE state = 'waiting' AND not_before <= now()))::float,
           count(*) FILTER (WHERE state = 'failed'),
           min(received_at) FILTER (WHERE state = 'failed'),
           (SELECT count(*) FROM procrastinate_jobs WHERE status IN ('failed', 'aborted')),
           (SELECT max(id) FROM procrastinate_jobs WHERE status IN ('failed', 'aborted')),
           (SELECT count(*) FROM due_job),
           (SELECT extract(epoch FROM now() - min(since))::float FROM due_job)
    FROM delivery WHERE state IN ('waiting', 'failed')
"""
_ALIVE_SECONDS = 60.0


async def look_at_database(settings: Settings) -> list[Finding]:
    """Return what the database says; the embedded one is joined as it is, or started for as long as this takes."""
    try:
        async with _address(settings) as url:
            if url is None:
                said = f"The embedded one in {settings.data_dir} has not been made yet: `rootcause serve` makes it."
                return [Finding("database", "fine", said)]
            return await _look(url, settings)
    except DatabaseUnavailable as error:
        embedded = settings.database_url is None
        cure = _EMBEDDED.format(folder=settings.data_dir.absolute() / "postgres") if embedded else _ADDRESS
        return [Finding("database", "wrong", str(error), cure)]


@asynccontextmanager
async def _address(settings: Settings) -> AsyncIterator[URL | None]:
    """Yield the database's address; None where it is the embedded one and there is none. Nothing is upgraded."""
    if settings.database_url is not None:
        yield normalise_url(settings.database_url.get_secret_value())
    elif not (settings.data_dir / "postgres").exists():
        yield None
    elif sys.platform == "win32":
        raise DatabaseUnavailable("The embedded PostgreSQL runs on Linux and macOS: use WSL, or set DATABASE_URL.")
    else:
        # The embedded server needs modules that Windows lacks.
        from bot.store.embedded import embedded_database

        async with embedded_database(settings.data_dir / "postgres") as server:
            yield normalise_url(server.url)


async def _look(url: URL, settings: Settings) -> list[Finding]:
    address = make_conninfo(conninfo(url), connect_timeout=_CONNECT_SECONDS)
    try:
        hearing = await AsyncConnection.connect(address, autocommit=True)
    except psycopg.Error as error:
        return [judge_connection(str(error))]
    async with hearing:
        found = [Finding("database", "fine", "It answers."), judge_version(hearing.info.server_version)]
        try:
            async with await AsyncConnection.connect(address) as telling:
                found.append(judge_pooler(changed=not await _keeps_its_session(hearing, telling)))
        except (psycopg.Error, TimeoutError) as error:
            cure = "See that two more connections are free, in the server's max_connections and in a pooler before it."
            found.append(Finding("pooler", "unknown", f"It could not be tried: {_words(error)}.", cure))
        try:
            pending = await asyncio.to_thread(pending_migrations, url)
            found.append(judge_migrations(pending, embedded=settings.database_url is None))
            if not pending:
                found += judge_queue(await _queue(hearing, settings), embedded=settings.database_url is None)
        except DatabaseUnavailable as error:
            cure = "Start that newer version, or name another database in DATABASE_URL."
            found.append(Finding("migrations", "wrong", str(error), cure))
        except (psycopg.Error, SQLAlchemyError) as error:
            cure = "Let the user in DATABASE_URL own the database and all in it."
            found.append(Finding("migrations", "unknown", f"They cannot be read: {_words(error)}.", cure))
    return found


async def _keeps_its_session(hearing: AsyncConnection[TupleRow], telling: AsyncConnection[TupleRow]) -> bool:
    """Tell whether a connection stays with one server process: it hears what another tells it, in one process.

    While the other holds a transaction, a pooler that hands out server connections by transaction has to give this
    one another than before, or none.
    """
    channel = sql.Identifier(f"rootcause_doctor_{uuid.uuid4().hex}")
    before = await _process(hearing)
    await hearing.execute(sql.SQL("LISTEN {}").format(channel))
    async with asyncio.timeout(_HEARING_SECONDS * 2), telling.transaction():
        await telling.execute(sql.SQL("NOTIFY {}").format(channel))
        after = await _process(hearing)
    if before != after:
        return False
    async for _ in hearing.notifies(timeout=_HEARING_SECONDS, stop_after=1):
        return True
    return False


async def _process(connection: AsyncConnection[TupleRow]) -> int:
    row = await (await connection.execute("SELECT pg_backend_pid()")).fetchone()
    return int(row[0]) if row is not None else 0


async def _queue(connection: AsyncConnection[TupleRow], settings: Settings) -> Queue:
    alive = max(_ALIVE_SECONDS, settings.stalled_after_seconds)
    row = await (await connection.execute(_QUEUE, {"alive": alive})).fetchone()
    return Queue(*row) if row is not None else Queue(0, 0, None, 0, None)


def _words(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__
