"""What is looked at while a day passes, and whether it went well."""

from __future__ import annotations

import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tests.benchmarks.day_place import Place
from tests.faults.once import doubled_creations, doubled_questions

MEMORY_GROWTH = 0.05
"""The last quarter may need so much more than the second, the processes alone as well as they and the database."""

QUEUE_ROOM = 20
"""Deliveries and jobs by which one quarter's mean may lie above another's without the queue growing."""

_MEGABYTE = 2**20
_STATE = """
SELECT count(*) FILTER (WHERE state = 'waiting'), count(*) FILTER (WHERE state IN ('done', 'ignored')),
    count(*) FILTER (WHERE state = 'failed'), count(*) FILTER (WHERE state = 'waiting' AND not_before <= now()),
    (SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing')
        AND queue_name IN ('live', 'reports') AND coalesce(scheduled_at, now()) <= now()),
    (SELECT count(*) FROM procrastinate_jobs WHERE status = 'failed'),
    (SELECT count(*) FROM record), (SELECT count(*) FROM backfill WHERE state = 'going_on')
FROM delivery
"""


@dataclass(frozen=True)
class Sample:
    """What one look saw; `at` is the part of the day, memory in bytes."""

    at: float
    processes: int
    database: int
    waiting: int
    overdue: int
    due: int
    done: int
    records: int
    histories: int


@dataclass(frozen=True)
class Quarter:
    """The medians of memory, the means of the queues, and how many deliveries were done a second."""

    processes: float
    database: float
    waiting: float
    due: float
    done: int
    records: int


async def sample(place: Place, at: float) -> Sample:
    """Look once."""
    waiting, done, _, overdue, due, _, records, histories = await place.row(_STATE)
    processes, database = place.memory()
    return Sample(at, processes, database, waiting, overdue, due, done, records, histories)


def quarters(samples: Sequence[Sample]) -> list[Quarter]:
    """Sum up each quarter of the day."""
    found, done = [], 0
    for quarter in range(4):
        mine = [one for one in samples if quarter / 4 <= one.at < (quarter + 1) / 4]
        found.append(
            Quarter(
                statistics.median(one.processes for one in mine) / _MEGABYTE,
                statistics.median(one.database for one in mine) / _MEGABYTE,
                statistics.mean(one.overdue for one in mine),
                statistics.mean(one.due for one in mine),
                mine[-1].done - done,
                mine[-1].records,
            )
        )
        done = mine[-1].done
    return found


def say(rows: Sequence[Quarter], happenings: int, minutes: float, workers: int, rest: float) -> None:
    """Print the quarters."""
    seconds = minutes * 15
    _line(f"{happenings:,} closings and comments in {minutes:g} minutes, 1 web, {workers} worker(s)")
    _line(
        f"{'quarter':8}{'processes MB':>14}{'database MB':>13}{'overdue':>9}{'jobs due':>10}{'done/s':>8}{'records':>9}"
    )
    for number, row in enumerate(rows, 1):
        _line(
            f"{number:<8}{row.processes:>14.1f}{row.database:>13.1f}{row.waiting:>9.1f}{row.due:>10.1f}"
            f"{row.done / seconds:>8.1f}{row.records:>9}"
        )
    _line(f"all done {rest:.0f} s after the end")


async def verdicts(place: Place, rows: Sequence[Quarter], closings: int, commands: int) -> int:
    """Print whether it went well; return 0 where it did."""
    second, last = rows[1], rows[3]
    growth = (last.processes + last.database) / (second.processes + second.database) - 1
    own = last.processes / second.processes - 1
    waiting, done, failed, _, due, lost_jobs, records, histories = await place.row(_STATE)
    accepted = sum(200 <= one.status_code < 300 for one in place.sandbox.deliveries)
    (doubled_decisions,) = await place.row("SELECT count(*) - count(DISTINCT source) FROM decision")
    (decisions,) = await place.row("SELECT count(*) FROM decision")
    (reports,) = await place.row("SELECT count(*) FROM report WHERE state = 'posted'")
    violations = Counter(one.limit for one in place.sandbox.violations)
    doubled = len(doubled_creations(place.sandbox)) + len(doubled_questions(place.sandbox)) + doubled_decisions
    writes = Counter(one.installation_id for one in place.sandbox.writes)
    used = await place.row("SELECT max(used) FROM github_limit WHERE installation_id > 0")
    _line(f"writes: {sum(writes.values())}, at most {max(writes.values(), default=0)} of one account; "
          f"most used of a last window: {used[0]} of 5,000; reports posted: {reports}")  # fmt: skip
    checks = {
        f"memory: last quarter {growth:+.1%} of the second (processes alone {own:+.1%})":
            max(growth, own) <= MEMORY_GROWTH,
        f"queue: {second.waiting + second.due:.1f} in the second quarter, {last.waiting + last.due:.1f} in the last":
            last.waiting + last.due <= second.waiting + second.due + QUEUE_ROOM,
        f"limits broken: {dict(violations) or 0}": not violations,
        f"deliveries: {len(place.sandbox.deliveries)} sent, {accepted} accepted, {done} done, {failed} failed, "
        f"{waiting} waiting, {due} jobs due, {lost_jobs} jobs failed":
            accepted == len(place.sandbox.deliveries) and not (failed or waiting or lost_jobs),
        f"records: {records} of {closings} closings, {histories} histories unfinished":
            records == closings and not histories,
        f"decisions: {decisions} of {commands} commands": 0 < decisions <= commands,
        f"doubled: {doubled}": not doubled,
    }  # fmt: skip
    for words, holds in checks.items():
        _line(f"{'ok  ' if holds else 'FAIL'} {words}")
    return 0 if all(checks.values()) else 1


def _line(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()
