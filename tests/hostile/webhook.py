"""The webhook endpoint, from the bytes of a connection to what would be stored: the real server, without a socket."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from typing import Any

from aiohttp import web
from psycopg_pool import AsyncConnectionPool
from pydantic import SecretStr

from bot.deliveries import ACTIONS, Arrival
from bot.ingest import Ingest
from bot.settings import Settings
from bot.web.app import create_app
from bot.web.connections import Patience
from bot.web.limits import RateLimit
from bot.web.reports.routes import ReportPages
from bot.web.server import create_runner
from bot.web.webhook import Identity, Webhook
from tests.hostile.surface import Surface
from tests.hostile.webhook_cases import EVENTS, HEADERS_END, MADE, SEEDS, SIGNED, WORDS, lines_of, request_of
from tests.support.door import BOT_ID, SECRET

_STATUS = re.compile(rb"^HTTP/1\.[01] (\d{3}) ", re.MULTILINE)
_IDLE_TURNS = 25
"""Turns of the loop without a word from the server, after which it waits for more and gets none."""


class _Wire(asyncio.Transport):
    """The server's side of a connection whose other side is this module."""

    def __init__(self) -> None:
        super().__init__()
        self.written = bytearray()
        self.closed = False

    def write(self, data: Any) -> None:
        self.written += data

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("127.0.0.1", 50_000) if name == "peername" else default

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = True

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


class _Storing(Ingest):
    """Takes what the endpoint stores, and holds it against what the columns of the database can hold."""

    def __init__(self, pool: AsyncConnectionPool) -> None:
        super().__init__(pool, settle_seconds=0)
        self.stored: list[Arrival] = []

    async def store(self, arrival: Arrival) -> None:
        assert isinstance(json.loads(arrival.payload), dict)
        for text in (arrival.guid, arrival.unit, arrival.event, arrival.action or "", arrival.payload):
            assert "\0" not in text
            text.encode()
        for number in (arrival.installation_id, arrival.repository_id, arrival.sender_id):
            assert number is None or 0 < number < 2**63
        assert arrival.number is None or 0 < arrival.number < 2**31
        assert arrival.action in ACTIONS[arrival.event]
        assert len(arrival.unit) < 100
        self.stored.append(arrival)


class _NoPages(ReportPages):
    """No pages of reports, which need a database."""

    def __init__(self) -> None: ...

    def add_routes(self, app: web.Application) -> None: ...


class _Errors(logging.Handler):
    """Collects what the server logs as its own errors."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        # The server itself turns the level of what is the sender's fault.
        if record.levelno >= logging.ERROR:
            self.seen.append(f"{record.getMessage()} {record.exc_info}")


class _Endpoint:
    """The endpoint in a loop of its own."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.errors = _Errors()
        logging.getLogger().addHandler(self.errors)
        self.loop.set_exception_handler(lambda _, context: self.errors.seen.append(str(context)))
        self.runner, self.storing = self.loop.run_until_complete(self._open())

    async def _open(self) -> tuple[web.AppRunner, _Storing]:
        pool = AsyncConnectionPool("host=127.0.0.1", open=False)
        storing = _Storing(pool)
        hidden = (SecretStr(SECRET),)
        webhook = Webhook(storing, hidden, Identity("rootcause", BOT_ID))
        endless = RateLimit(burst=2**60)
        app = create_app(Settings(webhook_secret=hidden), webhook, pool, _NoPages(), limit=endless)
        # Waiting for the rest of a body that was refused takes seconds, and nothing more comes here.
        runner = create_runner(app, Patience(rest=0))
        await runner.setup()
        return runner, storing

    def send(self, request: bytes) -> list[int]:
        """Send the bytes of a connection, hang up, and return the status of each answer."""
        self.storing.stored.clear()
        return self.loop.run_until_complete(self._send(request))

    async def _send(self, request: bytes) -> list[int]:
        server = self.runner.server
        assert server is not None
        protocol, wire = server(), _Wire()
        protocol.connection_made(wire)
        protocol.data_received(request)
        await self._idle(wire)
        protocol.connection_lost(None)
        for _ in range(_IDLE_TURNS):
            if not server.connections:
                break
            await asyncio.sleep(0)
        assert not server.connections, f"a connection is left: {asyncio.all_tasks()}"
        assert not self.errors.seen, self.errors.seen
        return [int(status) for status in _STATUS.findall(wire.written)]

    async def _idle(self, wire: _Wire) -> None:
        idle = 0
        while idle < _IDLE_TURNS and not wire.closed:
            before = len(wire.written)
            await asyncio.sleep(0)
            idle = idle + 1 if len(wire.written) == before else 0


_ENDPOINT = _Endpoint()


def _signed(content: bytes) -> None:
    """Somebody who has the secret sends a body: whatever it is, there is one answer, and it is no error of ours."""
    event, body = EVENTS[content[0] % len(EVENTS)] if content else EVENTS[0], content[1:]
    (status,) = _ENDPOINT.send(request_of(lines_of(body, event), body))
    assert status == 202 or 400 <= status < 500, status
    assert len(_ENDPOINT.storing.stored) <= (status == 202)


def _unsigned(content: bytes) -> None:
    """Somebody without it sends headers and a body."""
    given, _, body = content.partition(HEADERS_END)
    length = b"\r\nContent-Length: " + str(len(body)).encode()
    _refused_or_replayed(content, request_of(given.replace(b"\n", b"\r\n") + length, body))


def _raw(content: bytes) -> None:
    """Somebody sends bytes."""
    _refused_or_replayed(content, content)


def _refused_or_replayed(content: bytes, request: bytes) -> None:
    for status in _ENDPOINT.send(request):
        assert status < 500 or (status == 503 and b"/readyz" in content), status
    assert not _ENDPOINT.storing.stored or SIGNED in content, "stored without a signature"


_FORMS = (_signed, _unsigned, _raw)


def _target(case: bytes) -> None:
    _FORMS[case[0] % len(_FORMS) if case else 0](case[1:])


SURFACE = Surface(
    target=_target,
    seeds=SEEDS,
    words=WORDS,
    made=MADE,
    longest=32_768,
)
