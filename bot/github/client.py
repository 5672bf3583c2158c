"""GitHub as the rest of the program sees it: requests in the name of one account."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from typing import Any

import aiohttp
from pydantic import SecretStr

from bot.clock import Clock
from bot.github.auth import Credentials, FixedToken
from bot.github.classify import classify_graphql
from bot.github.errors import Forbidden, RateLimited, Suspended, Unauthorized, Unchanged
from bot.github.gate import Asking, Gate, Pass, is_mutation
from bot.github.limits import SHORT_WAIT, ReadBudget
from bot.github.retries import ATTEMPTS, retry_reads
from bot.github.transport import Transport

_PAGE = 100
SUSPENDED_WAIT = timedelta(hours=1)
"""After which a suspended App asks again, should GitHub's event of the suspension's end be lost."""


class GitHubClient:
    """Requests in the name of one account. Reads are tried again by themselves; a write is sent once.

    Every method raises a `GitHubError`. Answers may come from the cache: they are not to be changed.
    """

    def __init__(self, transport: Transport, credentials: Credentials) -> None:
        self._transport = transport
        self._credentials = credentials

    @classmethod
    def with_token(
        cls,
        token: SecretStr | None,
        *,
        api_url: str,
        graphql_url: str,
        session: aiohttp.ClientSession,
        clock: Clock,
        gate: Gate | None = None,
    ) -> GitHubClient:
        """Return a client that reads with a personal token, or anonymously without one."""
        return cls(Transport(session, clock, api_url, graphql_url, gate=gate), FixedToken(token))

    @property
    def budget(self) -> ReadBudget | None:
        """Return what remained of the REST window when GitHub last said so; None before the first answer."""
        return self._transport.limits.budgets.get("core")

    async def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        """Return the decoded answer; redirects, as of a renamed repository, are followed."""
        answer, _ = await self._read(path, params)
        return answer

    async def get_tagged(self, path: str, etag: str | None) -> tuple[Any, str | None] | None:
        """Return the decoded answer with its ETag, None where GitHub still holds what `etag` names.

        The ETag may come from another process, or from before a restart.
        """
        try:
            answer, _ = await retry_reads(
                lambda: self._signed("GET", path, None, b"", etag=etag), self._transport.clock
            )
        except Unchanged:
            return None
        return answer, self._transport.etag(path)

    async def get_all(self, path: str, params: Mapping[str, Any] | None = None, limit: int | None = None) -> list[Any]:
        """Return the items of all pages, or the first `limit`, following GitHub's `Link` headers.

        An answer that wraps its list, such as `{"total_count": 2, "repositories": [...]}`, gives that list.
        """
        items: list[Any] = []
        size = _PAGE if limit is None else min(_PAGE, limit)
        async for page in self.pages(path, {"per_page": size, **(params or {})}):
            items.extend(page)
            if limit is not None and len(items) >= limit:
                break
        return items[:limit]

    async def pages(self, path: str, params: Mapping[str, Any] | None = None) -> AsyncIterator[list[Any]]:
        """Yield the items of one page after the other, each asked for only when it is wanted."""
        answer, following = await self._read(path, params)
        yield _items(answer)
        while following is not None:
            answer, following = await self._read(following, None)
            yield _items(answer)

    async def graphql(
        self, query: str, variables: Mapping[str, Any] | None = None, *, attempts: int = ATTEMPTS
    ) -> dict[str, Any]:
        """Return the data of a query; with any error inside, raise it (`GraphQLError.data` holds what came)."""
        if is_mutation(query):
            raise ValueError("only the writer changes anything on GitHub: by mutate, which sends once")
        payload = {"query": query, "variables": dict(variables or {})}
        return await retry_reads(lambda: self._query(payload), self._transport.clock, attempts)

    async def mutate(self, mutation: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Send a GraphQL mutation once; only the writer uses it, for what REST cannot do."""
        return await self._query({"query": mutation, "variables": dict(variables)})

    async def post(self, path: str, data: Any = b"") -> Any:
        """Send a POST once; only the writer and the App's own requests use it."""
        return await self._write("POST", path, data)

    async def patch(self, path: str, data: Any) -> Any:
        """Send a PATCH once; only the writer uses it."""
        return await self._write("PATCH", path, data)

    async def delete(self, path: str) -> None:
        """Send a DELETE once; only the writer uses it."""
        await self._write("DELETE", path, b"")

    async def _read(self, path: str, params: Mapping[str, Any] | None) -> tuple[Any, str | None]:
        return await retry_reads(lambda: self._signed("GET", path, params, b""), self._transport.clock)

    async def _write(self, method: str, path: str, data: Any) -> Any:
        answer, _ = await self._signed(method, path, None, data)
        return answer

    async def _query(self, payload: dict[str, Any]) -> dict[str, Any]:
        transport, clock = self._transport, self._transport.clock
        asked = Pass(Asking("graphql", 0, 0, is_mutation(payload["query"])), clock.now())
        answer, _ = await self._signed("POST", transport.graphql_url, None, payload)
        heard = transport.limits.budgets.get("graphql")
        error = classify_graphql(
            answer, heard.remaining if heard else None, heard.reset_at if heard else None, clock.now()
        )
        if isinstance(error, RateLimited):
            await transport.gate.refused(asked, error)
        else:
            transport.gate.accepted(asked)
        if error is not None:
            raise error
        data: dict[str, Any] = answer["data"]
        return data

    async def _signed(
        self, method: str, path: str, params: Mapping[str, Any] | None, data: Any, *, etag: str | None = None
    ) -> tuple[Any, str | None]:
        """Send with a token; raises `Suspended` where the account suspended the App."""
        try:
            return await self._sent(method, path, params, data, etag=etag)
        except Forbidden as error:
            if error.reason != "suspended":
                raise
            again = self._transport.clock.now() + SUSPENDED_WAIT
            raise Suspended(str(error), again, kind="secondary", status=error.status) from error

    async def _sent(
        self, method: str, path: str, params: Mapping[str, Any] | None, data: Any, *, etag: str | None
    ) -> tuple[Any, str | None]:
        """Send with a token; a refused token is renewed once, and a limit of a few seconds waited for once.

        Both refusals mean that nothing was done, so this holds for writes too; one may follow the other.
        """
        token = await self._credentials.current()
        renewed = waited = False
        while True:
            try:
                return await self._transport.call(method, path, token, params=params, data=data, etag=etag)
            except Unauthorized:
                fresh = None if renewed else await self._credentials.renew(token)
                if fresh is None:
                    raise
                token, renewed = fresh, True
            except RateLimited as limited:
                if waited or limited.retry_at - self._transport.clock.now() > SHORT_WAIT:
                    raise
                waited = True


def _items(answer: Any) -> list[Any]:
    if isinstance(answer, dict):
        return next((value for value in answer.values() if isinstance(value, list)), [])
    return answer if isinstance(answer, list) else []
