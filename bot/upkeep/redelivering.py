"""`rootcause redeliver`: GitHub is asked now for what never arrived, without the waits of the hourly look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.clock import Clock
from bot.features.missed_closings import ask_for_closings
from bot.features.missed_deliveries import CLOSINGS_AFTER_SECONDS, MOST_AT_ONCE, Outcome, find_missed, send_again
from bot.pull.listing import LONGEST_BACK
from bot.pull.missed import Missed
from bot.settings import Settings
from bot.upkeep.opening import UpkeepError
from bot.upkeep.queue import open_services

_DRIFT = timedelta(minutes=1)

Tell = Callable[[Missed, Outcome], None]


@dataclass(frozen=True)
class Redelivered:
    """How many deliveries were missed, and of how many GitHub was asked to send them again."""

    missed: int
    asked: int

    @property
    def left(self) -> bool:
        """Whether there are more than are asked for at once."""
        return self.asked >= MOST_AT_ONCE and self.missed > self.asked


async def redeliver(settings: Settings, clock: Clock, since: datetime | None, tell: Tell) -> Redelivered:
    """Ask for every delivery sent since then of which no attempt arrived, and for closed issues to be compared.

    `tell` is called for each at once. Raises `UpkeepError`, `NotConfiguredError`, `DatabaseUnavailable` and GitHub's
    errors.
    """
    earliest = clock.now() - LONGEST_BACK
    if since is not None and since < earliest - _DRIFT:
        raise UpkeepError(
            f"--since must not be before {earliest:%Y-%m-%dT%H:%M} UTC: GitHub sends nothing older again."
        )
    if settings.pull:
        raise UpkeepError("ROOTCAUSE_PULL is set: deliveries are fetched from GitHub's list, failed ones too.")
    async with open_services(settings, clock) as services:
        found = await find_missed(services, max(earliest, since or earliest))
        asked = await send_again(services, found, by_hand=True, tell=tell)
        await ask_for_closings(services, CLOSINGS_AFTER_SECONDS)
    return Redelivered(len(found), asked)
