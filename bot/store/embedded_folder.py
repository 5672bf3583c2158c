"""The private folder of an embedded database, and the three locks by which its processes agree.

All three are `flock` locks: the kernel drops them when their holder ends, however it ends. So nothing has to be pruned
after a `kill -9`, a recycled process number means nothing, and containers that share the folder see each other.

- `transition.lock`: held alone while the server is started or stopped.
- `users.lock`: shared by every process that uses the server.
- `server.lock`: handed to the server's first process and inherited by the rest; free when the last of them has gone.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.store.errors import DatabaseUnavailable

_PRIVATE_FOLDER = 0o700
_PRIVATE_FILE = 0o600


@dataclass(frozen=True)
class Folder:
    """A folder that belongs to this user alone; get one by `open_folder`."""

    path: Path

    @property
    def cluster(self) -> Path:
        """PostgreSQL's own data directory; it also holds the socket and the server's log."""
        return self.path / "cluster"

    @contextmanager
    def transition(self) -> Iterator[None]:
        """Wait for, then hold, the right to start or stop the server."""
        descriptor = self._open("transition.lock")
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def register_user(self) -> int:
        """Count this process among the users until the descriptor returned is closed; call within `transition`."""
        descriptor = self._open("users.lock")
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        return descriptor

    def has_users(self) -> bool:
        """Tell whether any living process uses the server; call within `transition`."""
        return self._is_held("users.lock", fcntl.LOCK_EX)

    @contextmanager
    def server_lock(self) -> Iterator[int]:
        """Yield the descriptor that the server inherits; call within `transition`, while no server lives.

        Closing our copy does not free the lock as long as a process that inherited it lives.
        """
        descriptor = self._open("server.lock")
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield descriptor
        finally:
            os.close(descriptor)

    def server_lives(self) -> bool:
        """Tell whether any process of the server, or of its creation, is still there."""
        return self._is_held("server.lock", fcntl.LOCK_SH)

    def _open(self, name: str) -> int:
        return os.open(self.path / name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, _PRIVATE_FILE)

    def _is_held(self, name: str, mode: int) -> bool:
        descriptor = self._open(name)
        try:
            fcntl.flock(descriptor, mode | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        else:
            return False
        finally:
            os.close(descriptor)


def open_folder(path: Path) -> Folder:
    """Create the folder if need be, and the one that it is to be in, and make sure that it is ours alone.

    Raises:
        DatabaseUnavailable: it is no folder, or it belongs to another user.
        OSError: the system refuses; the caller turns this into a sentence.
    """
    path = path.resolve()
    path.parent.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    path.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
    status = path.lstat()
    if status.st_uid != os.geteuid():
        raise DatabaseUnavailable(
            f"The database folder {path} belongs to another user (user id {status.st_uid}). "
            "Run the program as that user, or set ROOTCAUSE_DATA_DIR to a folder of your own."
        )
    if stat.S_IMODE(status.st_mode) != _PRIVATE_FOLDER:
        path.chmod(_PRIVATE_FOLDER)
    return Folder(path)
