"""What holds for every answer of the web process: its headers, and how often one address gets one unsigned."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web

from bot.metrics import CUT
from bot.web.limits import Addresses, RateLimit
from bot.web.pages import HEADERS, SERVER

WEBHOOK_PATH = "/webhooks/github"
SIGNED = web.RequestKey("signed", bool)
"""Set once a signature held: such a request is never put off."""

_NEVER_PUT_OFF = frozenset({"/healthz", "/readyz"})
"""A platform asks these all the time, often from the address of its proxy, and would end a process that answers 429."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def protect(app: web.Application, limit: RateLimit, addresses: Addresses) -> None:
    """Put the headers on every answer, errors included, and limit what is asked without a signature."""

    @web.middleware
    async def limited(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path in _NEVER_PUT_OFF:
            return await handler(request)
        if request.path != WEBHOOK_PATH or request.method != "POST":
            return _put_off(limit.wait(addresses.of(request))) or await handler(request)
        # Whether a delivery is signed is known only once its body is read.
        answer = await handler(request)
        if request.get(SIGNED):
            return answer
        return _put_off(limit.wait(addresses.of(request))) or answer

    app.middlewares.append(limited)
    app.on_response_prepare.append(_finish)


def _put_off(seconds: int) -> web.Response | None:
    if not seconds:
        return None
    CUT.labels(reason="too_many").inc()
    text = f"too many requests from this address; ask again in {seconds} s"
    return web.Response(status=429, text=text, headers={"Retry-After": str(seconds)})


async def _finish(_: web.Request, answer: web.StreamResponse) -> None:
    """Give an answer the headers that it has not chosen itself; what is not said to be kept is kept by nobody."""
    for name, value in {**HEADERS, "Cache-Control": "no-store"}.items():
        answer.headers.setdefault(name, value)
    answer.headers["Server"] = SERVER
