"""What every test may ask for."""

from __future__ import annotations

import tests.support.compiled  # noqa: F401 - before anything that it keeps compiled

# isort: split

import logging
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psycopg
import pytest
import structlog
from psycopg import sql
from sqlalchemy import URL, make_url
from sqlalchemy.ext.asyncio import AsyncEngine

import bot.working
from bot.secrecy import SECRECY
from bot.store.database import Database, conninfo, create_engine, normalise_url, session_factory
from bot.store.embedded import EmbeddedServer, embedded_server
from bot.store.migrate import upgrade

pytest_plugins = ("tests.support.parts", "tests.support.secrecy")

# --- database: one server a run, one migrated template, a database of its own for each test that asks ---

_TEMPLATE, _OWN, _EMPTY = "rootcause_template", "rootcause_test", "rootcause_test_empty"
_MEMORY = Path("/dev/shm")  # noqa: S108 - a private folder is made in it
_MEMORY_NEEDED = 2**30
_LOGGER = type(structlog.get_logger())


def _in_database(server: EmbeddedServer, name: str) -> str:
    return make_url(server.url).set(database=name).render_as_string(hide_password=False)


@dataclass(frozen=True)
class Databases:
    """Makes and drops databases of one server over one connection."""

    connection: psycopg.Connection

    def create(self, name: str, template: str) -> None:
        """Copy a template file by file, which takes half as long as writing each page into the log."""
        self._execute("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY", name, template)

    def drop(self, name: str) -> None:
        """Remove a database, whoever is still connected to it."""
        self._execute("DROP DATABASE {} WITH (FORCE)", name)

    def _execute(self, statement: str, *names: str) -> None:
        self.connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


@cache
def _engine(url: URL) -> AsyncEngine:
    """Keep an engine, without any connection, over the run: with it stays what each statement was compiled to."""
    return create_engine(url)


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
def databases(database_server: EmbeddedServer) -> Iterator[Databases]:
    """Makes and drops databases of the run's own server."""
    with psycopg.connect(database_server.conninfo, autocommit=True) as connection:
        yield Databases(connection)


@pytest.fixture(scope="session")
def database_template(database_server: EmbeddedServer, databases: Databases) -> str:
    """A database at the newest migration, made once a run to be copied."""
    databases.create(_TEMPLATE, "template0")
    upgrade(normalise_url(_in_database(database_server, _TEMPLATE)))
    return _TEMPLATE


@pytest.fixture
def empty_database_url(database_server: EmbeddedServer, databases: Databases) -> Iterator[str]:
    """The address of a database of this test's own, without any table."""
    databases.create(_EMPTY, "template0")
    yield _in_database(database_server, _EMPTY)
    databases.drop(_EMPTY)


@pytest.fixture
def database_url(database_server: EmbeddedServer, databases: Databases, database_template: str) -> Iterator[str]:
    """The address of a database of this test's own, at the newest migration and empty."""
    databases.create(_OWN, database_template)
    yield _in_database(database_server, _OWN)
    databases.drop(_OWN)


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """An open database of this test's own, at the newest migration and empty."""
    url = normalise_url(database_url)
    engine = _engine(url)
    yield Database(url, conninfo(url), engine, session_factory(engine), None)
    await engine.dispose()


# --- everything else ---


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine, no command tells a test that it is still at work."""
    monkeypatch.setattr(bot.working, "_FIRST_LINE_SECONDS", 600.0)


@pytest.fixture(autouse=True)
def logs_as_they_were() -> Iterator[None]:
    """Give the logs back after a test: a command that ran in this process sent them to a stream that is closed now."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    hidden = vars(SECRECY).copy()
    yield
    vars(SECRECY).update(hidden)
    root.handlers[:] = handlers
    root.setLevel(level)
    if structlog.is_configured():
        structlog.reset_defaults()
        modules = [vars(one) for name, one in sys.modules.items() if name.startswith("bot.")]
        for logger in (one for module in modules for one in (module.get("log"), module.get("_log"))):
            # One that was used meanwhile keeps what it was bound to, out of reach of `capture_logs`.
            if isinstance(logger, _LOGGER):
                vars(logger).pop("bind", None)


# --- figures: what a test measured is printed at the end of the run, whichever process ran it ---


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            for name, value in report.user_properties:
                if name == "figures":
                    terminalreporter.write_sep("-", report.nodeid)
                    terminalreporter.write_line(str(value))
