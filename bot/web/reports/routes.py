"""The addresses of reports: the list, a page a repository and period, its downloads and figures, and definitions.

Whatever is not public, not `share: named` or not there gives the same 404, so that nobody learns which it is.
"""

from __future__ import annotations

from aiohttp import web

from bot.clock import Clock
from bot.store.database import Database
from bot.store.figures import stored_figure
from bot.store.shared import (
    is_period_of,
    named_repositories,
    named_repository,
    newest_report,
    posted_reports,
    running_period,
)
from bot.store.tables import Report, Repository
from bot.web.kindly import Handler, said_kindly
from bot.web.pages import FOR_A_DAY, FOR_GOOD, answer, assets, write_page
from bot.web.reports.building import Built, Page
from bot.web.reports.builds import Builds
from bot.web.reports.definitions import definitions_page
from bot.web.reports.serving import FIGURE_HEADERS, Serving
from reports.markdown import GITHUB

_SLUG = "{owner:[A-Za-z0-9_.-]{1,100}}/{name:[A-Za-z0-9_.-]{1,100}}"
_PERIOD = r"{period:\d{4}-\d{2}}"
_HTML = "text/html"


class ReportPages:
    """Serves the reports of public repositories that chose to be named; links lead to the GitHub at `server`."""

    def __init__(self, database: Database, clock: Clock, server: str = GITHUB) -> None:
        self._database = database
        self._clock = clock
        self._server = server
        self.builds = Builds(database, clock)

    def add_routes(self, app: web.Application) -> None:
        """Put the pages into an application."""
        page = f"/reports/{_SLUG}/{_PERIOD}"
        routes: dict[str, Handler] = {
            "/assets/{file}": self._asset,
            "/definitions": self._definitions,
            r"/figures/{file:[a-z0-9-]{1,120}\.(?:svg|png)}": self._posted_figure,
            "/reports": self._list,
            f"/reports/{{id:[0-9]{{1,18}}}}/{_PERIOD}": self._by_id,
            f"/reports/{_SLUG}": self._newest,
            page: self._page,
            **Serving(self._built, self.builds.figure).routes(page),
        }
        for path, handler in routes.items():
            app.router.add_get(path, said_kindly(handler))

    async def _asset(self, request: web.Request) -> web.Response:
        content, content_type = assets().get(request.match_info["file"], (b"", ""))
        if not content_type:
            raise web.HTTPNotFound
        return answer(request, content, content_type, cached=FOR_GOOD)

    async def _definitions(self, request: web.Request) -> web.Response:
        return answer(request, definitions_page(), _HTML)

    async def _list(self, request: web.Request) -> web.Response:
        async with self._database.sessions() as session:
            repositories = await named_repositories(session)
            posted = await posted_reports(session, [one.id for one in repositories])
        running = running_period(self._clock.now())
        rows = [
            (one, _periods([row for row in posted if row.repository_id == one.id], running)) for one in repositories
        ]
        return answer(request, write_page("reports.html", rows=rows, running=running), _HTML)

    async def _by_id(self, request: web.Request) -> web.Response:
        async with self._database.sessions() as session:
            repository = await named_repository(session, int(request.match_info["id"]))
        if repository is None:
            raise web.HTTPNotFound
        raise web.HTTPFound(f"/reports/{repository.full_name}/{request.match_info['period']}")

    async def _newest(self, request: web.Request) -> web.Response:
        repository, posted = await self._shown(request)
        newest = _periods(posted, running_period(self._clock.now()))[0]
        raise web.HTTPFound(f"/reports/{repository.full_name}/{newest}")

    async def _page(self, request: web.Request) -> web.Response:
        built = await self._built(request)
        name = built.page.repository
        if f"{request.match_info['owner']}/{request.match_info['name']}" != name:
            raise web.HTTPFound(f"/reports/{name}/{built.page.period}")
        return answer(request, built.html, _HTML, modified=built.built_at)

    async def _posted_figure(self, request: web.Request) -> web.Response:
        async with self._database.sessions() as session:
            found = await stored_figure(session, request.match_info["file"])
        if found is None:
            raise web.HTTPNotFound
        return answer(request, found.content, found.content_type, cached=FOR_A_DAY, headers=FIGURE_HEADERS)

    async def _shown(self, request: web.Request) -> tuple[Repository, list[Report]]:
        """Return the repository of the address and its posted reports; 404 where it may not be shown."""
        async with self._database.sessions() as session:
            repository = await named_repository(session, "{owner}/{name}".format(**request.match_info))
            if repository is None:
                raise web.HTTPNotFound
            return repository, list(await posted_reports(session, [repository.id]))

    async def newest(self) -> Page | None:
        """Return the page of the newest report that was posted and may be shown, or None where there is none."""
        async with self._database.sessions() as session:
            found = await newest_report(session)
            if found is None:
                return None
            repository, period = found
            posted = list(await posted_reports(session, [repository.id]))
        return self._page_of(repository, posted, period)

    async def _built(self, request: web.Request) -> Built:
        repository, posted = await self._shown(request)
        period = request.match_info["period"]
        if not is_period_of(period, posted, self._clock.now()):
            raise web.HTTPNotFound
        return await self.builds.page(self._page_of(repository, posted, period))

    def _page_of(self, repository: Repository, posted: list[Report], period: str) -> Page:
        running = running_period(self._clock.now())
        return Page(
            repository_id=repository.id,
            repository=repository.full_name,
            period=period,
            periods=_periods(posted, running),
            running=period == running,
            issue_url=next((one.url for one in posted if one.period == period), None),
            server=self._server,
        )


def _periods(posted: list[Report], running: str) -> tuple[str, ...]:
    """Return the periods that have a page, the newest first."""
    return tuple(sorted({one.period for one in posted} | {running}, reverse=True))
