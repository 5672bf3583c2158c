"""The App itself on GitHub: its own requests, who it is, and one client for each of its installations."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any
from urllib.parse import quote

import aiohttp
from pydantic import SecretStr

from bot.clock import Clock
from bot.github.auth import AppKey, Credentials, FixedToken, InstallationTokens
from bot.github.client import GitHubClient
from bot.github.errors import NotFound, Unauthorized
from bot.github.gate import Gate
from bot.github.retries import retry_reads
from bot.github.transport import Transport

ITSELF = -1
"""Stands for an installation where the App asks about itself: tokens, and the list of its deliveries."""


class GitHubApp:
    """The App, which makes the clients of its installations, each once."""

    def __init__(
        self,
        *,
        app_id: int,
        private_key: str,
        api_url: str,
        graphql_url: str,
        session: aiohttp.ClientSession,
        clock: Clock,
        gates: Callable[[int], Gate] | None = None,
    ) -> None:
        """`gates` makes what keeps the limits of an installation over all replicas, and for -1 those of the App."""
        self._gates = gates
        self._session = session
        self._clock = clock
        self._api_url = api_url
        self._graphql_url = graphql_url
        self._client = self._new_client(AppKey(str(app_id), SecretStr(private_key), clock), ITSELF)
        self._installations: dict[int, GitHubClient] = {}
        self._itself: Mapping[str, Any] | None = None
        self._bot_user_id: int | None = None

    def installation(self, installation_id: int) -> GitHubClient:
        """Return the one client of an installation, with its own token, cache and limits."""
        client = self._installations.get(installation_id)
        if client is None:

            async def fetch() -> Any:
                # A second token does no harm, so this write alone is tried again like a read.
                path = f"/app/installations/{installation_id}/access_tokens"
                try:
                    return await retry_reads(lambda: self._client.post(path), self._clock)
                except NotFound as error:
                    # Not a 404 of what was asked for: there is nobody left to ask as.
                    raise Unauthorized(f"installation {installation_id} does not exist any more") from error

            client = self._new_client(InstallationTokens(installation_id, fetch, self._clock), installation_id)
            self._installations[installation_id] = client
        return client

    async def app_get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        """GET as the App, such as `/app`."""
        return await self._client.get(path, params)

    async def app_get_all(self, path: str) -> list[Any]:
        """GET all pages as the App, such as `/app/installations`."""
        return await self._client.get_all(path)

    def app_pages(self, path: str, params: Mapping[str, Any] | None = None) -> AsyncIterator[list[Any]]:
        """GET one page after the other as the App, such as of `/app/hook/deliveries`, as many as are wanted."""
        return self._client.pages(path, params)

    async def send_again(self, delivery_id: int) -> None:
        """Ask GitHub to send one delivery of the App again; asked once, since a second request sends it twice."""
        await self._client.post(f"/app/hook/deliveries/{delivery_id}/attempts")

    async def slug(self) -> str:
        """Return the App's name in addresses; its account is `<slug>[bot]`."""
        return str((await self._app())["slug"])

    async def page(self) -> str:
        """Return the address of the App's own page, from where it is installed."""
        return str((await self._app())["html_url"])

    async def bot_user_id(self) -> int:
        """Return the numeric id of the account in whose name the App writes.

        A JWT is good for `/app` alone, so any installation's token asks for it; before the first one, nobody's does.
        """
        if self._bot_user_id is None:
            reader = self._new_client(FixedToken(None))
            for installation in await self.app_get_all("/app/installations"):
                if installation.get("suspended_at") is None:
                    reader = self.installation(installation["id"])
                    break
            account = await reader.get("/users/" + quote(f"{await self.slug()}[bot]", safe=""))
            self._bot_user_id = int(account["id"])
        return self._bot_user_id

    async def _app(self) -> Mapping[str, Any]:
        if self._itself is None:
            self._itself = await self.app_get("/app")
        return self._itself

    def _new_client(self, credentials: Credentials, account: int | None = None) -> GitHubClient:
        gate = None if self._gates is None or account is None else self._gates(account)
        transport = Transport(self._session, self._clock, self._api_url, self._graphql_url, gate=gate)
        return GitHubClient(transport, credentials)
