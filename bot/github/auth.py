"""Who we are to GitHub: the App's JWT, and installation tokens fetched once, however many callers wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Protocol

import jwt
import structlog
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from pydantic import SecretStr

from bot.clock import Clock

_JWT_LIFE = timedelta(seconds=540)
_DRIFT = timedelta(seconds=60)
_REFRESH_EARLY = timedelta(minutes=5)
_log = structlog.get_logger(__name__)


class Credentials(Protocol):
    """What a client signs its requests with."""

    async def current(self) -> SecretStr | None:
        """Return the token to send, or None to ask anonymously."""
        ...

    async def renew(self, refused: SecretStr | None, /) -> SecretStr | None:
        """Return a newer token than the one GitHub refused, or None where there is none to be had."""
        ...


@dataclass(frozen=True)
class FixedToken:
    """A personal read token, or none at all for anonymous reads; it cannot be renewed."""

    token: SecretStr | None

    async def current(self) -> SecretStr | None:
        """Return the token."""
        return self.token

    async def renew(self, _refused: SecretStr | None, /) -> SecretStr | None:
        """Return None: a person has to make a new one."""
        return None


@dataclass(frozen=True)
class AppKey:
    """The App's number and private key (PEM), which sign a short-lived JWT for each request about the App itself."""

    app_id: str
    private_key: SecretStr
    clock: Clock

    async def current(self) -> SecretStr:
        """Sign a JWT that was issued 60 s ago and ends in 540 s, so that either clock may be a minute off.

        GitHub refuses one that ends more than 600 s ahead of its own clock, or was issued in its future.
        """
        now = self.clock.now()
        claims = {"iat": int((now - _DRIFT).timestamp()), "exp": int((now + _JWT_LIFE).timestamp()), "iss": self.app_id}
        return SecretStr(jwt.encode(claims, _signing_key(self.private_key.get_secret_value()), algorithm="RS256"))

    async def renew(self, _refused: SecretStr | None, /) -> SecretStr | None:
        """Sign another one."""
        return await self.current()


@lru_cache(maxsize=4)
def _signing_key(pem: str) -> Any:
    # Reading the PEM text takes far longer than signing with what it holds.
    return load_pem_private_key(pem.encode(), password=None)


@dataclass(frozen=True)
class InstallationToken:
    """A token as GitHub issued it, good for one installation and an hour."""

    value: SecretStr
    expires_at: datetime


Fetch = Callable[[], Awaitable[Any]]
"""Asks GitHub for a token: the decoded answer of `POST /app/installations/{id}/access_tokens`."""


@dataclass
class InstallationTokens:
    """The token of one installation, fetched when needed, renewed 5 minutes before its end or after a refusal.

    All callers who wait at the same time share one request and its outcome, failure included.
    """

    installation_id: int
    fetch: Fetch = field(repr=False)
    clock: Clock = field(repr=False)
    _token: InstallationToken | None = field(default=None, init=False, repr=False)
    _flight: asyncio.Task[InstallationToken] | None = field(default=None, init=False, repr=False)

    async def current(self) -> SecretStr:
        """Return a token with at least 5 minutes left; raises what the request for one raised."""
        token = self._token
        if token is None or self.clock.now() >= token.expires_at - _REFRESH_EARLY:
            token = await self._shared_fetch()
        return token.value

    async def renew(self, refused: SecretStr | None, /) -> SecretStr | None:
        """Return the token that replaced the refused one, fetching it unless somebody else did already."""
        if self._token is not None and self._token.value == refused:
            self._token = None
        return await self.current()

    async def _shared_fetch(self) -> InstallationToken:
        if self._flight is None:
            self._flight = asyncio.create_task(self._fetch())
            self._flight.add_done_callback(self._landed)
        # Shielded, since one caller's cancellation must not take the token from the others.
        return await asyncio.shield(self._flight)

    def _landed(self, flight: asyncio.Task[InstallationToken]) -> None:
        self._flight = None
        if not flight.cancelled() and flight.exception() is None:
            self._token = flight.result()

    async def _fetch(self) -> InstallationToken:
        answer = await self.fetch()
        expires_at = datetime.fromisoformat(answer["expires_at"])
        _log.info("github.token", installation_id=self.installation_id, expires_at=expires_at.isoformat())
        return InstallationToken(SecretStr(answer["token"]), expires_at)
