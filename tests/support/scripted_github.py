"""A loopback HTTP server that answers as a test scripts it, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import web
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from pydantic import SecretStr

from bot.github.app import GitHubApp
from bot.github.auth import FixedToken
from bot.github.client import GitHubClient
from bot.github.transport import Transport
from tests.support.clock import VirtualClock

_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PRIVATE_KEY = _KEY.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
).decode()
PUBLIC_KEY = _KEY.public_key()


@dataclass(frozen=True)
class Seen:
    """One request that arrived; `query` holds its decoded parameters."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True)
class Answer:
    """What to answer: `body` as JSON, or `raw` bytes; `silent` never answers, `dropped` hangs up."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    silent: bool = False
    dropped: bool = False


Script = Answer | Callable[[Seen], Answer]


class ScriptedGitHub:
    """Answers by method and path; of several answers the last one stays. Anything unscripted is a 404."""

    def __init__(self) -> None:
        self.url = ""
        self.seen: list[Seen] = []
        self._scripts: dict[tuple[str, str], list[Script]] = {}

    def on(self, method: str, path: str, *answers: Script) -> None:
        """Script the answers to a method and path."""
        self._scripts[method, path] = list(answers)

    def asked(self, method: str, path: str) -> list[Seen]:
        """Return the requests that came for a method and path."""
        return [seen for seen in self.seen if (seen.method, seen.path) == (method, path)]

    def writes(self) -> list[Seen]:
        """Return every request that would change something, tokens apart."""
        return [s for s in self.seen if s.method != "GET" and not s.path.endswith(("/access_tokens", "/graphql"))]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        content = await request.read()
        headers = {name.lower(): value for name, value in request.headers.items()}
        body = json.loads(content) if content else None
        seen = Seen(request.method, request.path, dict(request.query), headers, body)
        self.seen.append(seen)
        script = self._scripts.get((seen.method, seen.path), [Answer(404, {"message": "Not Found"})])
        answer = script.pop(0) if len(script) > 1 else script[0]
        if not isinstance(answer, Answer):
            answer = answer(seen)
        if answer.silent:
            await asyncio.sleep(30)
        if answer.dropped and request.transport is not None:
            request.transport.close()
        if answer.raw is not None:
            return web.Response(status=answer.status, body=answer.raw, headers=answer.headers)
        if answer.status in (204, 304):
            return web.Response(status=answer.status, headers=answer.headers)
        return web.json_response(answer.body, status=answer.status, headers=answer.headers)


@dataclass
class Stage:
    """A scripted GitHub, a virtual clock and the clients between them."""

    github: ScriptedGitHub
    clock: VirtualClock
    session: aiohttp.ClientSession

    def app(self) -> GitHubApp:
        """Return App 77 of this stage."""
        return GitHubApp(
            app_id=77,
            private_key=PRIVATE_KEY,
            api_url=self.github.url,
            graphql_url=self.github.url + "/graphql",
            session=self.session,
            clock=self.clock,
        )

    def client(self, timeout: float = 10) -> GitHubClient:
        """Return a client with a fixed token that gives up after so many real seconds."""
        limit = aiohttp.ClientTimeout(total=timeout)
        transport = Transport(self.session, self.clock, self.github.url, self.github.url + "/graphql", limit)
        return GitHubClient(transport, FixedToken(SecretStr("ghs_fixed")))


@asynccontextmanager
async def open_stage() -> AsyncIterator[Stage]:
    """Serve a scripted GitHub on a free loopback port for as long as the context lasts."""
    github = ScriptedGitHub()
    app = web.Application(client_max_size=4 * 1024 * 1024)
    app.router.add_route("*", "/{path:.*}", github.handle)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    github.url = f"http://{host}:{port}"
    try:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
            yield Stage(github, VirtualClock(), session)
    finally:
        await runner.cleanup()
