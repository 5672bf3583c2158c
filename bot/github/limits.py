"""GitHub's limits as arithmetic: what remains of a window, and when the next write may go out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from bot.github.classify import UNNAMED_WAIT
from bot.github.errors import RateLimited
from bot.github.headers import LONGEST_WINDOW, reset_moment, window_of

SHORT_WAIT = timedelta(seconds=5)
"""The longest wait for a limit that is slept; a longer one is an error, so that nobody sleeps with a lock held."""

LONGEST_UNNAMED = timedelta(hours=1)
"""The longest wait after refusals that name no moment."""

PATIENCE = timedelta(seconds=30)
"""The longest a write waits for its slot; further away, the job is put off instead of sleeping with its lock held."""

LATE = timedelta(seconds=2)
"""How much later than its slot a write may reach GitHub; the windows are longer by it, for GitHub counts arrivals."""

BACKGROUND_PATIENCE = timedelta(seconds=3)
"""The longest that a write which nobody waits for waits for its slot."""

PUT_OFF = PATIENCE + timedelta(seconds=5)
"""The soonest that such a write asks again."""

BACKGROUND_SHARE = 0.5
"""The part of the writes of a minute, and of an hour, that may go to what nobody waits for."""

FOR_LIVE = 0.2
"""The part of them that it leaves free, however little live work there was."""

_MINUTE = timedelta(minutes=1) + LATE
_HOUR = timedelta(hours=1) + LATE


@dataclass(frozen=True)
class WriteBudget:
    """The writes of one installation within the last hour, oldest first; reserved ones lie in the future.

    `background` are those of them that nobody waits for, as of reports.
    """

    recent: tuple[datetime, ...] = ()
    background: tuple[datetime, ...] = ()


class Pacer(Protocol):
    """Gives each write of an installation its moment; all replicas must share it."""

    async def reserve(self, installation_id: int) -> datetime:
        """Return when the next write may go out; a moment more than `PATIENCE` away is told but not taken."""
        ...


def next_slot(
    budget: WriteBudget, now: datetime, interval: float, per_minute: int, per_hour: int
) -> tuple[datetime, WriteBudget]:
    """Return the earliest moment for one more write, not before `now`, and the budget with that write in it.

    `interval` is the least number of seconds between two writes. In any 60 s there are at most `per_minute` writes and
    in any 3,600 s at most `per_hour` (GitHub's content-creation limits are 80 and 500): a log of moments keeps that
    exactly, where counting in fixed windows would let twice as many through at their seam.
    """
    recent = budget.recent
    slot = now
    if recent:
        slot = max(slot, recent[-1] + timedelta(seconds=interval))
    for window, most in ((_MINUTE, per_minute), (_HOUR, per_hour)):
        if len(recent) >= most:
            slot = max(slot, recent[-most] + window)
    kept = tuple(moment for moment in recent if moment > slot - _HOUR)
    background = tuple(moment for moment in budget.background if moment > slot - _HOUR)
    return slot, WriteBudget((*kept, slot), background)


def next_background_slot(
    budget: WriteBudget, now: datetime, interval: float, per_minute: int, per_hour: int
) -> tuple[datetime, WriteBudget]:
    """Return the same for a write that nobody waits for.

    Such writes have `BACKGROUND_SHARE` of each window among themselves, and none of the last `FOR_LIVE` of it.
    """
    minute, hour = _part(per_minute, BACKGROUND_SHARE), _part(per_hour, BACKGROUND_SHARE)
    among, _ = next_slot(WriteBudget(budget.background), now, 0.0, minute, hour)
    minute, hour = _part(per_minute, 1 - FOR_LIVE), _part(per_hour, 1 - FOR_LIVE)
    slot, taken = next_slot(budget, max(among, now), interval, minute, hour)
    return slot, WriteBudget(taken.recent, (*taken.background, slot))


def _part(whole: int, part: float) -> int:
    return max(1, int(whole * part))


def reserve(
    budget: WriteBudget, now: datetime, interval: float, per_minute: int, per_hour: int, *, live: bool = True
) -> tuple[datetime, WriteBudget]:
    """Return the next slot and the budget to store: the old one where the slot is more than `PATIENCE` away.

    One that is not `live` is a write that nobody waits for; it is put off where it would have to wait, since a slot
    that is booked ahead would keep those waiting that come meanwhile.
    """
    if live:
        slot, taken = next_slot(budget, now, interval, per_minute, per_hour)
        return (slot, taken) if slot - now <= PATIENCE else (slot, budget)
    slot, taken = next_background_slot(budget, now, interval, per_minute, per_hour)
    return (slot, taken) if slot - now <= BACKGROUND_PATIENCE else (max(slot, now + PUT_OFF), budget)


@dataclass(frozen=True)
class ReadBudget:
    """What GitHub said remains of one of its windows (`core`, `graphql`, `search`)."""

    limit: int
    remaining: int
    reset_at: datetime


class HeardLimits:
    """What one client has heard about its limits, and so when it may ask again."""

    def __init__(self) -> None:
        self.budgets: dict[str, ReadBudget] = {}
        self._closed_until: datetime | None = None
        self._strikes = {True: 0, False: 0}

    def hear(self, resource: str, headers: Mapping[str, str]) -> None:
        """Remember the rate-limit headers of an answer; `resource` names the window where GitHub does not."""
        said, reset_at = window_of(headers), reset_moment(headers)
        if said is not None and reset_at is not None:
            self.budgets[headers.get("x-ratelimit-resource", resource)] = ReadBudget(*said, reset_at)

    def refused(self, error: RateLimited, now: datetime, *, write: bool) -> None:
        """Remember a refusal; where GitHub named no moment, wait 1, 2, 4 ... minutes, at most 60."""
        if not error.named:
            error.retry_at = now + min(UNNAMED_WAIT * 2 ** min(self._strikes[write], 6), LONGEST_UNNAMED)
            self._strikes[write] += 1
        if error.kind == "secondary":
            self._closed_until = max(error.retry_at, self._closed_until or error.retry_at)

    def accepted(self, *, write: bool) -> None:
        """Forget earlier refusals of writes, or of reads: GitHub takes them again."""
        self._strikes[write] = 0

    def opens_at(self, resource: str, now: datetime) -> datetime | None:
        """Return when the next request to a window may be made, or None for at once."""
        moments = [self._closed_until] if self._closed_until is not None else []
        budget = self.budgets.get(resource)
        if budget is not None and budget.remaining == 0 and budget.reset_at - now <= LONGEST_WINDOW:
            moments.append(budget.reset_at)
        latest = max(moments, default=now)
        return latest if latest > now else None
