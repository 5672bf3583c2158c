"""Bring a database to the newest migration, and say which migrations it lacks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.script.revision import RevisionError
from sqlalchemy import URL, Connection, NullPool, create_engine, text
from sqlalchemy.exc import OperationalError

from bot.store.errors import DatabaseUnavailable

_UPGRADE_LOCK = 7_265_676_101  # any number will do, as long as nothing else locks it


def upgrade(url: URL) -> None:
    """Apply every missing migration in one transaction; simultaneous calls wait for each other.

    Raises:
        DatabaseUnavailable: the server does not answer, or a newer version has been here.
    """
    with _connected(url) as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK})
        if _pending(connection):
            command.upgrade(config(connection), "head")


def pending_migrations(url: URL) -> list[str]:
    """Return the identifiers of the migrations that the database lacks, oldest first.

    Raises:
        DatabaseUnavailable: the server does not answer, or a newer version has been here.
    """
    with _connected(url) as connection:
        return _pending(connection)


def require_up_to_date(url: URL) -> None:
    """Raise DatabaseUnavailable where the server does not answer, or the database is not at our newest migration."""
    if pending_migrations(url):
        raise DatabaseUnavailable("The database is not up to date: run `rootcause db upgrade` first.")


def revisions() -> list[str]:
    """Return the identifiers of the migrations that this version knows, oldest first; each file bears its own."""
    return sorted(path.stem for path in Path(__file__).with_name("migrations").glob("versions/[0-9]*.py"))


def older_revisions() -> frozenset[str]:
    """Return all but the newest of them."""
    return frozenset(revisions()[:-1])


def config(connection: Connection) -> Config:
    """Return alembic's configuration for our migrations, to be run on this connection."""
    made = Config()
    made.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    made.set_main_option("path_separator", "os")
    made.attributes["connection"] = connection
    return made


@contextmanager
def _connected(url: URL) -> Iterator[Connection]:
    """Yield a connection inside a transaction that commits if all goes well."""
    try:
        connection = create_engine(url, poolclass=NullPool).connect()
    except OperationalError as error:
        reason = " ".join(str(error.orig).split())
        raise DatabaseUnavailable(
            f"The database does not answer: {reason}. Check DATABASE_URL and that the server runs."
        ) from error
    with connection, connection.begin():
        yield connection


def _pending(connection: Connection) -> list[str]:
    present = MigrationContext.configure(connection).get_current_heads()
    try:
        missing = list(ScriptDirectory.from_config(config(connection)).iterate_revisions("heads", present or "base"))
    except RevisionError as error:
        raise DatabaseUnavailable(
            f"The database was brought to {', '.join(present)} by a newer version of Rootcause, which this one does "
            "not know. Start that version, or use another database."
        ) from error
    return [script.revision for script in reversed(missing)]
