"""The webhook endpoint: checks the signature over the raw body, stores the delivery, answers 202."""

from __future__ import annotations

import asyncio
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

from bot.deliveries import ACTIONS, Arrival, MalformedPayloadError, arrival
from bot.ingest import REFUSED, Ingest
from bot.log_context import delivery_bound
from bot.metrics import CUT, DELIVERIES
from bot.web.bodies import Bodies, BodyTooLongError, BodyTooSlowError, NoRoomError
from bot.web.protection import SIGNED
from bot.webhook_headers import EVENT, GUID, signature

log = structlog.get_logger(__name__)

_PARSE_IN_THREAD_FROM = 256 * 1024
_SIGNATURE = re.compile(r"sha256=[0-9a-f]{64}")


@dataclass
class Identity:
    """Who the App is on GitHub: its slug, its bot account's numeric id and its page's address once they are known."""

    slug: str
    bot_id: int | None = None
    page: str | None = None


class Webhook:
    """Handles `POST /webhooks/github`; nothing is stored or parsed before the signature held."""

    def __init__(
        self, ingest: Ingest, secrets: Sequence[SecretStr], identity: Identity, bodies: Bodies | None = None
    ) -> None:
        self._ingest = ingest
        self._bodies = bodies or Bodies()
        self._secrets = [secret.get_secret_value() for secret in secrets]
        self.identity = identity

    async def handle(self, request: web.Request) -> web.Response:
        """Answer 202, or the 4xx that says what is wrong with the request, or 503 while the database is away."""
        if not self._secrets:
            return _refuse(503, "no webhook secret is set, so no delivery can be trusted: set ROOTCAUSE_WEBHOOK_SECRET")
        event = request.headers.get("X-GitHub-Event", "")
        guid = request.headers.get("X-GitHub-Delivery", "")
        given = request.headers.get("X-Hub-Signature-256", "")
        if not EVENT.fullmatch(event):
            return _refuse(400, "the header X-GitHub-Event is missing or malformed")
        if not GUID.fullmatch(guid):
            return _refuse(400, "the header X-GitHub-Delivery is missing or malformed")
        if not _SIGNATURE.fullmatch(given):
            return _refuse(401, "the header X-Hub-Signature-256 is missing or malformed")
        if request.content_type != "application/json":
            return _refuse(415, "set the webhook's content type to application/json")
        if "Content-Encoding" in request.headers:
            return _refuse(415, "send the body as it is: the signature covers what was sent, and GitHub packs nothing")
        try:
            async with self._bodies.read(request) as body:
                if not self._signed(body, given):
                    return _refuse(401, "the signature does not fit the body: compare the webhook secret on both sides")
                request[SIGNED] = True
                return await self._accept(guid, event, body)
        except BodyTooLongError:
            return _refuse(413, "the body is over 25 MB")
        except BodyTooSlowError:
            CUT.labels(reason="slow_body").inc()
            return _refuse(408, "the body did not come in time")
        except NoRoomError:
            CUT.labels(reason="no_room").inc()
            return _refuse(503, "too many large bodies at once; deliver again later")
        except (RequestPayloadError, ConnectionError):
            return _refuse(400, "the body broke off or is not framed as HTTP has it")

    async def _accept(self, guid: str, event: str, body: bytearray) -> web.Response:
        try:
            big = len(body) > _PARSE_IN_THREAD_FROM
            payload = await asyncio.to_thread(_parse, body) if big else _parse(body)
            kept = arrival(guid, event, payload, bot_id=self.identity.bot_id, slug=self.identity.slug)
        except (ValueError, RecursionError):
            return _refuse(400, "the body is not the JSON object that this event has")
        if kept is None:
            # The signature does not cover the event's name: a delivery sent again under made-up names fills no memory.
            DELIVERIES.labels(event=event if event in ACTIONS else "other", outcome="dropped").inc()
            return web.Response(status=202, text="not for us")
        with delivery_bound(kept):
            return await self._store(kept)

    async def _store(self, kept: Arrival) -> web.Response:
        try:
            await self._ingest.store(kept)
        except REFUSED:
            return _refuse(400, "the database cannot hold this payload")
        except (psycopg.Error, OSError):
            log.warning("delivery not stored: the database is away")
            return _refuse(503, "the database is away; deliver again later")
        DELIVERIES.labels(event=kept.event, outcome="stored").inc()
        return web.Response(status=202, text="stored")

    def _signed(self, body: bytearray, given: str) -> bool:
        # Every secret is tried, so that the time taken says nothing about which one fits.
        fits = [hmac.compare_digest(signature(body, secret), given) for secret in self._secrets]
        return any(fits)


def _parse(body: bytearray) -> dict[str, Any]:
    """Return the object that the body spells; raises ValueError or RecursionError where it is none.

    It is decoded here, not by the parser, which would take UTF-16 too.
    """
    payload = _DECODER.decode(body.decode())
    if not isinstance(payload, dict):
        raise MalformedPayloadError("not an object")
    return payload


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _refuse(status: int, sentence: str) -> web.Response:
    DELIVERIES.labels(event="unknown", outcome=f"refused_{status}").inc()
    return web.json_response({"error": sentence}, status=status)
