"""The share of GitHub's hourly reading limits that backfills may use: a row shared by all replicas."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker
from sqlmodel import select

from bot.clock import Clock
from bot.store.tables import ReadBudget

Resource = Literal["graphql", "core"]

READ_TOKEN = 0
"""Stands for the installation where the read token reads."""

_WINDOW = timedelta(hours=1)
"""GitHub's primary limits are counted by the hour (documentation of the REST and the GraphQL API's limits)."""

_USUAL_ALLOWANCE = 5000
"""Points, or requests, an hour; believed until GitHub says more."""


@dataclass(frozen=True)
class SharedReadBudget:
    """Books what one installation's backfills read; `share` is the part of each window they may use, 0..1."""

    sessions: async_sessionmaker[AsyncSession]
    clock: Clock
    installation_id: int
    share: float

    async def take(self, resource: Resource, cost: int) -> datetime | None:
        """Book a request's cost and return None; or, where it is too much, book nothing and return when to ask again.

        It is booked before the request is made, so that a process that dies has not asked for more than is written. A
        request that alone costs more than the share goes out in a window of its own.
        """
        async with self.sessions.begin() as session:
            row = await self._row(session, resource)
            now = self.clock.now()
            if row.resets_at <= now:
                row.spent, row.resets_at = 0, now + _WINDOW
            if row.spent and row.spent + cost > self.share * row.allowance:
                return row.resets_at
            row.spent += cost
        return None

    async def correct(self, resource: Resource, more: int, allowance: int, resets_at: datetime) -> None:
        """Note by how much a request cost more than was booked, and what GitHub says of its window."""
        async with self.sessions.begin() as session:
            row = await self._row(session, resource)
            row.spent += more
            row.allowance = allowance
            if resets_at > self.clock.now():
                row.resets_at = resets_at

    async def _row(self, session: AsyncSession, resource: Resource) -> ReadBudget:
        key = {"installation_id": self.installation_id, "resource": resource}
        fresh = {**key, "spent": 0, "allowance": _USUAL_ALLOWANCE, "resets_at": self.clock.now() + _WINDOW}
        await session.execute(insert(ReadBudget).values(**fresh).on_conflict_do_nothing())
        wanted = select(ReadBudget).where(
            ReadBudget.installation_id == self.installation_id, ReadBudget.resource == resource
        )
        return (await session.execute(wanted.with_for_update())).scalar_one()
