"""How virtual time passes for a running bot: from one moment at which something is due to the next, never waiting."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import LiteralString

from bot.features.registration import Entry
from bot.schedule import TIMETABLE
from tests.support.running import Running
from tests.support.turned_clock import TurnedClock

LEFT_OUT = frozenset({"nightly refit", "refit", "old rows"})
"""Entries of the timetable that write nothing to GitHub: fits of models, which run in a process with a clock of their
own, and the deleting of deliveries that GitHub sends again no more, which a month sends again all the same.
"""

_AT_REST = timedelta(hours=6)
"""The longest step: what the timetable had meanwhile is asked once, as after a pause of the process."""

_DUE: LiteralString = """
SELECT count(*) FILTER (WHERE scheduled_at IS NULL OR scheduled_at <= now()) > 0,
       min(scheduled_at) FILTER (WHERE scheduled_at > now())
FROM procrastinate_jobs WHERE status = 'todo'
"""


class PassingTime:
    """Moves the clock of a running bot; at each moment the webhooks go out and the jobs that are due run.

    All happens in one order: deliveries one after the other, jobs one at a time. So every run is the same.
    """

    def __init__(self, bot: Running, clock: TurnedClock) -> None:
        self._bot = bot
        self._clock = clock
        self._fires = {entry.name: self._fire(entry) for entry in TIMETABLE if entry.name not in LEFT_OUT}

    async def settle(self) -> None:
        """Deliver what waits and run what is due now, until both are quiet."""
        for _ in range(20):
            sent = await self._bot.sandbox.deliver_pending(concurrency=1) if self._bot.sandbox.courier.pending() else []
            assert all(one.status_code == 202 for one in sent), [one.status_code for one in sent]
            worked, _ = await self._clock.ask(_DUE)
            if worked:
                await self._bot.work()
            if not sent and not worked:
                return
        raise AssertionError("the bot and the sandbox never come to rest")

    async def until(self, moment: datetime) -> None:
        """Let time pass up to a moment; what happens at the same moment happens before the bot hears of any of it."""
        if moment <= self._clock.now():
            return
        await self.settle()
        while self._clock.now() < moment:
            await self._clock.move_to(min(moment, await self._next_step()))
            await self._keep_timetable()
            await self.settle()

    async def _next_step(self) -> datetime:
        due: datetime | None = (await self._clock.ask(_DUE))[1]
        daily = [self._fires[entry.name] for entry in TIMETABLE if entry.name in self._fires and _is_daily(entry)]
        return min([self._clock.now() + _AT_REST, *daily, *([due] if due else [])])

    async def _keep_timetable(self) -> None:
        for entry in TIMETABLE:
            if entry.name in self._fires and self._fires[entry.name] <= self._clock.now():
                await entry.ask(self._bot.services)
                self._fires[entry.name] = self._fire(entry)

    def _fire(self, entry: Entry) -> datetime:
        after = self._clock.now() + timedelta(microseconds=1)
        moment: datetime = entry.when.get_next_fire_time(None, after)
        return moment


def _is_daily(entry: Entry) -> bool:
    fields = {field.name: str(field) for field in entry.when.fields}
    return fields["hour"] != "*"
