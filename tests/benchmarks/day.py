"""A day of 20 large repositories at ten times their rate, in minutes: does memory, a queue or a limit give way?

Usage: python -m tests.benchmarks.day [MINUTES] [WORKERS]

Closings and comments come at the rates of issue-metrics-34k.jsonl.gz, each repository in an account of its own, to one
web process and one worker (or more) on a database. All delays and limits take their time divided by 72, since every
part goes by one clock that runs so much faster; the local GitHub keeps to the limits that GitHub publishes. A whole day
takes 20 minutes; fewer minutes are a shorter day at the same rates. Histories are read and reports are posted in it.
Each quarter is printed, then the verdicts; the exit code is 0 where all hold.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.jobs import defer_report
from bot.queue import open_jobs
from bot.sandbox.limits import Limits
from bot.services import open_pool
from tests.benchmarks.day_measures import Quarter, Sample, quarters, sample, say, verdicts
from tests.benchmarks.day_place import Place, open_place
from tests.benchmarks.day_rates import FILE, Happening, draw_day, read_rates
from tests.benchmarks.fast_clock import FastClock
from tests.support.closed_issues import leaking, not_about_the_system

REPOSITORIES, TIMES, SEED = 20, 10.0, 34
HISTORY = 100
"""Closed issues that each repository has before the App comes."""

EACH_COMMAND = 25
"""One of so many comments is a maintainer's decision."""

MOST_COMMENTS = 60
"""Of one issue; few have more, and their texts are no measure of anything here."""

_SAMPLE_SECONDS = 1.0
_REST_MINUTES = 5.0
_DAY = timedelta(days=1)
_WHOLE_MINUTES = 20.0
_REPORTS_AT = 10
"""The part of the day after which reports are asked for: what they need is loaded before the second quarter."""


class Day:
    """The 20 repositories, and what happens in them."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._numbers = [0] * REPOSITORIES
        self._said = 0
        self.closings = 0
        self.commands = 0

    def prepare(self) -> None:
        """Make the repositories with their histories, and install the App on them."""
        sandbox, now = self._place.sandbox, self._place.clock.now()
        for index in range(REPOSITORIES):
            sandbox.add_owner(f"owner{index}")
            sandbox.add_repository(f"owner{index}", "frame")
            sandbox.grant(_name(index), f"maintainer{index}", "maintain")
            sandbox.put_file(_name(index), ".github/rootcause.yml", "paradigm: ml\n")
            for place in range(HISTORY):
                self._close(index, 3, now - timedelta(days=1 + 40 * place / HISTORY), emit=False)
            sandbox.install(f"owner{index}", "all")
        self.closings = 0

    def happen(self, one: Happening) -> None:
        """Let a closing or a comment happen now."""
        if one.comments is not None:
            self._close(one.repository, min(one.comments, MOST_COMMENTS), self._place.clock.now(), emit=True)
            return
        number, login, body = self._numbers[one.repository], f"reader{self._said % 50}", "Thanks, that helps me too."
        self._said += 1
        if self._said % EACH_COMMAND == 0:
            login, body = f"maintainer{one.repository}", "/rootcause memory-leak"
            self.commands += 1
        else:
            self._place.sandbox.add_user(login)
        self._place.sandbox.comment(_name(one.repository), number, login, body)

    def _close(self, repository: int, comments: int, at: datetime, *, emit: bool) -> None:
        self._numbers[repository] += 1
        self.closings += 1
        number = self._numbers[repository]
        record = (leaking if number % 5 == 0 else not_about_the_system)(number, at)
        created = datetime.fromisoformat(record["created_at"])
        record["comments"] = [
            {
                "author": f"reader{place % 50}",
                "created_at": (created + timedelta(hours=1 + place)).isoformat(),
                "body": f"I see the same with version 2.{place}. " * 8,
            }
            for place in range(comments)
        ]
        self._place.sandbox.seed_issue(_name(repository), record, emit=emit)


async def replay(place: Place, day: Day, happenings: list[Happening], length: timedelta) -> tuple[list[Sample], float]:
    """Let the day pass, looking each second; return what was seen, and the seconds until all was done afterwards."""
    samples: list[Sample] = []
    begun, began = place.clock.now(), time.monotonic()
    waiting = iter(happenings)
    coming = next(waiting, None)
    reports_due: datetime | None = begun + length / _REPORTS_AT
    next_look = began
    while (passed := place.clock.now() - begun) < length:
        while coming is not None and coming.at * length <= passed:
            day.happen(coming)
            coming = next(waiting, None)
        await place.sandbox.deliver_pending()
        if reports_due is not None and begun + passed >= reports_due:
            await _ask_for_reports(place)
            reports_due = None
        if time.monotonic() >= next_look:
            samples.append(await sample(place, passed / length))
            next_look = time.monotonic() + _SAMPLE_SECONDS
        await asyncio.sleep(0.02)
    ended = time.monotonic()
    while time.monotonic() - ended < _REST_MINUTES * 60:
        await place.sandbox.deliver_pending()
        last = await sample(place, 1.0)
        if not last.waiting and not last.due and not last.histories:
            break
        await asyncio.sleep(_SAMPLE_SECONDS)
    return samples, time.monotonic() - ended


async def _ask_for_reports(place: Place) -> None:
    period = (place.clock.now().replace(day=1) - _DAY).strftime("%Y-%m")
    async with open_pool(place.conninfo, 2) as pool, open_jobs(pool):
        for index in range(REPOSITORIES):
            await defer_report(place.sandbox.repository(_name(index)).id, period)


async def main(minutes: float, workers: int) -> int:
    """Run the day in so many minutes; return 0 where every verdict holds."""
    rates = read_rates()
    happenings = draw_day(rates, REPOSITORIES, TIMES * minutes / _WHOLE_MINUTES, SEED)
    clock = FastClock(datetime.now(UTC), _DAY / timedelta(minutes=_WHOLE_MINUTES))
    with tempfile.TemporaryDirectory(prefix="rootcause-day-") as folder:
        async with open_place(Path(folder), clock, Limits()) as place:
            place.start("web")
            await place.wait_for_web()
            for _ in range(workers):
                place.start("worker")
            day = Day(place)
            day.prepare()
            samples, rest = await replay(place, day, happenings, _DAY * minutes / _WHOLE_MINUTES)
            rows: list[Quarter] = quarters(samples)
            say(rows, len(happenings), minutes, workers, rest)
            return await verdicts(place, rows, day.closings + REPOSITORIES * HISTORY, day.commands)


def _name(index: int) -> str:
    return f"owner{index}/frame"


if __name__ == "__main__":
    if not FILE.exists():
        sys.exit(f"{FILE} is not there: without its rates there is no day to replay")
    chosen = [float(word) for word in sys.argv[1:3]]
    sys.exit(asyncio.run(main(chosen[0] if chosen else 20.0, int(chosen[1]) if len(chosen) > 1 else 1)))
