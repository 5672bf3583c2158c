"""A clock that tests turn by hand: sleeping moves it at once."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

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
