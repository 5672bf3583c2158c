"""Start, find and stop one embedded PostgreSQL server, tuned for a laptop."""

from __future__ import annotations

import os
import signal
import time

import psutil
import structlog

from bot.store.embedded_cluster import data_directory, prepare_cluster, server_user
from bot.store.embedded_folder import Folder
from bot.store.embedded_programs import find_programs, run_as
from bot.store.errors import DatabaseUnavailable

START_SECONDS = 600  # recovery after a crash replays up to `max_wal_size`, which a slow disk makes minutes

_STOP_SIGNALS = ((signal.SIGINT, 60.0), (signal.SIGQUIT, 15.0))  # PostgreSQL's "fast" and "immediate" shutdown
_ORPHAN_SECONDS = 10.0  # its processes end by themselves once they notice that the first one has gone
_LOG = "server.log"
_LINES_SHOWN = 5
_LEFT_BY_A_CRASH = ("postmaster.pid", ".s.PGSQL.5432.lock")
_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_directories": ".",
    "unix_socket_permissions": "0700",
    "port": "5432",
    "max_connections": "100",
    "shared_buffers": "32MB",
    "huge_pages": "off",
    "maintenance_work_mem": "32MB",
    "jit": "off",
    "io_method": "sync",
    "max_parallel_workers_per_gather": "0",
    "max_logical_replication_workers": "0",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "256MB",
    "min_wal_size": "32MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    # Errors go to the client alone: a refused statement and its values may be private and must not reach the log.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
}

log = structlog.get_logger(__name__)


def start_server(folder: Folder) -> None:
    """Make the cluster if there is none and return once the server answers; call within `folder.transition`.

    Raises:
        DatabaseUnavailable: the reason, with the last lines of the server's log.
        OSError: the system refuses a folder, a user or a program.
    """
    with folder.server_lock() as lock:
        user = server_user(folder)
        programs = find_programs(user)
        prepare_cluster(folder, programs, user, lock)
        # Nobody holds `server.lock`, so these are left by a crash, even if the process number in them is in use again.
        for name in _LEFT_BY_A_CRASH:
            (folder.cluster / name).unlink(missing_ok=True)
        if (folder.cluster / _LOG).exists():
            (folder.cluster / _LOG).replace(folder.cluster / f"{_LOG}.old")
        settings = {**_SETTINGS, "cluster_name": _cluster_name(folder)}
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        waiting = ("-w", "-s", "-t", str(START_SECONDS))
        done = run_as(
            user,
            [programs / "pg_ctl", "start", *waiting, "-D", data_directory(user), "-l", _LOG, "-o", options],
            folder.cluster,
            keep=[lock],
        )
    if done.returncode != 0:
        raise DatabaseUnavailable(
            f"The embedded PostgreSQL in {folder.path} did not start: {_last_words(folder) or done.stdout.strip()}"
        )


def stop_server(folder: Folder) -> None:
    """Stop the server, if one lives, and return when its last process has gone; call within `folder.transition`."""
    process = find_postmaster(folder)
    if process is None:
        gone = _is_gone_within(folder, _ORPHAN_SECONDS)
    else:
        gone = any(_stop_by(stop, process) and _is_gone_within(folder, seconds) for stop, seconds in _STOP_SIGNALS)
    if not gone:  # another container's server, say, which ends with that container
        log.warning("embedded_server_left_running", folder=str(folder.path))


def find_postmaster(folder: Folder) -> psutil.Process | None:
    """Return the server's first process, or None if it is not among the processes that we can see."""
    try:
        process = psutil.Process(int((folder.cluster / "postmaster.pid").read_bytes().split(b"\n", 1)[0]))
        return process if f"cluster_name={_cluster_name(folder)}" in process.cmdline() else None
    except (OSError, ValueError, psutil.Error):
        return None


def _stop_by(stop: signal.Signals, process: psutil.Process) -> bool:
    try:
        process.send_signal(stop)
    except psutil.NoSuchProcess:
        log.debug("embedded_server_already_gone", pid=process.pid)
    return True


def _is_gone_within(folder: Folder, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while folder.server_lives():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _cluster_name(folder: Folder) -> str:
    """Return the name by which the server's command line tells whose it is, unique on this machine."""
    status = folder.cluster.stat()
    return f"rootcause-{status.st_dev:x}-{status.st_ino:x}"


def _last_words(folder: Folder) -> str:
    """Return the end of the server's log on one line; empty if it wrote none."""
    try:
        descriptor = os.open(folder.cluster / _LOG, os.O_RDONLY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return ""
    with os.fdopen(descriptor, errors="replace") as file:
        return " ".join(file.read().splitlines()[-_LINES_SHOWN:])
