"""Read the next page of a repository's history, in pages as large as GitHub answers in good time."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import structlog

from bot.backfill.course import Parameters
from bot.clock import Clock
from bot.github.errors import TooExpensive, Transient
from bot.github.gather_page import NO_FIXES, IssuePage, Listed, list_closed, read_numbers, read_page
from bot.github.linking import ManualFix
from bot.github.page_size import halved, next_size
from bot.github.reading import EvidenceClient
from bot.github.retries import back_off
from bot.store.tables import Backfill

log = structlog.get_logger(__name__)

T = TypeVar("T")

_MOST_FAILURES = 8
"""Times in a row that GitHub may fail to answer, page after smaller page, before it counts as being away."""


@dataclass(frozen=True)
class Place:
    """Where a backfill stands: what it reads, from where on, and how many issues at once."""

    phase: str
    cursor: str | None
    place: int
    size: int

    @classmethod
    def of(cls, backfill: Backfill) -> Place:
        """Return where a stored backfill stands."""
        return cls(backfill.phase, backfill.cursor, backfill.place, backfill.size)


@dataclass(frozen=True)
class Brought:
    """What one page brought: issues or, while a sample is drawn, their list; `next` is None at the end.

    `fixes` are the changes that people had named when it was asked for, by the issues' numbers.
    """

    issues: IssuePage | None
    listed: tuple[Listed, ...]
    next: Place | None
    fixes: Mapping[int, ManualFix] = field(default_factory=dict)


async def read_next(
    client: EvidenceClient,
    clock: Clock,
    repository: str,
    place: Place,
    parameters: Parameters,
    numbers: list[int],
    bots: frozenset[str] = frozenset(),
    fixes: Mapping[int, ManualFix] = NO_FIXES,
) -> Brought:
    """Read the page at a place; `numbers` are the sample's, `fixes` the changes that people named.

    Raises `Transient` where GitHub does not answer at all.
    """
    if place.phase == "listing":
        (listed, cursor), _ = await _in_time(
            clock, place.size, lambda _: list_closed(client, repository, place.cursor, parameters.since)
        )
        over = cursor is None or parameters.is_past(one.created_at for one in listed)
        following = Place("numbers", None, 0, place.size) if over else Place("listing", cursor, 0, place.size)
        return Brought(None, listed, following)
    if place.phase == "numbers":
        issues, size = await _in_time(
            clock,
            place.size,
            lambda size: read_numbers(
                client, clock, repository, numbers[place.place : place.place + size], bots, fixes
            ),
        )
        done = place.place + size
        following = Place("numbers", None, done, next_size(size, issues.seconds))
        return Brought(issues, (), following if done < len(numbers) else None, fixes)
    issues, size = await _in_time(
        clock,
        place.size,
        lambda size: read_page(client, clock, repository, size, place.cursor, parameters.since, bots, fixes),
    )
    over = issues.cursor is None or parameters.is_past(one.created_at for one in issues.evidence)
    following = Place("pages", issues.cursor, 0, next_size(size, issues.seconds))
    return Brought(issues, (), None if over else following, fixes)


async def _in_time(clock: Clock, size: int, ask: Callable[[int], Awaitable[T]]) -> tuple[T, int]:
    """Return an answer and the size it was got with, asking for half as much where GitHub breaks off."""
    for failure in range(1, _MOST_FAILURES):
        try:
            return await ask(size), size
        except Transient as error:
            log.info("page not answered", size=size, status=error.status, error=str(error))
            if size == 1 or not isinstance(error, TooExpensive):
                await clock.sleep(back_off(failure, random.random()))  # noqa: S311  spreads load, guards nothing
            size = halved(size)
    return await ask(size), size
