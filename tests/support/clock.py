"""Clocks of tests: one that they turn by hand, and one that was set to another day and goes on from there."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from bot.clock import SystemClock

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


class VirtualClock:
    """Implements `bot.clock.Clock`; `slept` lists what was asked for, in seconds."""

    def __init__(self, start: datetime = START) -> None:
        self._now = start
        self.slept: list[float] = []

    def now(self) -> datetime:
        """Return the moment the clock stands at."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Move the clock to the end of the sleep, unless another sleeper moved it further meanwhile."""
        self.slept.append(seconds)
        end = self._now + timedelta(seconds=seconds)
        await asyncio.sleep(0)
        self._now = max(self._now, end)

    def advance(self, **duration: float) -> None:
        """Move the clock on by so much time, given as for `timedelta`."""
        self._now += timedelta(**duration)


class SetClock(SystemClock):
    """The machine's own clock, set to begin at a moment of choice."""

    def __init__(self, start: datetime) -> None:
        self._ahead = start - super().now()

    def now(self) -> datetime:
        """Return the moment it shows."""
        return super().now() + self._ahead
