"""Who may see the operator's page: whoever has the token, in a header or by the cookie that it was exchanged for."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from aiohttp import web
from pydantic import SecretStr

from bot.settings import Settings

COOKIE = "rootcause-status"
COOKIE_SECONDS = 12 * 3600
_BEARER = "bearer "


@dataclass(frozen=True)
class Admitted:
    """Somebody with the token. `mark` is what their forms carry; empty for a script, which no page can imitate."""

    mark: str


@dataclass(frozen=True)
class Entry:
    """Compares tokens, cookies and forms' marks, each in constant time; everything is derived from the token.

    A cookie holds when it ends, a random part and a signature of both: another token ends all of them.
    """

    settings: Settings
    now: Callable[[], float] = field(default=time.time)

    @property
    def token(self) -> SecretStr | None:
        """The token, None where none is set and nobody gets in."""
        return self.settings.status_token

    def opens(self, given: str) -> bool:
        """Tell whether this is the token."""
        same = hmac.compare_digest(self._signed("token", given), self._signed("token", self._key()))
        return same and self.token is not None

    def admit(self, request: web.Request) -> Admitted | None:
        """Return whom a request comes from, or None where they may not see anything."""
        if self.token is None:
            return None
        header = request.headers.get("Authorization", "")
        if header[: len(_BEARER)].lower() == _BEARER:
            return Admitted("") if self.opens(header[len(_BEARER) :].strip()) else None
        cookie = request.cookies.get(COOKIE, "")
        return Admitted(self._signed("form", cookie)) if self._holds(cookie) else None

    def may_act(self, admitted: Admitted, mark: str) -> bool:
        """Tell whether a form was written for this very visitor: another site can send one, but not know its mark."""
        return hmac.compare_digest(admitted.mark.encode(), mark.encode())

    def let_in(self, request: web.Request, response: web.Response) -> web.Response:
        """Give the browser its cookie, which no script reads and no other site sends."""
        facts = f"{int(self.now()) + COOKIE_SECONDS}.{secrets.token_urlsafe(16)}"
        response.set_cookie(
            COOKIE,
            f"{facts}.{self._signed('cookie', facts)}",
            max_age=COOKIE_SECONDS,
            path="/",
            httponly=True,
            samesite="Strict",
            secure=self._is_encrypted(request),
        )
        return response

    def _holds(self, cookie: str) -> bool:
        facts, _, signature = cookie.rpartition(".")
        ends = facts.partition(".")[0]
        signed = hmac.compare_digest(signature.encode(), self._signed("cookie", facts).encode())
        return signed and ends.isascii() and ends.isdigit() and self.now() < int(ends)

    def _key(self) -> str:
        return self.token.get_secret_value() if self.token is not None else ""

    def _signed(self, purpose: str, text: str) -> str:
        message = f"rootcause {purpose}\n{text}".encode(errors="surrogateescape")
        return hmac.digest(self._key().encode(), message, hashlib.sha256).hex()

    def _is_encrypted(self, request: web.Request) -> bool:
        # A proxy hides that the browser asked for https; the public address says so.
        public = urlsplit(self.settings.public_url or "")
        return request.scheme == "https" or (public.scheme == "https" and public.netloc == request.host)
