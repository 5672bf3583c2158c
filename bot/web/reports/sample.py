"""The sample report: the pages' own code over made-up rows, built when it is first asked for."""

from __future__ import annotations

import asyncio

from bot.clock import Clock
from bot.web.reports.building import Built, Page, build
from bot.web.reports.sample_rows import OWN, PERIOD, sample_rows

PATH = "/sample"
_NOTE = (
    "Everything in this report is made up, repositories, issues and people alike: it shows what a report looks like."
)


class Sample:
    """Builds the sample once a process, in a thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._turn = asyncio.Lock()
        self._built: Built | None = None

    async def page(self) -> Built:
        """Return the built page."""
        async with self._turn:
            if self._built is None:
                self._built = await asyncio.to_thread(_build, self._clock)
            return self._built


def _build(clock: Clock) -> Built:
    rows = sample_rows()
    own = next(one for one in rows.repositories if one.repository_id == OWN)
    page = Page(OWN, own.repository, PERIOD, (PERIOD,), running=False, issue_url=None, notes=(_NOTE,), sample=PATH)
    return build(page, rows, clock.now())
