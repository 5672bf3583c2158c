"""Bodies of requests as they come in: cut where they are too long or too slow, and bounded in memory all together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

MEGABYTE = 1024 * 1024
BODY_LIMIT = 25 * MEGABYTE
"""GitHub's own cap on a payload, in bytes."""

BODY_SECONDS = 15.0
"""GitHub itself hangs up after 10."""

MOST_AT_ONCE = 100 * MEGABYTE
ALWAYS = 64 * 1024
"""So many bytes of each body are read whatever others hold: nearly every delivery is shorter (12 KB are usual)."""


class BodyTooLongError(Exception):
    """The body is longer than may be sent."""


class BodyTooSlowError(Exception):
    """The body did not come in time."""


class NoRoomError(Exception):
    """Too much is being read already; it may be sent again later."""


class Bodies:
    """Reads bodies; those under way never hold more than `most` bytes together, apart from their beginnings."""

    def __init__(self, limit: int = BODY_LIMIT, seconds: float = BODY_SECONDS, most: int = MOST_AT_ONCE) -> None:
        self._limit = limit
        self._seconds = seconds
        self._most = most
        self._held = 0

    @asynccontextmanager
    async def read(self, request: web.BaseRequest) -> AsyncIterator[bytearray]:
        """Yield the whole body; it counts as held until the block ends.

        Raises:
            BodyTooLongError: by its announced length, or as soon as it passes the limit.
            BodyTooSlowError: it did not come in time.
            NoRoomError: others hold too much.
        """
        held = 0
        body = bytearray()
        if (request.content_length or 0) > self._limit:
            raise BodyTooLongError
        try:
            held = self._hold(held, request.content_length or 0)
            try:
                async with asyncio.timeout(self._seconds):
                    while chunk := await request.content.readany():
                        body += chunk
                        if len(body) > self._limit:
                            raise BodyTooLongError
                        held = self._hold(held, len(body))
            except TimeoutError:
                raise BodyTooSlowError from None
            yield body
        finally:
            self._held -= held

    def _hold(self, held: int, length: int) -> int:
        """Return how many bytes one body holds now of what all may."""
        more = max(0, length - ALWAYS - held)
        if self._held + more > self._most:
            raise NoRoomError
        self._held += more
        return held + more
