"""The webhook endpoint: checks the signature over the raw body, stores the delivery, answers 202."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import psycopg
import structlog
from aiohttp import web
from aiohttp.web_protocol import RequestPayloadError
from pydantic import SecretStr

from bot.deliveries import Arrival, MalformedPayloadError, arrival
from bot.ingest import REFUSED, Ingest
from bot.metrics import DELIVERIES

log = structlog.get_logger(__name__)

BODY_LIMIT = 25 * 1024 * 1024
"""GitHub's own cap on a payload, in bytes."""

_PARSE_IN_THREAD_FROM = 256 * 1024
_GUID = re.compile(r"[0-9A-Za-z-]{1,64}")
_EVENT = re.compile(r"[a-z0-9_]{1,64}")
_SIGNATURE = re.compile(r"sha256=[0-9a-f]{64}")


@dataclass
class Identity:
    """Who the App is on GitHub: its slug, and its bot account's numeric id once that is known."""

    slug: str
    bot_id: int | None = None


class Webhook:
    """Handles `POST /webhooks/github`; nothing is stored or parsed before the signature held."""

    def __init__(self, ingest: Ingest, secrets: Sequence[SecretStr], identity: Identity) -> None:
        self._ingest = ingest
        self._secrets = [secret.get_secret_value().encode() for secret in secrets]
        self._identity = identity

    async def handle(self, request: web.Request) -> web.Response:
        """Answer 202, or the 4xx that says what is wrong with the request, or 503 while the database is away."""
        if not self._secrets:
            return _refuse(503, "no webhook secret is set, so no delivery can be trusted: set ROOTCAUSE_WEBHOOK_SECRET")
        event = request.headers.get("X-GitHub-Event", "")
        guid = request.headers.get("X-GitHub-Delivery", "")
        signature = request.headers.get("X-Hub-Signature-256", "")
        if not _EVENT.fullmatch(event):
            return _refuse(400, "the header X-GitHub-Event is missing or malformed")
        if not _GUID.fullmatch(guid):
            return _refuse(400, "the header X-GitHub-Delivery is missing or malformed")
        if not _SIGNATURE.fullmatch(signature):
            return _refuse(401, "the header X-Hub-Signature-256 is missing or malformed")
        if request.content_type != "application/json":
            return _refuse(415, "set the webhook's content type to application/json")
        if "Content-Encoding" in request.headers:
            return _refuse(415, "send the body as it is: the signature covers what was sent, and GitHub packs nothing")
        if request.content_length is not None and request.content_length > BODY_LIMIT:
            return _refuse(413, "the body is over 25 MB")
        try:
            body = await request.read()
        except web.HTTPRequestEntityTooLarge:
            return _refuse(413, "the body is over 25 MB")
        except (RequestPayloadError, ConnectionError):
            return _refuse(400, "the body broke off or is not framed as HTTP has it")
        if not self._signed(body, signature):
            return _refuse(401, "the signature does not fit the body: compare the webhook secret on both sides")
        try:
            big = len(body) > _PARSE_IN_THREAD_FROM
            text, payload = await asyncio.to_thread(_parse, body) if big else _parse(body)
            kept = arrival(guid, event, payload, text, bot_id=self._identity.bot_id, slug=self._identity.slug)
        except (ValueError, RecursionError):
            return _refuse(400, "the body is not the JSON object that this event has")
        if kept is None:
            DELIVERIES.labels(event=event, outcome="dropped").inc()
            return web.Response(status=202, text="not for us")
        return await self._store(kept)

    async def _store(self, kept: Arrival) -> web.Response:
        try:
            await self._ingest.store(kept)
        except REFUSED:
            return _refuse(400, "the database cannot hold this payload")
        except (psycopg.Error, OSError):
            log.warning("delivery not stored: the database is away", delivery=kept.guid)
            return _refuse(503, "the database is away; deliver again later")
        DELIVERIES.labels(event=kept.event, outcome="stored").inc()
        return web.Response(status=202, text="stored")

    def _signed(self, body: bytes, signature: str) -> bool:
        given = signature.removeprefix("sha256=")
        # Every secret is tried, so that the time taken says nothing about which one fits.
        fits = [hmac.compare_digest(hmac.digest(secret, body, hashlib.sha256).hex(), given) for secret in self._secrets]
        return any(fits)


def _parse(body: bytes) -> tuple[str, dict[str, Any]]:
    """Return the body as text and as the object it spells; raises ValueError or RecursionError where it is none.

    It is decoded here, not by the parser, which would take UTF-16 too: what is stored must be parsed again later.
    """
    text = body.decode()
    payload = json.loads(text, parse_constant=_refuse_constant)
    if not isinstance(payload, dict):
        raise MalformedPayloadError("not an object")
    return text, payload


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _refuse(status: int, sentence: str) -> web.Response:
    DELIVERIES.labels(event="unknown", outcome=f"refused_{status}").inc()
    return web.json_response({"error": sentence}, status=status)
