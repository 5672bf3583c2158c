"""The write budget of an installation as a database row, shared by all replicas."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from bot.clock import Clock
from bot.github.limits import WriteBudget, reserve
from bot.settings import Settings
from bot.store.tables import Installation


class PostgresPacer:
    """Reserves the moments of writes under a row lock; implements `bot.github.limits.Pacer`."""

    def __init__(self, sessions: async_sessionmaker[AsyncSession], settings: Settings, clock: Clock) -> None:
        self._sessions = sessions
        self._settings = settings
        self._clock = clock

    async def reserve(self, installation_id: int) -> datetime:
        """Return when the next write may go out; a moment too far away is told but not taken."""
        settings = self._settings
        async with self._sessions.begin() as session:
            row = await session.get_one(Installation, installation_id, with_for_update=True)
            budget = WriteBudget(tuple(row.recent_writes))
            slot, taken = reserve(
                budget,
                self._clock.now(),
                settings.write_interval_seconds,
                settings.writes_per_minute,
                settings.writes_per_hour,
            )
            if taken != budget:
                row.recent_writes = list(taken.recent)
        return slot
