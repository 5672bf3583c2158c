"""Hears everything that is said to the sandbox and by it, and writes it down for the judges of another house."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import Any
from unittest.mock import patch

from aiohttp import web

import bot.github
from bot.github.transport import USER_AGENT
from bot.sandbox.graphql import SCHEMA_FILE
from bot.sandbox.sandbox import Sandbox

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Recording:
    """Exchanges as they were heard, the sandboxes they were held with, and the routes that were walked."""

    exchanges: list[dict[str, Any]] = field(default_factory=list)
    sandboxes: list[Sandbox] = field(default_factory=list)
    answered: set[tuple[str, str]] = field(default_factory=set)

    async def _hear(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        response = await handler(request)
        text = await request.text()
        assert isinstance(response, web.Response)
        assert isinstance(response.body, bytes | None)
        if response.status < 300 and request.match_info.route.resource is not None:
            self.answered.add((request.method, request.match_info.route.resource.canonical))
        self.exchanges.append(
            {
                "by_app": request.headers.get("user-agent") == USER_AGENT,
                "method": request.method,
                "path": request.rel_url.raw_path,
                "query": dict(request.query),
                "body": json.loads(text) if text else None,
                "status": response.status,
                "answer": json.loads(response.body) if response.body else None,
            }
        )
        return response

    def listen(self, sandbox: Sandbox, application: web.Application) -> web.Application:
        """Hear what a sandbox is asked and what it answers."""

        @web.middleware
        async def hear(request: web.Request, handler: Handler) -> web.StreamResponse:
            return await self._hear(request, handler)

        self.sandboxes.append(sandbox)
        application.middlewares.append(hear)
        return application

    def texts_sent(self) -> list[str]:
        """Return the GraphQL texts that the App sent."""
        return [one["body"]["query"] for one in self.exchanges if one["by_app"] and one["path"] == "/graphql"]

    def content(self) -> dict[str, Any]:
        """Return exchanges, webhooks, the App's queries and the sandbox's own GraphQL schema, ready for JSON."""
        webhooks = [
            {"event": row.event, "action": row.action, "payload": json.loads(row.payload)}
            for sandbox in self.sandboxes
            for row in sandbox.deliveries
        ]
        return {
            "exchanges": self.exchanges,
            "webhooks": webhooks,
            "queries": list(dict.fromkeys([*queries_of_the_app().values(), *self.texts_sent()])),
            "sandbox_schema": SCHEMA_FILE.read_text(),
        }


def queries_of_the_app() -> dict[str, str]:
    """Return the GraphQL queries that stand in the modules which talk to GitHub, by module and name."""
    modules = [import_module(f"bot.github.{found.name}") for found in iter_modules(bot.github.__path__)]
    texts = {f"{module.__name__}.{name}": value for module in modules for name, value in vars(module).items()}
    return {name: text for name, text in texts.items() if isinstance(text, str) and text.lstrip().startswith("query")}


@contextmanager
def recording() -> Iterator[Recording]:
    """Hear every sandbox that is started meanwhile."""
    heard = Recording()
    original = Sandbox.application

    def application(sandbox: Sandbox) -> web.Application:
        return heard.listen(sandbox, original(sandbox))

    with patch.object(Sandbox, "application", application):
        yield heard
