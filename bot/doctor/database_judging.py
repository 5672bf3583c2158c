"""What the database's answers mean: pure judgements, each with its cure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.doctor.finding import Finding

LEAST_VERSION = 14
"""Of PostgreSQL. The queue's library asks for 13; no statement here needs more than 14; tests run on 18."""

OLD_SECONDS = 600.0
"""After which a delivery that is due should have been handled: workers look every second."""

OLD_JOB_SECONDS = 3_600.0
"""After which the oldest due job of the queue `live` is late, as the operator's guide has it for alerts."""

_HELD_UP = "See the workers' log for what holds them up (GitHub's limits, errors that repeat), or run more workers."
_DIRECT = (
    "Set DATABASE_URL to the server itself or to the pooler's session mode (with PgBouncer pool_mode = session; hosts "
    "that offer a pooled and a direct address: the direct one, often port 5432 where the pooled one is 6543)."
)


@dataclass(frozen=True)
class Queue:
    """Workers heard of in the last minute, deliveries due with the oldest's age in seconds, and what was given up.

    `failed_jobs` counts jobs, of which `newest_failed_job` is one; `due_jobs` counts those of the queue `live` alone,
    since what runs in the background may wait.
    """

    workers: int
    due: int
    oldest_seconds: float | None
    failed: int
    failed_since: datetime | None
    failed_jobs: int = 0
    newest_failed_job: int | None = None
    due_jobs: int = 0
    oldest_job_seconds: float | None = None


def judge_connection(reason: str) -> Finding:
    """Judge why no connection came about, by the server's or the driver's words."""
    words = " ".join(reason.partition("Is the server running")[0].split()).rstrip(".")
    if "unsupported startup parameter" in words:
        return Finding("pooler", "wrong", f"A pooler refuses what a session needs: {words}.", _DIRECT)
    if "authentication failed" in words or "no password supplied" in words or "SASL" in words:
        cure = "Correct user and password in DATABASE_URL; signs such as @ or / in a password are written as %40, %2F."
    elif "does not exist" in words:
        cure = "Create it (`CREATE DATABASE`, `CREATE ROLE`), or correct DATABASE_URL; then run `rootcause db upgrade`."
    elif "pg_hba.conf" in words or ("SSL" in words and "invalid response" not in words):
        cure = "Let pg_hba.conf admit this machine, or add ?sslmode=require (or disable) to DATABASE_URL."
    elif "too many" in words or "remaining connection slots" in words:
        cure = "Raise max_connections of the server, or run fewer processes."
    else:
        cure = "See that the server runs, that this machine reaches it, and that DATABASE_URL names its host and port."
    return Finding("database", "wrong", f"It does not let us in: {words}.", cure)


def judge_version(number: int) -> Finding:
    """Judge PostgreSQL's version, by its own number such as 180001."""
    major = number // 10_000
    if major >= LEAST_VERSION:
        return Finding("database version", "fine", f"It is PostgreSQL {major}.")
    cure = f"Move to PostgreSQL {LEAST_VERSION} or later: `pg_dump` from this one, restore there, set DATABASE_URL."
    return Finding("database version", "wrong", f"It is PostgreSQL {major}, older than {LEAST_VERSION}.", cure)


def judge_pooler(*, changed: bool) -> Finding:
    """Judge whether connections keep their session; `changed` where one went on in another server process."""
    if changed:
        said = "A pooler in transaction mode stands before the database: workers hear of no job and sessions get lost."
        return Finding("pooler", "wrong", said, _DIRECT)
    return Finding("pooler", "fine", "Connections keep their session.")


def judge_migrations(pending: Sequence[str], *, embedded: bool) -> Finding:
    """Judge the migrations that the database lacks."""
    if not pending:
        return Finding("migrations", "fine", "The database is up to date.")
    said = f"{len(pending)} are pending: {pending[0]}" + (f" to {pending[-1]}." if len(pending) > 1 else ".")
    cure = "Start `rootcause serve` again, which applies them." if embedded else "Run `rootcause db upgrade`."
    return Finding("migrations", "wrong", said, cure)


def judge_queue(queue: Queue, *, embedded: bool) -> list[Finding]:
    """Judge whether somebody works, and what was left undone."""
    found = []
    start = f"Start {'`rootcause serve`' if embedded else '`rootcause worker` (or `serve`) on this database'}."
    if queue.workers:
        found.append(Finding("workers", "fine", f"{queue.workers} alive in the last minute."))
    elif queue.due:
        said = f"None was alive in the last minute, and deliveries wait: {queue.due}."
        found.append(Finding("workers", "wrong", said, start))
    else:
        found.append(Finding("workers", "warning", "None was alive in the last minute.", start))
    if queue.oldest_seconds is not None and queue.oldest_seconds >= OLD_SECONDS:
        said = f"{queue.due} are due, the oldest for {queue.oldest_seconds / 60:.0f} minutes."
        found.append(Finding("waiting deliveries", "warning", said, _HELD_UP))
    else:
        found.append(Finding("waiting deliveries", "fine", f"{queue.due} are due, none for long."))
    if queue.oldest_job_seconds is not None and queue.oldest_job_seconds >= OLD_JOB_SECONDS:
        said = f"{queue.due_jobs} are due, the oldest for {queue.oldest_job_seconds / 60:.0f} minutes."
        found.append(Finding("waiting jobs", "warning", said, _HELD_UP))
    else:
        found.append(Finding("waiting jobs", "fine", f"{queue.due_jobs} are due, none for long."))
    if queue.failed:
        since = f" since {queue.failed_since:%Y-%m-%d %H:%M} UTC" if queue.failed_since is not None else ""
        said = f"{queue.failed} failed for good{since}."
        cure = (
            "Look at why with `rootcause inspect GUID` or the log, then let them be handled again: "
            "`rootcause retry --all`."
        )
        found.append(Finding("dead letters", "warning", said, cure))
    else:
        found.append(Finding("dead letters", "fine", "No delivery failed for good."))
    if queue.failed_jobs:
        said = f"{queue.failed_jobs} failed for good, the newest is job {queue.newest_failed_job}."
        cure = (
            f"Look at why with `rootcause inspect {queue.newest_failed_job}`, the log or `/status`, then let them run "
            "again: `rootcause retry --all`."
        )
        found.append(Finding("failed jobs", "warning", said, cure))
    else:
        found.append(Finding("failed jobs", "fine", "No job failed for good."))
    return found
