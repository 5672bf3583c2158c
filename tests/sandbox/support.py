"""A small local GitHub, and a plain HTTP client for it with the App's token where asked for."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import jwt

from bot.clock import Clock
from bot.sandbox.app_identity import new_private_key
from bot.sandbox.limits import Limits
from bot.sandbox.sandbox import Sandbox
from bot.sandbox.state import Role

_KEY = new_private_key()
ROLES: dict[str, Role] = {"tess": "triage", "walt": "write", "ada": "admin"}


def small_github(clock: Clock, storage_path: Path | None = None, limits: Limits | None = None) -> Sandbox:
    """Make one organization with two repositories, another's public one, some people, and install the App on one."""
    github = Sandbox(clock, storage_path, secret="sandbox-support-secret", limits=limits, private_key=_KEY)
    github.add_owner("acme")
    github.add_repository("acme", "frame", stars=12, forks=3, watches=4)
    github.add_repository("acme", "hidden", private=True)
    github.add_repository("other", "public")
    for login, role in ROLES.items():
        github.grant("acme/frame", login, role)
    github.add_user("stranger")
    github.install("acme", ["frame"])
    return github


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Any
    body: Any


@dataclass(frozen=True)
class Client:
    """Sends requests with one authorization."""

    session: aiohttp.ClientSession
    base_url: str
    authorization: str | None

    async def send(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send a request and return the answer; header names are written with underscores."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.authorization is not None:
            sent["authorization"] = self.authorization
        url = path if path.startswith("http") else self.base_url + path
        async with self.session.request(method, url, json=body, headers=sent, allow_redirects=False) as response:
            text = await response.text()
            is_json = response.content_type == "application/json" and text
            return Answer(response.status, response.headers, await response.json() if is_json else text)

    async def graphql(self, query: str, **variables: Any) -> Any:
        """Send a GraphQL query and return its body."""
        return (await self.send("POST", "/graphql", {"query": query, "variables": variables})).body

    def acting(self, authorization: str | None) -> Client:
        """Return the same client with another authorization."""
        return Client(self.session, self.base_url, authorization)


def app_jwt(sandbox: Sandbox, *, issued: int = -30, life: int = 500, **claims: Any) -> str:
    """Make a JWT of the App; `issued` in seconds from now on the sandbox's clock."""
    now = int(sandbox.world.clock.now().timestamp())
    claims = {"iat": now + issued, "exp": now + issued + life, "iss": str(sandbox.app.id), **claims}
    return jwt.PyJWS().encode(json.dumps(claims).encode(), sandbox.private_key, algorithm="RS256")


@asynccontextmanager
async def connected(sandbox: Sandbox, owner: str = "acme") -> AsyncIterator[Client]:
    """Serve and yield a client with a token for the App's installation on an owner."""
    async with sandbox.running() as base_url, aiohttp.ClientSession() as session:
        app = Client(session, base_url, f"Bearer {app_jwt(sandbox)}")
        installation = sandbox.installation(owner)
        answer = await app.send("POST", f"/app/installations/{installation.id}/access_tokens")
        assert answer.status == 201, answer.body
        yield app.acting(f"token {answer.body['token']}")
