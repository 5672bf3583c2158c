"""The webhook endpoint alone, on a real database: what stands behind it never runs, so a test sees what was stored."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import io
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

import aiohttp
from aiohttp import web
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool
from pydantic import SecretStr

from bot.clock import SystemClock
from bot.ingest import Ingest
from bot.services import open_pool
from bot.settings import Settings
from bot.store.database import Database
from bot.web.app import create_app
from bot.web.bodies import Bodies
from bot.web.connections import Patience
from bot.web.limits import RateLimit
from bot.web.reports.routes import ReportPages
from bot.web.server import create_runner
from bot.web.webhook import Identity, Webhook

SECRET = "the-secret-of-these-tests"
BOT_ID = 41_898_282
REPOSITORY_ID = 65_600_975
_numbers = count(1)


def new_guid() -> str:
    """Return a delivery's identifier in GitHub's form, another one each time."""
    return f"72d3162e-cc78-11e3-81ab-{next(_numbers):012x}"


def issue_event(action: str = "closed", number: int = 7, **more: Any) -> dict[str, Any]:
    """Return what the door reads of an `issues` event; `more` replaces or adds top-level fields."""
    return {
        "action": action,
        "issue": {"id": 9_000 + number, "number": number, "title": "Memory grows", "user": {"id": 5, "login": "ann"}},
        "repository": {"id": REPOSITORY_ID, "full_name": "pytorch/pytorch"},
        "installation": {"id": 31},
        "sender": {"id": 5, "login": "ann", "type": "User"},
        **more,
    }


def comment_event(body: Any, action: str = "created", number: int = 7, **more: Any) -> dict[str, Any]:
    """Return what the door reads of an `issue_comment` event."""
    return {**issue_event(action, number), "comment": {"id": 77, "body": body}, **more}


def signature(body: bytes, secret: str = SECRET) -> str:
    """Return the value of X-Hub-Signature-256 for a body."""
    return "sha256=" + hmac.digest(secret.encode(), body, hashlib.sha256).hex()


def headers(body: bytes, event: str = "issues", guid: str | None = None, secret: str = SECRET) -> dict[str, str]:
    """Return the headers GitHub sends along, signature included."""
    return {
        "Content-Type": "application/json",
        "X-GitHub-Event": event,
        "X-GitHub-Delivery": guid or new_guid(),
        "X-Hub-Signature-256": signature(body, secret),
    }


@dataclass
class Door:
    """A webhook endpoint that listens; `send` posts, `deliveries` and `jobs` say what is in the database."""

    port: int
    session: aiohttp.ClientSession
    pool: AsyncConnectionPool
    ingest: Ingest

    def url(self, path: str = "/webhooks/github") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    async def send(
        self, payload: Mapping[str, Any] | bytes, event: str = "issues", guid: str | None = None, **changed: str | None
    ) -> tuple[int, str]:
        """Post a signed delivery and return status and text; `changed` replaces headers, None drops one."""
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        sent: dict[str, str] = headers(body, event, guid)
        for name, value in changed.items():
            sent.pop(name.replace("_", "-"), None)
            if value is not None:
                sent[name.replace("_", "-")] = value
        async with self.session.post(self.url(), data=io.BytesIO(body), headers=sent) as answer:
            return answer.status, await answer.text()

    async def rows(self, query: str) -> list[dict[str, Any]]:
        async with self.pool.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            await cursor.execute(query.encode())
            return await cursor.fetchall()

    async def deliveries(self) -> list[dict[str, Any]]:
        return await self.rows("SELECT * FROM delivery ORDER BY sequence")

    async def jobs(self) -> list[dict[str, Any]]:
        return await self.rows("SELECT * FROM procrastinate_jobs ORDER BY id")


@asynccontextmanager
async def open_door(
    database: Database,
    *,
    secrets: Sequence[str] = (SECRET,),
    bot_id: int | None = BOT_ID,
    settle_seconds: float = 25.0,
    trusted_proxies: int = 0,
    limit: RateLimit | None = None,
    bodies: Bodies | None = None,
    patience: Patience | None = None,
) -> AsyncIterator[Door]:
    """Let a webhook endpoint listen on a free port, with the one writer behind it."""
    hidden = tuple(SecretStr(secret) for secret in secrets)
    async with AsyncExitStack() as stack:
        pool = await stack.enter_async_context(open_pool(database.conninfo, 5))
        ingest = Ingest(pool, settle_seconds)
        storing = asyncio.create_task(ingest.run())
        stack.callback(storing.cancel)
        webhook = Webhook(ingest, hidden, Identity("rootcause", bot_id), bodies)
        settings = Settings(webhook_secret=hidden, settle_seconds=settle_seconds, trusted_proxies=trusted_proxies)
        app = create_app(settings, webhook, pool, ReportPages(database, SystemClock()), limit=limit)
        runner = create_runner(app, patience)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        session = await stack.enter_async_context(aiohttp.ClientSession())
        yield Door(runner.addresses[0][1], session, pool, ingest)
