"""Answers of pages that cannot be shown: nothing there, no such address, too many asking, or the database away."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from aiohttp import web

from bot.queue import DATABASE_AWAY
from bot.web.pages import answer, write_page
from bot.web.reports.builds import BusyError

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_AGAIN_SECONDS = 10
_READERS = frozenset({"GET", "HEAD"})
_FOR_PROGRAMS = re.compile(r"^/webhooks(?:/|$)|\.json$")


def said_kindly(handler: Handler) -> Handler:
    """Answer with a page where there is nothing to show, too many are asking, or the database is away."""

    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except web.HTTPNotFound:
            return _missing(request)
        except (BusyError, *DATABASE_AWAY):
            page = write_page("busy.html", seconds=_AGAIN_SECONDS)
            return answer(request, page, "text/html", status=503, headers={"Retry-After": str(_AGAIN_SECONDS)})

    return handle


@web.middleware
async def lost_kindly(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer with the same page at an address that nothing is at, where a reader asked and no program."""
    try:
        return await handler(request)
    except web.HTTPNotFound:
        # What answers at an address of its own says itself why there is nothing.
        of_nobody = request.match_info.http_exception is not None
        if of_nobody and request.method in _READERS and not _FOR_PROGRAMS.search(request.path):
            return _missing(request)
        raise


def _missing(request: web.Request) -> web.Response:
    return answer(request, write_page("missing.html"), "text/html", status=404)
