"""The built pages of a process: a few are kept, each until something changed, and one is built at a time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from bot.clock import Clock
from bot.store.database import Database
from bot.store.rows import load_rows
from bot.store.shared import change_mark, sharing_mark
from bot.web.reports.building import Built, Page, build, drawn
from reports.periods import parse_period

FRESH = timedelta(minutes=5)
"""For so long a page is shown without a look at what was recorded since; what may be shown is looked at every time."""

_MOST_KEPT = 10
_MOST_WAITING = 40


class BusyError(Exception):
    """Too many wait for a page or a figure already; somebody should ask again later."""


@dataclass
class _Kept:
    built: Built
    sharing: str
    change: str


class Builds:
    """Gives pages and figures, building what is not there; visitors can keep one thread busy and never two."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._kept: OrderedDict[tuple[int, str], _Kept] = OrderedDict()
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def page(self, page: Page) -> Built:
        """Return the built page, at most `FRESH` behind the records; raises BusyError."""
        found = await self._standing(page)
        if found is None:
            async with self._one_at_a_time():
                found = await self._standing(page) or await self._build(page)
        return found

    async def figure(self, built: Built, name: str) -> bytes | None:
        """Return a figure of a built page as SVG, or None where it has no such figure; raises BusyError."""
        if name not in built.plans or name in built.drawn:
            return built.drawn.get(name)
        async with self._one_at_a_time():
            return await asyncio.to_thread(drawn, built, name)

    async def _standing(self, page: Page) -> Built | None:
        """Return what is kept, if it still says what it may and is not too old."""
        key = (page.repository_id, page.period)
        kept = self._kept.get(key)
        if kept is None or kept.built.page != page:
            return None
        async with self._database.sessions() as session:
            if await sharing_mark(session, page.repository_id) != kept.sharing:
                return None
            now = self._clock.now()
            if now - kept.built.built_at >= FRESH and await change_mark(session) != kept.change:
                return None
        self._kept.move_to_end(key)
        return kept.built

    async def _build(self, page: Page) -> Built:
        window = parse_period(page.period).window
        async with self._database.sessions() as session:
            # The marks come first: what is written meanwhile is built once more rather than missed.
            sharing, change = await sharing_mark(session, page.repository_id), await change_mark(session)
            rows = await load_rows(session, page.repository_id, window.start, window.end)
        built = await asyncio.to_thread(build, page, rows, self._clock.now())
        key = (page.repository_id, page.period)
        self._kept[key] = _Kept(built, sharing, change)
        self._kept.move_to_end(key)
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return built

    @asynccontextmanager
    async def _one_at_a_time(self) -> AsyncIterator[None]:
        if self._waiting >= _MOST_WAITING:
            raise BusyError
        self._waiting += 1
        try:
            async with self._turn:
                yield
        finally:
            self._waiting -= 1
