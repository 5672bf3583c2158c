"""The write budget of an installation as a database row, shared by all replicas."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from bot.clock import Clock
from bot.github.limits import WriteBudget, reserve
from bot.settings import Settings
from bot.store.shared_time import shared_now
from bot.store.tables import Installation


class PostgresPacer:
    """Reserves the moments of writes under a row lock, by the database's clock; implements `bot.github.limits.Pacer`.

    One that is not `live` reserves for what nobody waits for.
    """

    def __init__(
        self, sessions: async_sessionmaker[AsyncSession], settings: Settings, clock: Clock, *, live: bool = True
    ) -> None:
        self._sessions = sessions
        self._settings = settings
        self._clock = clock
        self._live = live

    async def reserve(self, installation_id: int) -> datetime:
        """Return by our clock when the next write may go out; a moment too far away is told but not taken."""
        settings = self._settings
        async with self._sessions.begin() as session:
            row = await session.get_one(Installation, installation_id, with_for_update=True)
            # Asked under the lock, so that nobody's moment is older than one that is booked already.
            now = (await session.execute(select(shared_now(self._clock)))).scalar_one()
            budget = WriteBudget(tuple(row.recent_writes), tuple(row.background_writes))
            slot, taken = reserve(
                budget,
                now,
                settings.write_interval_seconds,
                settings.writes_per_minute,
                settings.writes_per_hour,
                live=self._live,
            )
            if taken != budget:
                row.recent_writes, row.background_writes = list(taken.recent), list(taken.background)
        return self._clock.now() + (slot - now)
