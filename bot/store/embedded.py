"""The embedded PostgreSQL: any number of processes enter, the first starts the server, the last one stops it.

Everything lies in one private folder. The socket lies in the data directory; a path too long for a socket's address (or
one that an address cannot spell) is reached through a link in a private temporary folder.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import structlog
from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping
from sqlalchemy import URL

from bot.store.embedded_cluster import DATABASE_USER
from bot.store.embedded_folder import Folder, open_folder
from bot.store.embedded_server import START_SECONDS, start_server, stop_server
from bot.store.errors import DatabaseUnavailable

_DATABASE = "postgres"
_PORT = "5432"  # said aloud, or PGPORT of the surroundings would count
_ADDRESS_BYTES = 103  # the smallest limit among the systems served: macOS, less the closing zero
_WATCH_SECONDS = 0.5

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class EmbeddedServer:
    """A running server that stays up at least as long as the context that yielded it."""

    folder: Folder
    socket_folder: Path
    start: str
    """What PostgreSQL wrote down about this start: process number, data directory and time."""

    @property
    def url(self) -> str:
        """The address for SQLAlchemy; it holds no secret."""
        query = {"host": str(self.socket_folder), "port": _PORT}
        url = URL.create("postgresql+psycopg", username=DATABASE_USER, database=_DATABASE, query=query)
        return url.render_as_string(hide_password=False)

    @property
    def conninfo(self) -> str:
        """The address for psycopg; it holds no secret."""
        return _conninfo(self.socket_folder)

    @property
    def is_alive(self) -> bool:
        """Whether the server of this very start still runs, and its folder is still there."""
        try:
            return self.folder.server_lives() and _read_start(self.folder) == self.start
        except FileNotFoundError:
            return False

    async def wait_dead(self) -> None:
        """Return when the server has gone; a process that depends on it should then end with an error."""
        while self.is_alive:  # noqa: ASYNC110 - the kernel offers no event for a lock that another process frees
            await asyncio.sleep(_WATCH_SECONDS)


@contextmanager
def embedded_server(path: Path) -> Iterator[EmbeddedServer]:
    """Start or join the server whose files are in the folder `path`; the last to leave stops it.

    Raises:
        DatabaseUnavailable: a sentence that says why and what to do.
    """
    with ExitStack() as stack:
        try:
            server = _join(path, stack)
        except OSError as error:
            raise DatabaseUnavailable(
                f"The embedded database in {path} cannot be used: {error}. Check the folder and the space on its disk, "
                "or set ROOTCAUSE_DATA_DIR to a folder of your own."
            ) from error
        yield server


@asynccontextmanager
async def embedded_database(path: Path) -> AsyncIterator[EmbeddedServer]:
    """Do as `embedded_server` without holding up the event loop; a cancellation meanwhile leaves nothing behind."""
    context = embedded_server(path)
    joining = asyncio.ensure_future(asyncio.to_thread(context.__enter__))
    try:
        server = await asyncio.shield(joining)
    except asyncio.CancelledError:
        with contextlib.suppress(DatabaseUnavailable):
            await joining
            await asyncio.to_thread(context.__exit__, None, None, None)
        raise
    try:
        yield server
    finally:
        await asyncio.shield(asyncio.to_thread(context.__exit__, None, None, None))


def _join(path: Path, stack: ExitStack) -> EmbeddedServer:
    folder = open_folder(path)
    socket_folder = stack.enter_context(_reachable(folder.cluster))
    with folder.transition(), ExitStack() as failing:
        failing.callback(_leave_within_transition, folder, folder.register_user())
        if not _answers(folder, _conninfo(socket_folder)):
            start_server(folder)
        server = EmbeddedServer(folder, socket_folder, _read_start(folder))
        leaving = failing.pop_all()
    stack.callback(_leave, folder, leaving)
    return server


def _leave(folder: Folder, leaving: ExitStack) -> None:
    try:
        with folder.transition():
            leaving.close()
    except FileNotFoundError:  # removed under our feet; PostgreSQL ends by itself within about a minute of that
        log.warning("embedded_database_removed", folder=str(folder.path))


def _leave_within_transition(folder: Folder, user: int) -> None:
    os.close(user)
    if not folder.has_users():
        stop_server(folder)


def _answers(folder: Folder, conninfo: str) -> bool:
    """Wait for a server that lives until it answers, and say whether there is one."""
    deadline = time.monotonic() + START_SECONDS
    while folder.server_lives():
        if PGconn.ping(conninfo.encode()) == Ping.OK:
            return True
        if time.monotonic() > deadline:
            raise DatabaseUnavailable(
                f"The embedded PostgreSQL in {folder.path} runs but has not answered for {START_SECONDS} seconds. "
                f"Its log is {folder.cluster / 'server.log'}."
            )
        time.sleep(0.05)
    return False


def _conninfo(socket_folder: Path) -> str:
    return make_conninfo(host=str(socket_folder), port=_PORT, user=DATABASE_USER, dbname=_DATABASE)


def _read_start(folder: Folder) -> str:
    """Return the first three lines of PostgreSQL's own note.

    Raises:
        FileNotFoundError: no server runs.
    """
    return os.fsdecode(b"\n".join((folder.cluster / "postmaster.pid").read_bytes().split(b"\n")[:3]))


@contextmanager
def _reachable(cluster: Path) -> Iterator[Path]:
    """Yield a path to the socket's folder that fits into an address, or a private link with such a path."""
    if _fits(cluster):
        yield cluster
        return
    places = (Path(tempfile.gettempdir()), Path("/tmp"))  # noqa: S108 - mkdtemp makes a private folder in it
    place = next((place for place in places if _fits(place / "rootcause-12345678" / "cluster")), places[-1])
    with tempfile.TemporaryDirectory(prefix="rootcause-", dir=place) as private:
        link = Path(private, "cluster")
        link.symlink_to(cluster)
        yield link


def _fits(socket_folder: Path) -> bool:
    text = str(socket_folder)
    # libpq reads a comma as a list of hosts; bytes that are no text cannot be spelled in an address.
    spelled = text.isprintable() and "," not in text
    return spelled and len(os.fsencode(socket_folder / f".s.PGSQL.{_PORT}")) <= _ADDRESS_BYTES
