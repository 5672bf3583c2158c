"""Trying a read again after a passing failure, with exponential back-off and jitter on the given clock."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from bot.clock import Clock
from bot.github.errors import TooExpensive, Transient

T = TypeVar("T")

ATTEMPTS = 3
_FIRST_WAIT_SECONDS = 1.0
_log = structlog.get_logger(__name__)


def back_off(attempt: int, chance: float) -> float:
    """Return the seconds to wait after the given attempt (1, 2, ...): 1, 2, 4 ... times 0.5 to 1.5.

    `chance` in [0, 1) spreads the waits, so that replicas which failed together do not come back together.
    """
    return float(_FIRST_WAIT_SECONDS * 2 ** (attempt - 1) * (0.5 + chance))


async def retry_reads(read: Callable[[], Awaitable[T]], clock: Clock, attempts: int = ATTEMPTS) -> T:
    """Await `read()` up to so many times while it raises `Transient`; every other error goes through at once.

    So does `TooExpensive`: the same query would be broken off again.
    Only for requests that change nothing when they are made twice.
    """
    for attempt in range(1, attempts):
        try:
            return await read()
        except TooExpensive:
            raise
        except Transient as error:
            seconds = back_off(attempt, random.random())  # noqa: S311  spreads load, guards nothing
            _log.info("github.retry", attempt=attempt, status=error.status, error=str(error), seconds=round(seconds, 2))
            await clock.sleep(seconds)
    return await read()
