"""What every test may ask for."""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest
import structlog
from psycopg import sql
from sqlalchemy import make_url

from bot.store.database import Database, normalise_url, open_database
from bot.store.embedded import EmbeddedServer, embedded_server
from bot.store.migrate import upgrade

# --- database: one server a run, one migrated template, a database of its own for each test that asks ---

_TEMPLATE = "rootcause_template"
_MEMORY = Path("/dev/shm")  # noqa: S108 - a private folder is made in it
_MEMORY_NEEDED = 2**30
_numbers = count(1)


def _in_database(server: EmbeddedServer, name: str) -> str:
    return make_url(server.url).set(database=name).render_as_string(hide_password=False)


def _execute(server: EmbeddedServer, statement: str, *names: str) -> None:
    with psycopg.connect(server.conninfo, autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    roomy = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free >= _MEMORY_NEEDED
    with tempfile.TemporaryDirectory(prefix="rootcause-tests-", dir=_MEMORY if roomy else None) as folder:
        yield Path(folder)


@pytest.fixture
def memory_folder() -> Iterator[Path]:
    """A folder for one test that needs an embedded database to itself, in memory where there is room."""
    with _temporary_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def database_server() -> Iterator[EmbeddedServer]:
    """The run's own server, in memory where there is room; it stops with the run."""
    with _temporary_folder() as folder, embedded_server(folder / "postgres") as server:
        yield server


@pytest.fixture(scope="session")
def database_template(database_server: EmbeddedServer) -> str:
    """A database at the newest migration, made once a run to be copied."""
    _execute(database_server, "CREATE DATABASE {}", _TEMPLATE)
    upgrade(normalise_url(_in_database(database_server, _TEMPLATE)))
    return _TEMPLATE


@pytest.fixture
def empty_database_url(database_server: EmbeddedServer) -> Iterator[str]:
    """The address of a database of this test's own, without any table."""
    name = f"test_{next(_numbers)}"
    _execute(database_server, "CREATE DATABASE {} TEMPLATE template0", name)
    yield _in_database(database_server, name)
    _execute(database_server, "DROP DATABASE {} WITH (FORCE)", name)


@pytest.fixture
def database_url(database_server: EmbeddedServer, database_template: str) -> Iterator[str]:
    """The address of a database of this test's own, at the newest migration and empty."""
    name = f"test_{next(_numbers)}"
    _execute(database_server, "CREATE DATABASE {} TEMPLATE {}", name, database_template)
    yield _in_database(database_server, name)
    _execute(database_server, "DROP DATABASE {} WITH (FORCE)", name)


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """An open database of this test's own, at the newest migration and empty."""
    async with open_database(normalise_url(database_url)) as opened:
        yield opened


# --- everything else ---


@pytest.fixture(autouse=True)
def logs_as_they_were() -> Iterator[None]:
    """Give the logs back after a test: a command that ran in this process sent them to a stream that is closed now."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()
