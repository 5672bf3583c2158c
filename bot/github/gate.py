"""The gate that every request to GitHub goes through: whether it may be made now, and what its answer told."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from bot.clock import Clock
from bot.github.errors import RateLimited
from bot.github.limits import HeardLimits
from bot.github.points import points

_WRITE_POINTS = 5
"""What a write counts in a minute's points, where a read counts 1 (GitHub, rate limits of both APIs)."""


@dataclass(frozen=True)
class Asking:
    """One request before it is made.

    `resource` is GitHub's window (`core`, `graphql`, `search`); `cost` what the request takes of it, by GitHub's
    formula; `points` what it counts among a minute's points.
    """

    resource: str
    cost: int
    points: int
    write: bool


@dataclass(frozen=True)
class Pass:
    """Leave to make one request, which has to be given back; `minute` is the shared books' own."""

    asking: Asking
    at: datetime
    minute: int = 0


class Gate(Protocol):
    """The limits of one account, shared by all replicas where they are kept in the database."""

    async def enter(self, asking: Asking) -> Pass | float:
        """Book a request and return its pass; or book nothing and return how many seconds to wait."""
        ...

    def leave(self, given: Pass, headers: Mapping[str, str] | None) -> None:
        """Give a pass back with the answer's headers, None where no answer came."""
        ...

    def accepted(self, given: Pass) -> None:
        """Forget earlier refusals of writes, or of reads, where they came before this request."""
        ...

    async def refused(self, given: Pass, error: RateLimited) -> None:
        """Close the door until `error.retry_at`; where GitHub named no moment, set it: a minute, then twice as long."""
        ...


def asking(method: str, resource: str, body: bytes) -> Asking:
    """Return what a request is to the limits; `body` is what it sends."""
    if resource != "graphql":
        write = method != "GET"
        return Asking(resource, 1, _WRITE_POINTS if write else 1, write)
    query, variables = _graphql(body)
    write = is_mutation(query)
    return Asking(resource, 1 if write else points(query, variables), _WRITE_POINTS if write else 1, write)


def is_mutation(query: str) -> bool:
    """Tell whether a GraphQL query writes."""
    return query.lstrip().startswith("mutation")


def _graphql(body: bytes) -> tuple[str, Mapping[str, Any]]:
    sent = json.loads(body)
    return sent["query"], sent["variables"]


@dataclass
class LocalGate:
    """The gate of a client that shares its limits with nobody: it knows what it heard itself."""

    heard: HeardLimits
    clock: Clock

    async def enter(self, asking: Asking) -> Pass | float:
        """Return a pass, or how many seconds the door stays closed."""
        now = self.clock.now()
        opens_at = self.heard.opens_at(asking.resource, now)
        return Pass(asking, now) if opens_at is None else (opens_at - now).total_seconds()

    def leave(self, given: Pass, headers: Mapping[str, str] | None) -> None:
        """Do nothing: the client hears the headers itself."""

    def accepted(self, given: Pass) -> None:
        """Forget earlier refusals."""
        self.heard.accepted(write=given.asking.write)

    async def refused(self, given: Pass, error: RateLimited) -> None:
        """Remember a refusal."""
        self.heard.refused(error, self.clock.now(), write=given.asking.write)
