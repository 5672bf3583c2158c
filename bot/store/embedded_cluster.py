"""The files of an embedded database: made by initdb, owned by whoever runs the server, open to one account.

PostgreSQL refuses to run as root. Root's server therefore runs under a user id that no account and no process has, and
needs no change to any folder above its own: it starts inside its data directory and knows it only as `/proc/self/cwd`.
Nobody but root can reach the socket, and the server asks the kernel who is calling (`peer`): there is no password.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
from pathlib import Path

import psutil

from bot.store.embedded_folder import Folder
from bot.store.embedded_programs import POSTGRES_MAJOR, run_as
from bot.store.errors import DatabaseUnavailable

DATABASE_USER = "rootcause"

_UNASSIGNED_USERS = range(61_184, 65_520)  # systemd's range for users without an account, free elsewhere as well
_INITDB_OPTIONS = (
    f"--username={DATABASE_USER}",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--auth-local=peer",
    "--auth-host=reject",
)
_LINES_SHOWN = 5


def server_user(folder: Folder) -> int | None:
    """Return the user id for root's server (the cluster's owner, or a free one), or None if we are not root.

    Raises:
        DatabaseUnavailable: root has no `/proc` here to start the server by.
    """
    if os.geteuid() != 0:
        return None
    if not Path("/proc/self/cwd").exists():
        raise DatabaseUnavailable(
            "On this system root cannot run the embedded PostgreSQL. "
            "Run the program as an ordinary user, or set DATABASE_URL to a PostgreSQL server."
        )
    owner = folder.cluster.stat().st_uid if folder.cluster.exists() else 0
    if owner != 0:
        return owner
    taken = {account.pw_uid for account in pwd.getpwall()} | _users_of_processes()
    return secrets.choice([user for user in _UNASSIGNED_USERS if user not in taken])


def data_directory(user: int | None) -> str:
    """Return how a program started inside the data directory as `user` names it."""
    return "." if user is None else "/proc/self/cwd"


def prepare_cluster(folder: Folder, programs: Path, user: int | None, lock: int) -> None:
    """Make the cluster if there is none, and give it the owner, the version check and the rules a start needs.

    Args:
        folder: the database's folder.
        programs: where initdb is.
        user: the server's user as by `server_user`.
        lock: descriptor of the server's lock, inherited by initdb so that nobody starts beside one left over.

    Raises:
        DatabaseUnavailable: initdb fails, or another version of PostgreSQL made the cluster.
    """
    account = _our_account()
    if not folder.cluster.exists():
        _create(folder, programs, user, lock)
    version = (folder.cluster / "PG_VERSION").read_text().strip()
    if version != POSTGRES_MAJOR:
        raise DatabaseUnavailable(
            f"The database in {folder.path} was made by PostgreSQL {version}; this program brings PostgreSQL "
            f"{POSTGRES_MAJOR}. Export it with the program that made it, or set ROOTCAUSE_DATA_DIR to a new folder."
        )
    if user is not None and folder.cluster.stat().st_uid != user:  # copied back from a backup by root
        _give_to(user, folder.cluster)
    _write_private(folder.cluster / "pg_hba.conf", f"local all {DATABASE_USER} peer map=owner\n", user)
    _write_private(folder.cluster / "pg_ident.conf", f"owner {account} {DATABASE_USER}\n", user)


def _create(folder: Folder, programs: Path, user: int | None, lock: int) -> None:
    """Run initdb beside the final place and move the result there, so that a crash leaves no half cluster."""
    fresh = folder.path / "cluster.new"
    if fresh.exists():
        shutil.rmtree(fresh)
    fresh.mkdir(mode=0o700)
    creator = None if user is None else _idle_account()
    if creator is not None:
        os.chown(fresh, creator, creator)
    done = run_as(
        creator,
        [programs / "initdb", "-D", data_directory(creator), *_INITDB_OPTIONS],
        fresh,
        keep=[lock],
    )
    if done.returncode != 0:
        last = " ".join(done.stdout.strip().splitlines()[-_LINES_SHOWN:])
        raise DatabaseUnavailable(f"The embedded database could not be created in {folder.path}: {last}")
    if user is not None:
        _give_to(user, fresh)
    fresh.rename(folder.cluster)


def _our_account() -> str:
    """Return our account's name, quoted for PostgreSQL's rules."""
    try:
        name = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        raise DatabaseUnavailable(
            f"This process runs as user id {os.geteuid()}, which has no account; the embedded PostgreSQL needs one. "
            "Run the program as a user with an account, or set DATABASE_URL to a PostgreSQL server."
        ) from None
    return '"' + name.replace('"', '""') + '"'


def _idle_account() -> int:
    """Return the id of an account under which nothing runs: initdb, unlike the server, insists on an account."""
    busy = _users_of_processes() | {0}
    for account in pwd.getpwall():
        if account.pw_uid not in busy:
            return account.pw_uid
    raise DatabaseUnavailable(
        "Root needs one unprivileged account at rest, such as `nobody`, to create the embedded database. "
        "Add one, run the program as an ordinary user, or set DATABASE_URL to a PostgreSQL server."
    )


def _users_of_processes() -> set[int]:
    return {process.info["uids"].real for process in psutil.process_iter(["uids"]) if process.info["uids"] is not None}


def _give_to(user: int, cluster: Path) -> None:
    for parent, folders, files in os.walk(cluster):
        for name in (*folders, *files):
            os.chown(Path(parent, name), user, user, follow_symlinks=False)
    os.chown(cluster, user, user, follow_symlinks=False)


def _write_private(path: Path, text: str, user: int | None) -> None:
    """Replace a file of the cluster in one step; root must not follow a link that the server's user put there."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        if user is not None:
            os.fchown(descriptor, user, user)
    fresh.replace(path)
