"""The share of GitHub's hourly reading limits that background reading may use: a row shared by all replicas."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from bot.clock import Clock
from bot.github.headers import LONGEST_WINDOW
from bot.store.shared_time import in_one_trip, turned

Resource = Literal["graphql", "core"]

READ_TOKEN = 0
"""Stands for the installation where the read token reads."""

_KEPT_FREE = 0.05
"""The part of a window that is left to live work up to its end."""

_LIVE_WAIT = timedelta(minutes=1)
"""After which background reading that live work left no room for asks again."""

# The window is GitHub's own where it is known. Beside its share, background reading leaves the rest of the window what
# the time left is worth of live work's part: so live work that has much to do finds room to the end.
_TAKE = text("""
WITH at AS (SELECT coalesce(CAST(:turned AS timestamptz), now()) AS moment
), github AS (
    SELECT g.allowance, g.resets_at, g.allowance - g.used - g.cost_now - g.cost_before - :cost AS left_after,
        g.allowance * greatest(:kept_free, (1 - :share) * least(1, extract(epoch FROM g.resets_at - moment) / 3600))
        AS for_live
    FROM github_limit AS g, at
    WHERE installation_id = :which AND resource = :what AND resets_at > moment
), booked AS (
    INSERT INTO read_budget AS b (installation_id, resource, spent, allowance, resets_at)
    SELECT :which, :what, :cost, coalesce((SELECT allowance FROM github), 5000),
        coalesce((SELECT resets_at FROM github), moment + interval '1 hour')
    FROM at
    WHERE coalesce((SELECT left_after >= for_live OR :cost > :share * allowance FROM github), true)
    ON CONFLICT (installation_id, resource) DO UPDATE SET
        spent = :cost + CASE WHEN b.resets_at <= (SELECT moment FROM at) THEN 0 ELSE b.spent END,
        allowance = coalesce((SELECT allowance FROM github), b.allowance),
        resets_at = CASE WHEN b.resets_at <= (SELECT moment FROM at) THEN excluded.resets_at ELSE b.resets_at END
    WHERE b.resets_at <= (SELECT moment FROM at) OR b.spent = 0
        OR b.spent + :cost <= :share * coalesce((SELECT allowance FROM github), b.allowance)
    RETURNING spent
)
SELECT (SELECT spent FROM booked) AS spent, (
    SELECT extract(epoch FROM b.resets_at - moment) FROM read_budget AS b, at
    WHERE installation_id = :which AND resource = :what
        AND b.resets_at > moment AND b.spent + :cost > :share * b.allowance
) AS wait
""")

_CORRECT = text("""
UPDATE read_budget SET spent = greatest(0, spent + :more), allowance = :allowance,
    resets_at = CASE WHEN :left > 0 THEN coalesce(CAST(:turned AS timestamptz), now()) + make_interval(secs => :left)
                ELSE resets_at END
WHERE installation_id = :which AND resource = :what
""")


@dataclass(frozen=True)
class SharedReadBudget:
    """Books what is read in the background for one installation: histories, people, late links, reports, sweeps.

    `share` is the part of each window that all of it together may use, 0..1. What the requests take of the window
    itself is booked by the client's gate, as that of live work.
    """

    sessions: async_sessionmaker[AsyncSession]
    clock: Clock
    installation_id: int
    share: float

    async def take(self, resource: Resource, cost: int) -> datetime | None:
        """Book a request's cost and return None; or, where it is too much, book nothing and return when to ask again.

        It is booked before the request is made, so that a process that dies has not asked for more than is written. A
        request that alone costs more than the share goes out in a window of its own.
        """
        values = {
            "which": self.installation_id,
            "what": resource,
            "cost": cost,
            "share": self.share,
            "kept_free": _KEPT_FREE,
            "turned": turned(self.clock),
        }
        async with self.sessions() as session:
            await in_one_trip(session)
            row = (await session.execute(_TAKE, values)).one()
        if row.spent is not None:
            return None
        wait = timedelta(seconds=float(row.wait)) if row.wait is not None else _LIVE_WAIT
        return self.clock.now() + wait

    async def correct(self, resource: Resource, more: int, allowance: int, resets_at: datetime) -> None:
        """Note by how much a request cost more than was booked, and what GitHub says of its window."""
        left = resets_at - self.clock.now()
        values = {
            "which": self.installation_id,
            "what": resource,
            "more": more,
            "allowance": allowance,
            "left": left.total_seconds() if left <= LONGEST_WINDOW else 0.0,
            "turned": turned(self.clock),
        }
        async with self.sessions() as session:
            await in_one_trip(session)
            await session.execute(_CORRECT, values)
