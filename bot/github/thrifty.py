"""A client that reads no more than its share of GitHub's hourly limits, and waits, or says when to come again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol, TypeVar

from bot.clock import Clock
from bot.github.answers import moment
from bot.github.client import GitHubClient
from bot.github.errors import RateLimited
from bot.github.points import points

T = TypeVar("T")

_ATTEMPTS = 1
"""A query that GitHub could not answer is asked in halves, not again."""


class Budget(Protocol):
    """Books what is read; shared by all processes that read with the same limits."""

    async def take(self, resource: Literal["graphql", "core"], cost: int) -> datetime | None:
        """Book a cost and return None, or return when to ask again."""
        ...

    async def correct(
        self, resource: Literal["graphql", "core"], more: int, allowance: int, resets_at: datetime
    ) -> None:
        """Note what a request cost beyond what was booked, and GitHub's window."""
        ...


@dataclass
class ThriftyClient:
    """Implements `EvidenceClient`. A `patient` one sleeps until it may go on, and tells `waiting` until when.

    Any other raises `RateLimited` at once. `requests` and `cost` count what this client asked for.
    """

    client: GitHubClient
    budget: Budget
    clock: Clock
    patient: bool
    waiting: Callable[[datetime], None] = field(default=lambda _: None)
    requests: int = 0
    cost: int = 0

    async def graphql(self, query: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the data of a query; by its `rateLimit`, where it asks for that, the books are put right."""
        expected = points(query, variables or {})

        async def ask() -> dict[str, Any]:
            await self.book("graphql", expected)
            return await self.client.graphql(query, variables, attempts=_ATTEMPTS)

        data = await self._until_allowed(ask)
        told = data.get("rateLimit")
        if told is not None:
            self.cost += told["cost"] - expected
            await self.budget.correct("graphql", told["cost"] - expected, told["limit"], moment(told["resetAt"]))
        return data

    async def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        """Return the decoded JSON of a REST path."""

        async def ask() -> Any:
            await self.book("core", 1)
            return await self.client.get(path, params)

        return await self._until_allowed(ask)

    async def book(self, resource: Literal["graphql", "core"], cost: int) -> None:
        """Book what is about to be read, here or by another client; raises `RateLimited` where no room is left."""
        wait_until = await self.budget.take(resource, cost)
        if wait_until is not None:
            message = f"our share of GitHub's {resource} limit is used up"
            raise RateLimited(message, wait_until, kind="primary")
        self.requests += 1
        self.cost += cost if resource == "graphql" else 0

    async def _until_allowed(self, ask: Callable[[], Awaitable[T]]) -> T:
        while True:
            try:
                return await ask()
            except RateLimited as error:
                if not self.patient:
                    raise
                self.waiting(error.retry_at)
                await self.clock.sleep(max(1.0, (error.retry_at - self.clock.now()).total_seconds()))
