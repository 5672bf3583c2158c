"""One web process with two workers against one with one: how fast closings are dealt with, and what comes out.

Usage: python -m tests.benchmarks.workers [CLOSINGS]

The closings of eight repositories come all at once; nothing paces, so that the workers are what takes time. Prints both
rates and their ratio, then whether the records and what was written are the same; the exit code is 0 where they are.
On a machine whose cores one worker keeps busy a second one cannot add anything.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.sandbox.limits import Limits
from tests.benchmarks.day_place import Place, open_place
from tests.benchmarks.fast_clock import FastClock
from tests.faults.once import doubled_creations, doubled_questions, inboxes
from tests.support.closed_issues import leaking, not_about_the_system

REPOSITORIES = 8
CLOSINGS = 240
_LONGEST_SECONDS = 900.0
_UNPACED = {
    "ROOTCAUSE_SETTLE_SECONDS": "0",
    "ROOTCAUSE_WRITE_INTERVAL_SECONDS": "0",
    "ROOTCAUSE_WRITES_PER_MINUTE": "100000",
    "ROOTCAUSE_WRITES_PER_HOUR": "100000",
    "ROOTCAUSE_INBOX_DELAY_SECONDS": "1",
    "ROOTCAUSE_BACKFILL_DAYS": "0",
    "ROOTCAUSE_PEOPLE_DELAY_SECONDS": "100000",
}
_LEFT = "SELECT count(*) FILTER (WHERE state = 'waiting'), count(*) FILTER (WHERE state = 'failed') FROM delivery"
_JOBS = "SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing') AND queue_name = 'live'"
_RECORDS = """
SELECT coalesce(string_agg(concat_ws(' ', record.repository_id % 1000, number, eligible_system, eligible_bug, fix_link,
    issue_comments), ',' ORDER BY record.repository_id, number), '')
FROM record
"""


@dataclass(frozen=True)
class Came:
    """What one run came to; `seconds` of processor time a thousand closings took of the processes, and the database."""

    rate: float
    seconds: tuple[float, float]
    records: str
    inboxes: dict[str, int]
    doubled: list[str]
    failed: int


async def run(workers: int, closings: int) -> Came:
    """Deal with the closings; raises TimeoutError where that takes far too long."""
    clock = FastClock(datetime.now(UTC), 1.0)
    with tempfile.TemporaryDirectory(prefix="rootcause-workers-") as folder:
        async with open_place(Path(folder), clock, Limits(enforce=False), **_UNPACED) as place:
            place.start("web")
            await place.wait_for_web()
            for _ in range(workers):
                place.start("worker")
            for index in range(REPOSITORIES):
                place.sandbox.add_owner(f"owner{index}")
                place.sandbox.add_repository(f"owner{index}", "frame")
                place.sandbox.put_file(f"owner{index}/frame", ".github/rootcause.yml", "paradigm: ml\n")
                place.sandbox.install(f"owner{index}", "all")
            await place.sandbox.deliver_pending()
            await _until(place, f"SELECT greatest(0, {workers} - count(*)) FROM procrastinate_workers")  # noqa: S608  a whole number
            await _rest(place)
            begun, used = time.monotonic(), place.processor_seconds()
            now = datetime.now(UTC)
            for number in range(1, closings + 1):
                record = (leaking if number % 5 == 0 else not_about_the_system)(number, now - timedelta(minutes=number))
                place.sandbox.seed_issue(f"owner{number % REPOSITORIES}/frame", record, emit=True)
            await place.sandbox.deliver_pending()
            await _until(place, _LEFT)
            rate = closings / (time.monotonic() - begun)
            await _rest(place)
            own, database = (
                1000 / closings * (after - before)
                for before, after in zip(used, place.processor_seconds(), strict=True)
            )
            _, failed = await place.row(_LEFT)
            doubled = doubled_creations(place.sandbox) + doubled_questions(place.sandbox)
            return Came(
                rate, (own, database), (await place.row(_RECORDS))[0], dict(inboxes(place.sandbox)), doubled, failed
            )


async def _rest(place: Place) -> None:
    await _until(place, _LEFT)
    await _until(place, _JOBS)


async def _until(place: Place, left: str) -> None:
    """Wait until nothing is left of what a question counts."""
    deadline = time.monotonic() + _LONGEST_SECONDS
    while (await place.row(left))[0]:
        if time.monotonic() > deadline:
            raise TimeoutError("the workers did not come to rest")
        await asyncio.sleep(0.1)


def main(closings: int) -> int:
    """Run both and compare; return 0 where the same came out."""
    one, two = (asyncio.run(run(workers, closings)) for workers in (1, 2))
    _say(f"{closings} closings, {os.cpu_count()} cores")
    _say(f"1 web, 1 worker:  {one.rate:.1f} closings/s")
    _say(f"1 web, 2 workers: {two.rate:.1f} closings/s, {two.rate / one.rate:.2f} times")
    for came, words in ((one, "1 worker"), (two, "2 workers")):
        own, database = came.seconds
        _say(f"processor time of 1,000 closings, {words}: {own:.0f} s, and {database:.0f} s of the database")
    same: dict[str, Any] = {
        "every closing is recorded once": all(len(came.records.split(",")) == closings for came in (one, two)),
        "the same records": one.records == two.records,
        "one inbox each": one.inboxes == two.inboxes and set(two.inboxes.values()) <= {1},
        "nothing doubled, nothing failed": not (one.doubled or two.doubled or one.failed or two.failed),
    }
    for words, holds in same.items():
        _say(f"{'ok  ' if holds else 'FAIL'} {words}")
    return 0 if all(same.values()) else 1


def _say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else CLOSINGS))
