"""The way to the database: addresses, engine and sessions, on a given PostgreSQL or on the embedded one."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import psycopg
from psycopg.conninfo import make_conninfo
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine

from bot.settings import Settings
from bot.store.errors import DatabaseUnavailable
from bot.store.migrate import revisions, upgrade

if TYPE_CHECKING:
    from bot.store.embedded import EmbeddedServer

DRIVER = "postgresql+psycopg"

_SEARCH_PATH = "-csearch_path=public,procrastinate"
_NOTICES_A_DEAD_LINE = {
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
"""So that a server which vanished from the network is missed within some 25 s, not after the system's two hours."""

_POOL_SIZE = 5
_POOL_OVERFLOW = 15  # each of ten units of work may hold one connection and use another


@dataclass(frozen=True)
class Database:
    """An open database; addresses may hold a password and therefore never show in a representation."""

    url: URL = field(repr=False)
    conninfo: str = field(repr=False)
    engine: AsyncEngine
    sessions: async_sessionmaker[AsyncSession]
    embedded: EmbeddedServer | None
    """The embedded server, whose end must end the process; None on an external PostgreSQL."""


def normalise_url(address: str) -> URL:
    """Turn the addresses that platforms hand out into SQLAlchemy's, with our driver and the schemas we use.

    Raises:
        DatabaseUnavailable: it is no address, or not one of PostgreSQL.
    """
    try:
        url = make_url(address.strip())
        scheme = url.get_backend_name()
    except (ArgumentError, ValueError):
        raise DatabaseUnavailable(
            "DATABASE_URL is not an address; it should look like postgresql://user:password@host:5432/name."
        ) from None
    if scheme not in ("postgres", "postgresql"):
        raise DatabaseUnavailable(
            f"DATABASE_URL names {scheme}, but only PostgreSQL is supported: "
            "postgresql://user:password@host:5432/name. Leave DATABASE_URL out to use the embedded PostgreSQL."
        )
    options = _joined(url.query.get("options", ()), " ")
    if _SEARCH_PATH not in options:
        options = f"{options} {_SEARCH_PATH}".strip()
    return url.set(drivername=DRIVER, query={**_NOTICES_A_DEAD_LINE, **url.query, "options": options})


def conninfo(url: URL) -> str:
    """Return the same address for psycopg.

    Raises:
        DatabaseUnavailable: the address has a parameter that PostgreSQL does not know.
    """
    parts = {"host": url.host, "port": url.port, "user": url.username, "password": url.password, "dbname": url.database}
    query = {name: _joined(value, ",") for name, value in url.query.items()}
    try:
        return make_conninfo("", **{**parts, **query})
    except psycopg.ProgrammingError as error:
        raise DatabaseUnavailable(f"DATABASE_URL cannot be used: {error}") from None


def create_engine(url: URL) -> AsyncEngine:
    """Create the engine for everything but the hot path; a connection lost meanwhile is replaced before its use."""
    return create_async_engine(
        url,
        pool_size=_POOL_SIZE,
        max_overflow=_POOL_OVERFLOW,
        pool_pre_ping=True,
        hide_parameters=True,  # what people wrote must not stand in the log of an error
    )


def session_factory(engine: AsyncEngine) -> async_sessionmaker[AsyncSession]:
    """Create sessions whose rows stay readable after the commit."""
    return async_sessionmaker(engine, expire_on_commit=False)


@asynccontextmanager
async def open_database(url: URL, embedded: EmbeddedServer | None = None) -> AsyncIterator[Database]:
    """Open the database at a normalised address; connections are made when first needed."""
    engine = create_engine(url)
    try:
        yield Database(url, conninfo(url), engine, session_factory(engine), embedded)
    finally:
        await engine.dispose()


@asynccontextmanager
async def database(settings: Settings) -> AsyncIterator[Database]:
    """Open the database that the settings name, or start the embedded one and bring it to the newest migration.

    Raises:
        DatabaseUnavailable: a sentence that says why and what to do.
    """
    if settings.database_url:
        async with open_database(normalise_url(settings.database_url.get_secret_value())) as opened:
            yield opened
        return
    if sys.platform == "win32":
        raise DatabaseUnavailable(
            "The embedded PostgreSQL runs on Linux and macOS. On Windows use WSL, or set DATABASE_URL."
        )
    # The embedded server needs modules that Windows lacks.
    from bot.store.embedded import embedded_database

    async with embedded_database(settings.data_dir / "postgres") as server:
        url = normalise_url(server.url)
        await asyncio.to_thread(upgrade, url)
        async with open_database(url, server) as opened:
            yield opened


async def upgrade_database(settings: Settings) -> str:
    """Bring the database that the settings name to the newest migration, and return that one's identifier.

    Raises:
        DatabaseUnavailable: a sentence that says why and what to do.
    """
    async with database(settings) as opened:
        await asyncio.to_thread(upgrade, opened.url)
    return revisions()[-1]


def _joined(value: str | tuple[str, ...], separator: str) -> str:
    return value if isinstance(value, str) else separator.join(value)
