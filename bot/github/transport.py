"""One HTTP exchange with GitHub: gidgethub's requests over aiohttp, with our limits, redirects and errors."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, MutableMapping
from datetime import timedelta
from importlib.metadata import version
from typing import Any
from urllib.parse import urlencode

import aiohttp
from gidgethub import RedirectionException, abc, sansio
from pydantic import SecretStr
from yarl import URL

from bot.clock import Clock
from bot.github.classify import classify
from bot.github.errors import GitHubError, Moved, RateLimited, Transient, Unchanged
from bot.github.gate import Asking, Gate, LocalGate, Pass, asking
from bot.github.holding import still_ours
from bot.github.limits import SHORT_WAIT, HeardLimits
from bot.metrics import POINTS, REQUESTS

USER_AGENT = f"rootcause-bot/{version('rootcause-bot')}"
API_VERSION = "2022-11-28"
TIMEOUT = aiohttp.ClientTimeout(total=30, connect=10)

_ACCEPTED = frozenset({200, 201, 202, 204, 304})
_NO_ANSWER = (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, aiohttp.ClientResponseError, TimeoutError)
_REDIRECTS = frozenset({301, 302, 307, 308})
_MOST_REDIRECTS = 5
_CACHED_ANSWERS = 128
_CACHED_BYTES = 64 * 1024

CacheEntry = tuple[str | None, str | None, Any, str | None]


class AnswerCache(MutableMapping[str, CacheEntry]):
    """gidgethub's ETag cache, bounded: the answer that was not asked for longest goes first."""

    def __init__(self) -> None:
        self._entries: OrderedDict[str, CacheEntry] = OrderedDict()

    def __getitem__(self, url: str) -> CacheEntry:
        self._entries.move_to_end(url)
        return self._entries[url]

    def __setitem__(self, url: str, entry: CacheEntry) -> None:
        self._entries[url] = entry
        self._entries.move_to_end(url)
        if len(self._entries) > _CACHED_ANSWERS:
            self._entries.popitem(last=False)

    def __delitem__(self, url: str) -> None:
        del self._entries[url]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


class Transport(abc.GitHubAPI):
    """Exchanges for one account: its cache and its limits are never shared, since gidgethub's cache knows only URLs."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        clock: Clock,
        api_url: str,
        graphql_url: str,
        timeout: aiohttp.ClientTimeout | None = None,
        gate: Gate | None = None,
    ) -> None:
        """Without a `gate` the account's limits are known to this client alone."""
        self._answers = AnswerCache()
        super().__init__(USER_AGENT, cache=self._answers, base_url=api_url)
        self.graphql_url = graphql_url
        self.limits = HeardLimits()
        self.gate = gate or LocalGate(self.limits, clock)
        self.clock = clock
        self._session = session
        self._timeout = timeout or TIMEOUT
        self._origins = {URL(api_url).origin(), URL(graphql_url).origin()}

    async def call(
        self,
        method: str,
        path: str,
        token: SecretStr | None,
        *,
        params: Mapping[str, Any] | None = None,
        data: Any = b"",
        etag: str | None = None,
    ) -> tuple[Any, str | None]:
        """Make one request; return the decoded answer (None where it is empty) and the address of the next page.

        `path` is relative to the API's address, or a whole address of the same host. Raises a `GitHubError`:
        `Unchanged` where GitHub holds what `etag` names, which is not asked of the cache then.
        """
        if params:
            path += ("&" if "?" in path else "?") + urlencode(params)
        headers = {"x-github-api-version": API_VERSION}
        if token is not None:
            headers["authorization"] = f"Bearer {token.get_secret_value()}"
        if etag is not None:
            self._answers.pop(self._address(path), None)
            headers["if-none-match"] = etag
        try:
            answer, following, _ = await self._make_request(
                method, path, {}, data, sansio.accept_format(), extra_headers=headers
            )
        except (ValueError, LookupError) as error:
            # A body cut short, or in an encoding that is not what its header says.
            raise Transient(f"unreadable answer to {method} {path}: {type(error).__name__}") from error
        except RedirectionException as error:
            raise Unchanged(f"{method} {path} is as it was", status=error.status_code) from None
        return answer, following

    def etag(self, path: str) -> str | None:
        """Return the ETag of the last answer to a GET of this path, where there was one and it is still cached."""
        entry = self._answers.get(self._address(path))
        return entry[0] if entry is not None else None

    def _address(self, path: str) -> str:
        return sansio.format_url(path, {}, base_url=self.base_url)

    async def _request(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes = b""
    ) -> tuple[int, Mapping[str, str], bytes]:
        resource = self._resource(url)
        write = method != "GET" and resource != "graphql"
        status, answered, content, given = await self._exchange(method, url, headers, body, resource)
        for _ in range(_MOST_REDIRECTS):
            if status not in _REDIRECTS or "location" not in answered:
                break
            target = str(URL(url).join(URL(answered["location"], encoded=True)))
            if write:
                raise Moved(f"{method} {url} has moved", target, status=status)
            url = target
            status, answered, content, given = await self._exchange(method, url, headers, body, resource)
        self.limits.hear(resource, answered)
        if status >= 400:
            error = classify(status, answered, content, self.clock.now())
            error.request = f"{method} {URL(url).path}"
            if isinstance(error, RateLimited):
                await self.gate.refused(given, error)
            raise error
        if status not in _ACCEPTED:
            raise GitHubError(f"{method} {url} leads nowhere: GitHub answered {status}", status=status)
        if resource != "graphql":  # where a refusal may hide in a 200
            self.gate.accepted(given)
        return status, answered, content

    async def _exchange(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, resource: str
    ) -> tuple[int, Mapping[str, str], bytes, Pass]:
        target = URL(url, encoded=True)
        if target.origin() not in self._origins:
            raise GitHubError(f"refused to follow GitHub to another host: {target.origin()}")
        asked = asking(method, resource, body)
        given = await self._admitted(asked)
        answered: dict[str, str] | None = None
        outcome = "none"
        try:
            # A token is what all jobs of an installation wait for together.
            if asked.write and not url.endswith("/access_tokens"):
                await still_ours()
            POINTS.labels(resource=resource).inc(asked.cost)
            status, answered, content = await self._send(method, target, headers, body)
            outcome = f"{status // 100}xx"
        finally:
            self.gate.leave(given, answered)
            REQUESTS.labels(resource=resource, status=outcome).inc()
        if len(content) > _CACHED_BYTES:
            answered.pop("etag", None)
            answered.pop("last-modified", None)
        return status, answered, content, given

    async def _send(
        self, method: str, target: URL, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        try:
            async with self._session.request(
                method, target, headers=headers, data=body, timeout=self._timeout, allow_redirects=False
            ) as response:
                content = await response.read()
                return response.status, {name.lower(): value for name, value in response.headers.items()}, content
        except _NO_ANSWER as error:
            # Not chained: aiohttp's exceptions carry the request's headers, and with them the token.
            raise Transient(f"{method} {target.path}: {type(error).__name__}") from None

    async def _admitted(self, asking: Asking) -> Pass:
        while not isinstance(entered := await self.gate.enter(asking), Pass):
            if entered > SHORT_WAIT.total_seconds():
                opens_at = self.clock.now() + timedelta(seconds=entered)
                raise RateLimited(f"GitHub's {asking.resource} limit is used up", opens_at, kind="primary")
            await self.clock.sleep(entered)
        return entered

    def _resource(self, url: str) -> str:
        if url == self.graphql_url:
            return "graphql"
        return "search" if url.startswith(f"{self.base_url}/search/") else "core"

    async def sleep(self, seconds: float) -> None:
        """Wait on our own clock, for gidgethub."""
        await self.clock.sleep(seconds)
