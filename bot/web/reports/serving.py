"""Serves what a built page consists of: the page itself, its downloads and its figures."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from bot.store.figures import SVG
from bot.web.pages import FOR_A_DAY, answer
from bot.web.reports.building import Built

FIGURE_HEADERS = {"Content-Security-Policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"}


@dataclass(frozen=True)
class Serving:
    """Answers requests for the parts of the page that `find` gives; `figure` draws one of its figures, or none.

    `find` raises what its caller makes of a page that is not there or cannot be built now.
    """

    find: Callable[[web.Request], Awaitable[Built]]
    figure: Callable[[Built, str], Awaitable[bytes | None]]

    def routes(self, base: str) -> dict[str, Callable[[web.Request], Awaitable[web.StreamResponse]]]:
        """Return the handlers of all parts but the page by their paths below that of the page."""
        return {
            f"{base}/report.json": self._json,
            f"{base}/package.zip": self._package,
            f"{base}/tables/{{key:[a-z_]{{1,60}}}}.csv": self._csv,
            f"{base}/figures/{{file:[a-z0-9-]{{1,120}}\\.svg}}": self._figure,
        }

    async def page(self, request: web.Request) -> web.Response:
        """Answer with the page."""
        built = await self.find(request)
        return answer(request, built.html, "text/html", modified=built.built_at)

    async def _json(self, request: web.Request) -> web.Response:
        built = await self.find(request)
        headers = _attachment(built, "json")
        return answer(request, built.json, "application/json", modified=built.built_at, headers=headers)

    async def _package(self, request: web.Request) -> web.Response:
        built = await self.find(request)
        headers = _attachment(built, "zip")
        return answer(request, built.package, "application/zip", modified=built.built_at, headers=headers)

    async def _csv(self, request: web.Request) -> web.Response:
        built, key = await self.find(request), request.match_info["key"]
        if key not in built.tables:
            raise web.HTTPNotFound
        headers = _attachment(built, f"{key}.csv")
        return answer(request, built.tables[key], "text/csv", modified=built.built_at, headers=headers)

    async def _figure(self, request: web.Request) -> web.Response:
        built = await self.find(request)
        content = await self.figure(built, request.match_info["file"])
        if content is None:
            raise web.HTTPNotFound
        return answer(request, content, SVG, cached=FOR_A_DAY, headers=FIGURE_HEADERS)


def _attachment(built: Built, ending: str) -> dict[str, str]:
    """Return the header that names a download, which holds only what a repository's name may hold."""
    name = built.page.repository.replace("/", "-")
    return {"Content-Disposition": f'attachment; filename="rootcause-{name}-{built.page.period}.{ending}"'}
