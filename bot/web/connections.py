"""Connections that cannot be held open for nothing: slow heads, slow readers and too many at once are cut."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from bot.metrics import CUT
from bot.web.pages import HEADERS, SERVER


@dataclass(frozen=True)
class Patience:
    """How long a connection may take, in seconds, and how many may be open at once.

    `head`: until the first request's head is complete, and any later one from its first bytes. `reading`: until some of
    an answer is taken. `rest`: for what is left of a body that was refused. Below the 1,024 files that a process may
    usually open there must be room for the database and for GitHub.
    """

    head: float = 10.0
    reading: float = 60.0
    rest: float = 5.0
    most: int = 500


class _Connection(RequestHandler):
    __slots__ = ("_patience", "_until_head", "_until_read", "reading_since", "waiting_since")

    def __init__(self, manager: _Server, *, patience: Patience, **more: Any) -> None:
        super().__init__(manager, lingering_time=patience.rest, **more)
        self._patience = patience
        self._until_head: asyncio.TimerHandle | None = None
        self._until_read: asyncio.TimerHandle | None = None
        self.waiting_since = self.reading_since = self._loop.time()

    @property
    def is_waiting(self) -> bool:
        """Whether no request is under way: the next one's head has not come or is not complete."""
        return self._waiter is not None and not self._waiter.done()

    @property
    def is_reading(self) -> bool:
        """Whether a request is under way whose body has not come to its end."""
        return self._current_request is not None and not self._current_request.content.is_eof()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection up, unless there are too many and all of them are being answered."""
        manager = self._manager
        super().connection_made(transport)
        if isinstance(manager, _Server) and not manager.make_room(self):
            self.cut("crowded")
            return
        self._until_head = self._after(self._patience.head, self._head_is_late)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Forget the timers."""
        _stop(self._until_head)
        self._until_head = None
        _stop(self._until_read)
        self._until_read = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; the time for a head runs while bytes came and no request is complete."""
        super().data_received(data)
        if not self.is_waiting:
            if self._messages:
                _stop(self._until_head)
                self._until_head = None
                self.reading_since = self._loop.time()
            self.waiting_since = self._loop.time()
        elif self._until_head is None:
            self._until_head = self._after(self._patience.head, self._head_is_late)

    def pause_writing(self) -> None:
        """Wait for a reader who is slower than the answer, but not for good."""
        super().pause_writing()
        self._until_read = self._after(self._patience.reading, lambda: self.cut("slow_reader"))

    def resume_writing(self) -> None:
        """Go on."""
        super().resume_writing()
        _stop(self._until_read)
        self._until_read = None

    def handle_error(
        self, request: Any, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        """Answer what is no HTTP, or met a bug of ours, under the same rules as any page."""
        answer = super().handle_error(request, status, exc, message)
        answer.headers.update({**HEADERS, "Cache-Control": "no-store", "Server": SERVER})
        return answer

    def cut(self, reason: str) -> None:
        """End the connection at once."""
        CUT.labels(reason=reason).inc()
        transport = self.transport
        self.force_close()
        if transport is not None:
            transport.abort()

    def _head_is_late(self) -> None:
        self._until_head = None
        if self.is_waiting:
            self.cut("slow_head")

    def _after(self, seconds: float, act: Callable[[], None]) -> asyncio.TimerHandle:
        return self._loop.call_later(seconds, act)


class _Server(web.Server):
    def __init__(self, made: web.Server, patience: Patience, **more: Any) -> None:
        super().__init__(made.request_handler, request_factory=made.request_factory, **more)
        self._patience = patience
        self._more = more

    def __call__(self) -> RequestHandler:
        return _Connection(self, patience=self._patience, loop=self._loop, **self._more)

    def make_room(self, newest: RequestHandler) -> bool:
        """Cut the connection that has waited longest where there are too many, or that has sent its body for longest.

        Bodies that come slowly, from whomever, must not keep out a delivery, whose body is there at once. Return False
        where there is no such connection.
        """
        if len(self._connections) <= self._patience.most:
            return True
        others = [one for one in self._connections if isinstance(one, _Connection) and one is not newest]
        if waiting := [one for one in others if one.is_waiting]:
            min(waiting, key=lambda one: one.waiting_since).cut("crowded")
            return True
        if reading := [one for one in others if one.is_reading]:
            min(reading, key=lambda one: one.reading_since).cut("crowded")
            return True
        return False


class Runner(web.AppRunner):
    """Runs an application on connections of limited patience."""

    __slots__ = ("_patience",)

    def __init__(self, app: web.Application, patience: Patience, **more: Any) -> None:
        super().__init__(app, **more)
        self._patience = patience

    async def _make_server(self) -> web.Server:
        return _Server(await super()._make_server(), self._patience, **self._kwargs)


def _stop(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
