"""Answers of pages that cannot be shown: nothing there, too many asking, or the database away."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web

from bot.queue import DATABASE_AWAY
from bot.web.pages import answer, write_page
from bot.web.reports.builds import BusyError

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_AGAIN_SECONDS = 10


def said_kindly(handler: Handler) -> Handler:
    """Answer with a page where there is nothing to show, too many are asking, or the database is away."""

    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except web.HTTPNotFound:
            return answer(request, write_page("missing.html"), "text/html", status=404)
        except (BusyError, *DATABASE_AWAY):
            page = write_page("busy.html", seconds=_AGAIN_SECONDS)
            return answer(request, page, "text/html", status=503, headers={"Retry-After": str(_AGAIN_SECONDS)})

    return handle
