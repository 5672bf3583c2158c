"""The first page: what the App does, the newest report that may be shown or else a sample, and how to install it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from aiohttp import web
from markupsafe import Markup

from bot.clock import Clock
from bot.queue import DATABASE_AWAY
from bot.settings import Settings
from bot.texts.days import in_days
from bot.web.kindly import said_kindly
from bot.web.markdown import markdown
from bot.web.pages import answer, write_page
from bot.web.reports.building import Built
from bot.web.reports.builds import BusyError
from bot.web.reports.routes import ReportPages
from bot.web.reports.sample import PATH as SAMPLE
from bot.web.reports.sample import Sample
from bot.web.reports.serving import Serving
from bot.web.webhook import Identity

_PATIENCE_SECONDS = 5.0
"""Longer than a report takes as a rule; where it takes longer, the page comes with a link to it alone."""


@dataclass(frozen=True)
class Excerpt:
    """The first lines of a report; without them where it is not computed yet."""

    address: str
    repository: str
    period: str
    made_up: bool
    coverage: Markup | None = None
    findings: tuple[Markup, ...] = ()


class HomePages:
    """Serves `/` and the sample report; where GitHub has the App's page is known once `identity` says so."""

    def __init__(self, settings: Settings, identity: Identity, reports: ReportPages, clock: Clock) -> None:
        self._settings = settings
        self._identity = identity
        self._reports = reports
        self._sample = Sample(clock)
        self._building: set[asyncio.Task[Built]] = set()

    def add_routes(self, app: web.Application) -> None:
        """Put the pages into an application."""
        sample = Serving(lambda _: self._sample.page(), self._reports.builds.figure)
        for path, handler in {"/": self._home, SAMPLE: sample.page, **sample.routes(SAMPLE)}.items():
            app.router.add_get(path, said_kindly(handler))

    async def _home(self, request: web.Request) -> web.Response:
        page = self._identity.page
        days = self._settings.observe_days
        content = write_page(
            "home.html",
            watching=in_days(days) if days > 0 else None,
            is_set_up=not self._settings.missing(),
            install=f"{page}/installations/new" if page is not None else None,
            excerpt=await self._excerpt(),
        )
        return answer(request, content, "text/html")

    async def _excerpt(self) -> Excerpt:
        """Return the beginning of the newest report, of the sample where there is none or the database is away."""
        try:
            newest = await self._reports.newest()
        except DATABASE_AWAY:
            newest = None
        task = asyncio.create_task(
            self._reports.builds.page(newest) if newest is not None else self._sample.page(), name="excerpt"
        )
        # Never cancelled: its thread would go on, and the next visitor would start another beside it.
        self._building.add(task)
        task.add_done_callback(self._forget)
        await asyncio.wait([task], timeout=_PATIENCE_SECONDS)
        if task.done() and task.exception() is None:
            return _excerpt(task.result())
        if newest is not None:
            return Excerpt(newest.base, newest.repository, newest.period, made_up=False)
        return Excerpt(SAMPLE, "", "", made_up=True)

    def _forget(self, task: asyncio.Task[Built]) -> None:
        self._building.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, (BusyError, *DATABASE_AWAY)):
            raise error


def _excerpt(built: Built) -> Excerpt:
    page = built.page
    return Excerpt(
        page.base,
        page.repository,
        page.period,
        page.sample is not None,
        markdown(built.coverage),
        tuple(markdown(one) for one in built.findings),
    )
