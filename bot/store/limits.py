"""GitHub's limits of one account as a database row, kept over all replicas: the gate of every request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from bot.clock import Clock
from bot.github.classify import UNNAMED_WAIT
from bot.github.errors import RateLimited
from bot.github.gate import Asking, Gate, Pass
from bot.github.headers import reset_in, window_of
from bot.github.limits import LONGEST_UNNAMED, SHORT_WAIT
from bot.metrics import LIMITS
from bot.store.shared_time import in_one_trip, turned

AT_ONCE = 45
"""Requests of one window under way at the same time: REST and GraphQL together stay below GitHub's 100."""

MINUTE_POINTS = {"core": 900, "graphql": 2000, "search": 30}
"""Points a minute, GitHub's secondary limits; of the search's requests its primary limit."""

KEPT = 0.01
"""The part of a window that is never used, should a query cost more than its formula says."""

_log = structlog.get_logger(__name__)

_ENTER = text(
    "SELECT wait, given_minute FROM github_limit_enter(:which, :what, :cost, :points, :most_points, :most_open, :kept, "
    ":turned, CAST(:ended_minutes AS integer[]), CAST(:ended_costs AS integer[]), "
    ":heard_limit, :heard_used, :heard_resets_in, :read_ago, :wrote_ago)"
)

# An unnamed refusal waits twice as long each time; those of requests that were under way when the door closed do not
# count again.
_SHUT = """
INSERT INTO github_limit AS l (installation_id, resource, minute_at, closed_until, {strikes})
SELECT :which, resource, moment, moment + make_interval(secs => coalesce(CAST(:seconds AS float), :first)),
    CASE WHEN CAST(:seconds AS float) IS NULL THEN 1 ELSE 0 END
FROM (SELECT coalesce(CAST(:turned AS timestamptz), now()) AS moment) AS t,
    unnest(CAST(:resources AS text[])) AS resource
ON CONFLICT (installation_id, resource) DO UPDATE SET
    closed_until = CASE
        WHEN CAST(:seconds AS float) IS NOT NULL THEN greatest(l.closed_until, excluded.closed_until)
        WHEN l.closed_until > excluded.minute_at THEN l.closed_until
        ELSE excluded.minute_at + make_interval(secs => least(:first * 2 ^ least(l.{strikes}, 6), :longest)) END,
    {strikes} = l.{strikes} + CASE
        WHEN CAST(:seconds AS float) IS NULL AND NOT coalesce(l.closed_until > excluded.minute_at, false)
        THEN 1 ELSE 0 END
RETURNING extract(epoch FROM l.closed_until - coalesce(CAST(:turned AS timestamptz), now()))
"""


@dataclass
class _Told:
    """What came of requests since the books were last written in."""

    ended: list[Pass] = field(default_factory=list)
    heard: tuple[int, int, datetime] | None = None  # limit, used, and by our clock when the window ends
    read_at: datetime | None = None  # when the last accepted read, and write, was sent
    wrote_at: datetime | None = None


@dataclass
class PostgresGate:
    """Implements `bot.github.gate.Gate` in one statement a request.

    What an answer told is written with the next request, a refusal at once. Only durations go into the database, and
    its own clock makes moments of them.
    """

    sessions: async_sessionmaker[AsyncSession]
    clock: Clock
    installation_id: int
    _told: dict[str, _Told] = field(default_factory=dict)
    _logged_until: dict[str, datetime] = field(default_factory=dict)

    async def enter(self, asking: Asking) -> Pass | float:
        """Book a request and return its pass; or book nothing and return how many seconds to wait."""
        told = self._told.pop(asking.resource, _Told())
        with ExitStack() as unless_booked:
            unless_booked.callback(self._give_back, asking.resource, told)
            wait, minute = await self._execute(asking, told)
            unless_booked.pop_all()
        if wait > 0:
            self._tell(asking.resource, wait)
            return wait
        return Pass(asking, self.clock.now(), minute)

    def leave(self, given: Pass, headers: Mapping[str, str] | None) -> None:
        """Remember that a request has ended, and what GitHub said of its window."""
        told = self._told.setdefault(given.asking.resource, _Told())
        told.ended.append(given)
        if headers is None or headers.get("x-ratelimit-resource", given.asking.resource) != given.asking.resource:
            return
        said, left = window_of(headers), reset_in(headers, self.clock.now())
        if said is None or left is None:
            return
        limit, remaining = said
        ends = self.clock.now() + left + timedelta(seconds=1)
        used = max(0, limit - remaining)
        # Answers overtake each other: within one window the one that says most is the newest.
        same = told.heard is not None and abs(ends - told.heard[2]) < timedelta(seconds=30)
        if told.heard is None or (used > told.heard[1] if same else ends > told.heard[2]):
            told.heard = (limit, used, ends)

    def accepted(self, given: Pass) -> None:
        """Remember that GitHub takes reads, or writes, again."""
        told = self._told.setdefault(given.asking.resource, _Told())
        if given.asking.write:
            told.wrote_at = max(given.at, told.wrote_at or given.at)
        else:
            told.read_at = max(given.at, told.read_at or given.at)

    async def refused(self, given: Pass, error: RateLimited) -> None:
        """Close the door for all replicas; a secondary limit that of every resource."""
        own = given.asking.resource
        seconds = (error.retry_at - self.clock.now()).total_seconds() if error.named else None
        wait = await self._shut([own], seconds, write=given.asking.write)
        if error.kind == "secondary":
            others = sorted({"core", "graphql"} - {own})
            await self._shut(others, wait, write=given.asking.write)
        if not error.named:
            error.retry_at = self.clock.now() + timedelta(seconds=wait)
        LIMITS.labels(outcome="refused").inc()
        _log.warning(
            "github.limit_reached",
            installation_id=self.installation_id, resource=own, kind=error.kind, wait=round(wait), error=str(error),
        )  # fmt: skip

    async def _execute(self, asking: Asking, told: _Told) -> tuple[float, int]:
        now = self.clock.now()
        limit, used, ends = told.heard or (None, None, None)
        values = {
            "which": self.installation_id,
            "what": asking.resource,
            "cost": asking.cost,
            "points": asking.points,
            "most_points": MINUTE_POINTS.get(asking.resource, MINUTE_POINTS["core"]),
            "most_open": AT_ONCE,
            "kept": KEPT,
            "turned": turned(self.clock),
            "ended_minutes": [one.minute for one in told.ended],
            "ended_costs": [one.asking.cost for one in told.ended],
            "heard_limit": limit,
            "heard_used": used,
            "heard_resets_in": None if ends is None else (ends - now).total_seconds(),
            "read_ago": None if told.read_at is None else (now - told.read_at).total_seconds(),
            "wrote_ago": None if told.wrote_at is None else (now - told.wrote_at).total_seconds(),
        }
        async with self.sessions() as session:
            await in_one_trip(session)
            row = (await session.execute(_ENTER, values)).one()
        return float(row.wait), int(row.given_minute)

    async def _shut(self, resources: list[str], seconds: float | None, *, write: bool) -> float:
        statement = _SHUT.format(strikes="strikes_writing" if write else "strikes_reading")
        values = {
            "which": self.installation_id,
            "resources": resources,
            "seconds": seconds,
            "first": UNNAMED_WAIT.total_seconds(),
            "longest": LONGEST_UNNAMED.total_seconds(),
            "turned": turned(self.clock),
        }
        async with self.sessions() as session:
            await in_one_trip(session)
            waits = (await session.execute(text(statement), values)).scalars().all()
        return max(float(wait) for wait in waits)

    def _tell(self, resource: str, wait: float) -> None:
        """Log that requests have to wait longer than a moment, once until they may be made again."""
        now = self.clock.now()
        if timedelta(seconds=wait) > SHORT_WAIT and now >= self._logged_until.get(resource, now):
            self._logged_until[resource] = now + timedelta(seconds=wait)
            LIMITS.labels(outcome="kept").inc()
            _log.warning("github.limit_kept", installation_id=self.installation_id, resource=resource, wait=round(wait))

    def _give_back(self, resource: str, told: _Told) -> None:
        """Keep for the next request what could not be written."""
        newer = self._told.setdefault(resource, _Told())
        newer.ended[:0] = told.ended
        newer.heard = newer.heard or told.heard
        newer.read_at, newer.wrote_at = newer.read_at or told.read_at, newer.wrote_at or told.wrote_at


def postgres_gates(sessions: async_sessionmaker[AsyncSession], clock: Clock) -> Callable[[int], Gate]:
    """Return what makes the gate of an installation, of the read token (0) or of the App itself (-1)."""
    return lambda installation_id: PostgresGate(sessions, clock, installation_id)
