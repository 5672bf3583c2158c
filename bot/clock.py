"""The one source of time: everything that waits or stamps takes a `Clock`, so tests can turn it by hand."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Now and sleep; all times are aware and in UTC."""

    def now(self) -> datetime:
        """Return the current moment in UTC."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait for so many seconds of this clock."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Return the current moment in UTC."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Wait for so many real seconds."""
        await asyncio.sleep(seconds)
