"""Serve one page on this machine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from bot.trying.page import POLICY

_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}
_HERE = "127.0.0.1"


@asynccontextmanager
async def served(html: str) -> AsyncIterator[str]:
    """Serve the page and yield its address; only this machine reaches it, under its own name."""

    async def give(request: web.Request) -> web.Response:
        # Another site's name that leads here must not read what a private repository's page shows.
        if request.url.host not in (_HERE, "localhost"):
            raise web.HTTPForbidden(text="This page is served under 127.0.0.1 alone.")
        return web.Response(text=html, content_type="text/html", headers=_HEADERS)

    application = web.Application()
    application.router.add_get("/", give)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, _HERE, 0)
        await site.start()
        port = runner.addresses[0][1]
        yield f"http://{_HERE}:{port}/"
    finally:
        await runner.cleanup()
