"""Who calls: the App by its JWT, an installation or a person by a token, or nobody in particular."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import jwt

from bot.sandbox.errors import ApiError, bad_credentials
from bot.sandbox.records import Token
from bot.sandbox.state import Account, Installation, Repository
from bot.sandbox.world import World

TOKEN_LIFE = timedelta(hours=1)
JWT_LIFE_SECONDS = 600
CLOCK_DRIFT_SECONDS = 60


@dataclass(frozen=True)
class Caller:
    """Who calls; `account` is the App's bot for the App and its installations, None for nobody."""

    kind: Literal["app", "installation", "person", "anonymous"]
    account: Account | None = None
    installation: Installation | None = None
    token: Token | None = None

    @property
    def key(self) -> str:
        """What rate limits are counted by."""
        if self.installation is not None:
            return f"installation:{self.installation.id}"
        return f"{self.kind}:{self.account.id if self.account else 0}"

    def covers(self, repository: Repository) -> bool:
        """Tell whether an installation's token reaches a repository with the App's permissions."""
        installation, token = self.installation, self.token
        if installation is None or token is None or repository.owner_id != installation.account_id:
            return False
        if installation.selection == "selected" and repository.id not in installation.repository_ids:
            return False
        return token.repository_ids is None or repository.id in token.repository_ids


class Callers:
    """Recognises callers and gives out tokens."""

    def __init__(self, world: World) -> None:
        self._world = world

    def identify(self, authorization: str | None) -> Caller:
        """Return who calls; raise 401 for an unknown or expired token, 403 for a suspended installation."""
        if not authorization:
            return Caller("anonymous")
        scheme, _, value = authorization.partition(" ")
        if scheme.lower() not in ("bearer", "token") or not value:
            raise bad_credentials()
        if value.count(".") == 2:
            self._check_jwt(value)
            return Caller("app", self._world.accounts[self._world.app.bot_id])
        token = self._world.token(value)
        if token is None or (token.expires_at is not None and token.expires_at <= self._world.clock.now()):
            raise bad_credentials()
        if token.account_id is not None:
            return Caller("person", self._world.accounts[token.account_id], token=token)
        installation = self._world.installations.get(token.installation_id or 0)
        if installation is None:
            raise bad_credentials()
        if installation.suspended_at is not None:
            raise ApiError(403, "This installation has been suspended")
        return Caller("installation", self._world.accounts[self._world.app.bot_id], installation, token)

    def installation_token(
        self, installation: Installation, permissions: dict[str, str], repository_ids: list[int] | None
    ) -> Token:
        """Make a token for an installation that lives one hour."""
        return self._world.add(
            Token(
                id=self._world.new_id("token"),
                value=f"ghs_{secrets.token_hex(18)}",
                installation_id=installation.id,
                expires_at=self._world.now() + TOKEN_LIFE,
                permissions=permissions,
                repository_ids=repository_ids,
            )
        )

    def personal_token(self, account: Account) -> Token:
        """Make a token with which a person may read."""
        value = f"ghp_{secrets.token_hex(18)}"
        return self._world.add(Token(id=self._world.new_id("token"), value=value, account_id=account.id))

    def _check_jwt(self, value: str) -> None:
        """Refuse a JWT by GitHub's rules: RS256, our issuer, at most ten minutes ahead, not issued in the future."""
        try:
            claims = jwt.decode(
                value,
                self._world.app.public_key,
                algorithms=["RS256"],
                options={"verify_exp": False, "verify_iat": False, "verify_iss": False, "verify_nbf": False},
            )
            issuer = str(claims["iss"])
            issued, expires = int(claims["iat"]), int(claims["exp"])
        except (jwt.InvalidTokenError, KeyError, ValueError, TypeError):
            raise ApiError(401, "A JSON web token could not be decoded") from None
        now = _seconds(self._world.clock.now())
        if issuer != str(self._world.app.id):
            raise ApiError(401, "Integration not found")
        if expires <= now:
            raise ApiError(401, "'Expiration time' claim ('exp') must be a numeric value representing the future time")
        if expires > now + JWT_LIFE_SECONDS:
            raise ApiError(401, "'Expiration time' claim ('exp') is too far in the future")
        if issued > now + CLOCK_DRIFT_SECONDS:
            raise ApiError(401, "'Issued at' claim ('iat') must be an Integer representing the time of the assertion")


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())
