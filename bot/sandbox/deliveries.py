"""Sends queued webhooks over HTTP as GitHub does, signed, and keeps what was answered."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time

import aiohttp

from bot.sandbox.outbox import Outbox
from bot.sandbox.records import Delivery
from bot.sandbox.world import World

HOOK_ID = 480_000_001
TIMEOUT_SECONDS = 10.0
_KEPT_CHARACTERS = 2_000


class Courier:
    """Sends deliveries to one address, several at a time; GitHub itself never tries twice."""

    def __init__(self, world: World, outbox: Outbox, url: str | None, secret: str) -> None:
        self._world = world
        self._outbox = outbox
        self.url = url
        self.secret = secret
        self._under_way: set[int] = set()

    @property
    def url(self) -> str | None:
        """The address of the App's webhook."""
        return self._world.hook_url

    @url.setter
    def url(self, url: str | None) -> None:
        self._world.hook_url = url

    def pending(self) -> list[Delivery]:
        """List the deliveries that wait to be sent, in the order of what happened."""
        waiting = (row for row in self._world.deliveries.values() if row.delivered_at is None)
        return [row for row in waiting if row.id not in self._under_way]

    async def deliver(self, concurrency: int = 10) -> list[Delivery]:
        """Send everything that waits and return it with its answers; raise ValueError without an address."""
        if self.url is None:
            raise ValueError("The local GitHub has no webhook_url to deliver to.")
        sent = self.pending()
        places = asyncio.Semaphore(concurrency)
        self._under_way.update(row.id for row in sent)
        timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
        connector = aiohttp.TCPConnector(limit=concurrency)
        try:
            async with aiohttp.ClientSession(timeout=timeout, connector=connector) as session:
                await asyncio.gather(*(self._send(session, places, row) for row in sent))
        finally:
            self._under_way.difference_update(row.id for row in sent)
            self._world.commit()
        return sent

    async def run(self) -> None:
        """Deliver whatever is queued as soon as it is queued, until cancelled."""
        while True:
            if not self.pending():
                self._outbox.waiting.clear()
                await self._outbox.waiting.wait()
            await self.deliver()

    def redeliver_failed(self) -> list[Delivery]:
        """Queue again every delivery whose last attempt was not answered with 2xx."""
        last: dict[str, Delivery] = {}
        for row in self._world.deliveries.values():
            last[row.guid] = row
        failed = [row for row in last.values() if row.delivered_at is not None and not 200 <= row.status_code < 300]
        return [self._outbox.again(row) for row in failed]

    def headers(self, delivery: Delivery, body: bytes) -> dict[str, str]:
        """Make the headers of a delivery, with its signature over the raw body."""
        signature = hmac.new(self.secret.encode(), body, hashlib.sha256).hexdigest()
        return {
            "Accept": "*/*",
            "Content-Type": "application/json",
            "User-Agent": "GitHub-Hookshot/0000000",
            "X-GitHub-Delivery": delivery.guid,
            "X-GitHub-Event": delivery.event,
            "X-GitHub-Hook-ID": str(HOOK_ID),
            "X-GitHub-Hook-Installation-Target-ID": str(self._world.app.id),
            "X-GitHub-Hook-Installation-Target-Type": "integration",
            "X-Hub-Signature-256": f"sha256={signature}",
        }

    async def _send(self, session: aiohttp.ClientSession, places: asyncio.Semaphore, delivery: Delivery) -> None:
        body = delivery.payload.encode("utf-8", "replace")
        headers = self.headers(delivery, body)
        async with places:
            started = time.perf_counter()
            try:
                async with session.post(self.url or "", data=body, headers=headers) as response:
                    delivery.status_code, delivery.status = response.status, response.reason or ""
                    delivery.response_headers = dict(response.headers)
                    delivery.response_body = (await response.text(errors="replace"))[:_KEPT_CHARACTERS]
            except TimeoutError:
                delivery.status_code, delivery.status = 504, "timed out"
            except aiohttp.ClientError:
                delivery.status_code, delivery.status = 502, "failed to connect to host"
        if 200 <= delivery.status_code < 300:
            delivery.status = "OK"
        delivery.duration = time.perf_counter() - started
        delivery.delivered_at = self._world.now()
        delivery.request_headers = {**headers, "X-Hub-Signature-256": "sha256=(hidden)"}
        self._world.touch(delivery)
