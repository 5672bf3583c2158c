"""GitHub's rate limits on the injected clock: the primary one with its headers, and the secondary ones."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import format_datetime
from typing import Literal

from bot.sandbox.callers import Caller
from bot.sandbox.errors import ApiError, secondary_limit
from bot.sandbox.records import Violation
from bot.sandbox.world import World

Resource = Literal["core", "graphql"]
MINUTE, HOUR = 60.0, 3600.0
WRITE_POINTS = 5


@dataclass(frozen=True)
class Limits:
    """GitHub's published limits; with `enforce` False violations are only counted.

    Source: GitHub's documentation of rate limits for the REST and the GraphQL API, as of 2026.
    """

    enforce: bool = True
    primary: int = 5_000
    primary_step: int = 50
    primary_free_repositories: int = 20
    primary_highest: int = 12_500
    anonymous: int = 60
    concurrent: int = 100
    rest_points_a_minute: int = 900
    graphql_points_a_minute: int = 2_000
    content_a_minute: int = 80
    content_an_hour: int = 500
    tokens_an_hour: int = 2_000
    """Requests of the App for a token, whichever installation it is for."""

    rows_a_query: int = 5_000
    """Rows of an answer beyond which a query is broken off; GitHub goes by time and memory, and names no number."""


@dataclass
class _Window:
    """One hour of the primary limit."""

    resets_at: float
    used: int = 0


class LimitKeeper:
    """Counts what each caller uses and refuses what is too much."""

    def __init__(self, world: World, limits: Limits) -> None:
        self._world = world
        self.limits = limits
        self._windows: dict[tuple[str, Resource], _Window] = {}
        self._points: dict[tuple[str, Resource], deque[tuple[float, int]]] = defaultdict(deque)
        self._content: dict[str, deque[float]] = defaultdict(deque)
        self._at_once: dict[str, int] = defaultdict(int)
        self._tokens: deque[float] = deque()

    def limit(self, caller: Caller) -> int:
        """Return the caller's primary limit an hour, which grows with the repositories of an installation."""
        if caller.kind == "anonymous":
            return self.limits.anonymous
        more = 0
        if caller.installation is not None:
            chosen = caller.installation
            more = sum(repository.owner_id == chosen.account_id for repository in self._world.repositories.values())
            more = max(0, more - self.limits.primary_free_repositories) * self.limits.primary_step
        return min(self.limits.primary + more, max(self.limits.primary_highest, self.limits.primary))

    @contextmanager
    def at_once(self, caller: Caller, method: str, path: str) -> Iterator[None]:
        """Count a request while it runs; raise 403 for one too many at the same time."""
        self._at_once[caller.key] += 1
        try:
            if self._at_once[caller.key] > self.limits.concurrent:
                self._violate(caller, "concurrent", method, path, secondary_limit(60))
            yield
        finally:
            self._at_once[caller.key] -= 1

    def admit(self, caller: Caller, resource: Resource, method: str, path: str, *, content: bool) -> None:
        """Charge a request to the primary limit (REST) and the secondary ones, or raise 403."""
        now = self._world.clock.now().timestamp()
        window = self._window(caller, resource)
        if resource == "core" and window.used >= self.limit(caller):
            refusal = ApiError(
                403, f"API rate limit exceeded for {caller.key}.", headers=self.headers(caller, resource)
            )
            self._violate(caller, f"primary {resource}", method, path, refusal)
        if resource == "core":
            window.used += 1
        points = self._points[caller.key, resource]
        most = self.limits.rest_points_a_minute if resource == "core" else self.limits.graphql_points_a_minute
        while points and points[0][0] <= now - MINUTE:
            points.popleft()
        price = 1 if method in ("GET", "HEAD", "OPTIONS") or resource == "graphql" else WRITE_POINTS
        if sum(cost for _, cost in points) + price > most:
            self._violate(caller, f"{most} points a minute", method, path, secondary_limit(60))
        points.append((now, price))
        if content:
            self._admit_content(caller, now, method, path)

    def admit_mutation(self, caller: Caller) -> None:
        """Charge the points by which a mutation counts more than a query."""
        now = self._world.clock.now().timestamp()
        self._points[caller.key, "graphql"].append((now, WRITE_POINTS - 1))

    def admit_token(self, caller: Caller, path: str) -> None:
        """Charge a request for a token to its own limit, or raise 403."""
        now = self._world.clock.now().timestamp()
        while self._tokens and self._tokens[0] <= now - HOUR:
            self._tokens.popleft()
        if len(self._tokens) >= self.limits.tokens_an_hour:
            self._violate(caller, f"{self.limits.tokens_an_hour} tokens an hour", "POST", path, secondary_limit(60))
        self._tokens.append(now)

    def refund(self, caller: Caller) -> None:
        """Give back one request: an answer of 304 is free of the primary limit."""
        self._window(caller, "core").used -= 1

    def charge(self, caller: Caller, cost: int) -> bool:
        """Charge the points of a GraphQL query and return True, or False where it is over the limit."""
        window = self._window(caller, "graphql")
        if window.used + cost > self.limit(caller):
            self._note(caller, "primary graphql", "POST", "/graphql")
            if self.limits.enforce:
                return False
        window.used += cost
        return True

    def status(self, caller: Caller, resource: Resource) -> dict[str, int]:
        """Return the numbers of `GET /rate_limit`; `reset` is in seconds since 1970."""
        limit, window = self.limit(caller), self._window(caller, resource)
        remaining = max(0, limit - window.used)
        return {"limit": limit, "used": window.used, "remaining": remaining, "reset": int(window.resets_at)}

    def headers(self, caller: Caller, resource: Resource) -> dict[str, str]:
        """Return the headers that stand in every answer, GitHub's own time among them."""
        numbers = {f"x-ratelimit-{name}": str(value) for name, value in self.status(caller, resource).items()}
        return numbers | {
            "x-ratelimit-resource": resource,
            "date": format_datetime(self._world.clock.now(), usegmt=True),
        }

    def _admit_content(self, caller: Caller, now: float, method: str, path: str) -> None:
        moments = self._content[caller.key]
        while moments and moments[0] <= now - HOUR:
            moments.popleft()
        last_minute = [moment for moment in moments if moment > now - MINUTE]
        if len(last_minute) >= self.limits.content_a_minute:
            wait = int(last_minute[0] + MINUTE - now) + 1
            self._violate(
                caller, f"content {self.limits.content_a_minute} a minute", method, path, secondary_limit(wait)
            )
        if len(moments) >= self.limits.content_an_hour:
            wait = int(moments[0] + HOUR - now) + 1
            self._violate(caller, f"content {self.limits.content_an_hour} an hour", method, path, secondary_limit(wait))
        moments.append(now)

    def _window(self, caller: Caller, resource: Resource) -> _Window:
        now = self._world.clock.now().timestamp()
        window = self._windows.get((caller.key, resource))
        if window is None or window.resets_at <= now:
            window = self._windows[caller.key, resource] = _Window(now + HOUR)
        return window

    def _violate(self, caller: Caller, limit: str, method: str, path: str, refusal: ApiError) -> None:
        self._note(caller, limit, method, path)
        if self.limits.enforce:
            raise refusal

    def _note(self, caller: Caller, limit: str, method: str, path: str) -> None:
        installation_id = caller.installation.id if caller.installation else None
        number = self._world.new_id("violation")
        self._world.add(Violation(number, self._world.now(), installation_id, limit, method, path))
