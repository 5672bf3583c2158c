"""Sending one write: paced, followed where its repository was renamed, looked for before it is repeated."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

import structlog

from bot.clock import Clock
from bot.github.client import GitHubClient
from bot.github.errors import Moved, RateLimited, Transient
from bot.github.limits import PATIENCE, Pacer

READ_BACK_SECONDS = 2.0
"""How long GitHub's replicas are given before a write is looked for."""

_log = structlog.get_logger(__name__)

T = TypeVar("T")


class Sender:
    """Sends the writes of one installation, each in its own moment."""

    def __init__(self, client: GitHubClient, pacer: Pacer, clock: Clock, installation_id: int) -> None:
        self._client = client
        self._pacer = pacer
        self._clock = clock
        self._installation_id = installation_id

    async def send(self, method: Literal["POST", "PATCH", "DELETE"], path: str, data: Any, repository_id: int) -> Any:
        """Send one write when its moment comes and return GitHub's answer; a DELETE has no `data` and no answer.

        A renamed repository is followed to its number, any other redirect (a transferred issue is in somebody else's
        repository) is raised as `Moved`. Raises `RateLimited` where the moment is too far away to wait for.
        """
        await self._wait_for_turn()
        write = {"POST": self._client.post, "PATCH": self._client.patch, "DELETE": self._delete}[method]
        try:
            return await write(path, data)
        except Moved as moved:
            if f"/repositories/{repository_id}/" not in urlsplit(moved.location).path:
                raise
            await self._wait_for_turn()  # GitHub counts the first one too
            return await write(moved.location, data)

    async def mutate(self, mutation: str, variables: Mapping[str, Any]) -> Any:
        """Send one GraphQL mutation when its moment comes and return its data; raises as `send` does."""
        await self._wait_for_turn()
        return await self._client.mutate(mutation, variables)

    async def send_surely(self, send: Callable[[], Awaitable[T]], find: Callable[[], Awaitable[T | None]]) -> T:
        """Send; after a failure that may have succeeded look for the result, and send once more where it is not there.

        A 5xx or a time-out of GitHub does not mean that nothing was written.
        """
        try:
            return await send()
        except Transient as error:
            _log.warning("github.write_in_doubt", status=error.status, error=str(error))
            await self._clock.sleep(READ_BACK_SECONDS)
            found = await find()
        if found is not None:
            return found
        try:
            return await send()
        except Transient:
            await self._clock.sleep(READ_BACK_SECONDS)
            found = await find()
            if found is None:
                raise
            return found

    async def _delete(self, path: str, _: Any) -> None:
        await self._client.delete(path)

    async def _wait_for_turn(self) -> None:
        slot = await self._pacer.reserve(self._installation_id)
        wait = slot - self._clock.now()
        if wait > PATIENCE:
            raise RateLimited("the installation has used up its writes", slot, kind="secondary")
        if wait.total_seconds() > 0:
            await self._clock.sleep(wait.total_seconds())
