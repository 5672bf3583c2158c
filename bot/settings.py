"""Settings from the environment (`ROOTCAUSE_*`), or from files for secrets; nothing else configures a process.

Every secret, `NAME`, may stand in a file that `NAME_FILE` names; where both are set, `NAME` itself counts. How values
may be written in the environment is the matter of `bot.environment`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from pydantic import AliasChoices, Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from bot.environment import Environment, with_line_breaks
from bot.secrecy import SECRECY
from bot.secret_files import ReadFile, SecretFile, split_secrets

_SHORTEST_STATUS_TOKEN = 16
"""Whoever has it sees the names of private repositories; one that can be guessed is none."""

_PASSWORD = re.compile(r"://[^:/@]*:(?P<password>.*)@")


class Settings(BaseSettings):
    """What a process needs to know; `missing()` says in words what an App still lacks."""

    model_config = SettingsConfigDict(
        env_prefix="ROOTCAUSE_",
        env_ignore_empty=True,  # a variable without a value, as containers pass them on, is none
        extra="ignore",
        populate_by_name=True,
        hide_input_in_errors=True,
    )

    app_id: int | None = None
    private_key: SecretStr | None = None
    private_key_file: SecretFile = None
    webhook_secret: Annotated[tuple[SecretStr, ...], NoDecode] = ()
    webhook_secret_file: SecretFile = None
    github_api_url: str = "https://api.github.com"
    read_token: SecretStr | None = None
    read_token_file: SecretFile = None
    status_token: SecretStr | None = None
    status_token_file: SecretFile = None
    public_url: str | None = None
    data_dir: Path = Path(".rootcause")
    database_url: SecretStr | None = Field(default=None, validation_alias=AliasChoices("DATABASE_URL", "database_url"))
    database_url_file: SecretFile = Field(
        default=None, validation_alias=AliasChoices("DATABASE_URL_FILE", "database_url_file")
    )
    host: str = "0.0.0.0"  # noqa: S104
    port: int = Field(default=8080, ge=0, le=65535, validation_alias=AliasChoices("PORT", "port"))
    trusted_proxies: int = Field(default=0, ge=0)

    settle_seconds: float = Field(default=25.0, ge=0)
    write_interval_seconds: float = Field(default=1.0, ge=0)
    writes_per_minute: int = Field(default=80, ge=1)
    writes_per_hour: int = Field(default=500, ge=1)
    heartbeat_seconds: float = Field(default=5.0, gt=0)
    stalled_after_seconds: float = Field(default=20.0, gt=0)
    worker_concurrency: int = Field(default=10, ge=1)
    observe_days: float = Field(default=7.0, ge=0)
    inbox_delay_seconds: float = Field(default=10.0, ge=0)
    inbox_quiet_seconds: float = Field(default=120.0, ge=0)
    pull: bool = False
    pull_seconds: float = Field(default=30.0, gt=0)
    people_delay_seconds: float = Field(default=600.0, ge=0)
    backfill_share: float = Field(default=0.5, gt=0, le=1)
    backfill_days: float = Field(default=365.0, ge=0)
    forget_after_days: float = Field(default=30.0, ge=0)
    bot_logins: Annotated[frozenset[str], NoDecode] = frozenset()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take what is given, then the environment; there are no other sources."""
        return init_settings, Environment(settings_cls)

    @field_validator("webhook_secret", mode="before")
    @classmethod
    def _split_secrets(cls, value: Any) -> Any:
        """Accept several secrets, comma-separated or one a line, so that one can be rotated."""
        return split_secrets(value) if isinstance(value, str) else value

    @field_validator("bot_logins", mode="before")
    @classmethod
    def _split_logins(cls, value: Any) -> Any:
        """Accept logins, comma-separated, with or without the `@` that mentions them."""
        if isinstance(value, str):
            return frozenset(login for part in value.split(",") if (login := part.strip().removeprefix("@")))
        return value

    @field_validator("github_api_url", "public_url")
    @classmethod
    def _no_trailing_slash(cls, value: str | None) -> str | None:
        _ = urlsplit(
            value or ""
        ).port  # raises ValueError for what cannot be taken apart, as https://[ or https://host:port
        return value.rstrip("/") if value else value

    @field_validator("github_api_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        if not value.startswith(("https://", "http://")):
            raise ValueError("it must be an address that begins with https:// or http://")
        return value

    @model_validator(mode="after")
    def _read_files(self) -> Settings:
        """Take each secret from its file where only the file is named, and hide all of them from logs and errors."""
        if self.private_key is None and self.private_key_file is not None:
            self.private_key = self.private_key_file.text
        if self.private_key is not None:
            self.private_key = SecretStr(with_line_breaks(self.private_key.get_secret_value()))
        if self.read_token is None and self.read_token_file is not None:
            self.read_token = self.read_token_file.text
        if self.read_token is not None:
            self.read_token = _one_word("ROOTCAUSE_READ_TOKEN", self.read_token)
        if self.status_token is None and self.status_token_file is not None:
            self.status_token = self.status_token_file.text
        if self.status_token is not None and len(self.status_token.get_secret_value()) < _SHORTEST_STATUS_TOKEN:
            raise ValueError(f"ROOTCAUSE_STATUS_TOKEN needs at least {_SHORTEST_STATUS_TOKEN} characters")
        # None that was given means the embedded one, whatever the environment names.
        if "database_url" not in self.model_fields_set and self.database_url_file is not None:
            self.database_url = self.database_url_file.text
        if not self.webhook_secret and self.webhook_secret_file is not None:
            parts = split_secrets(self.webhook_secret_file.text.get_secret_value())
            self.webhook_secret = tuple(SecretStr(part) for part in parts)
        SECRECY.hide(self._secrets())
        return self

    def _secrets(self) -> set[str]:
        """Return every secret that is set, the password of the database apart from its address too."""
        hidden = (self.private_key, self.read_token, self.status_token, *self.webhook_secret)
        found = {one.get_secret_value() for one in hidden if one is not None} | {os.environ.get("PGPASSWORD", "")}
        address = self.database_url.get_secret_value() if self.database_url is not None else ""
        if (within := _PASSWORD.search(address)) is not None:
            found |= {address, within["password"], unquote(within["password"])}
        query = parse_qsl(address.partition("?")[2])
        return found | {value for name, value in query if name in {"password", "sslpassword"}}

    def files_open_to_others(self) -> dict[str, Path]:
        """Return by their settings the files that any user of the machine may read or change."""
        named: dict[str, ReadFile | None] = {
            "ROOTCAUSE_PRIVATE_KEY_FILE": self.private_key_file,
            "ROOTCAUSE_WEBHOOK_SECRET_FILE": self.webhook_secret_file,
            "ROOTCAUSE_READ_TOKEN_FILE": self.read_token_file,
            "ROOTCAUSE_STATUS_TOKEN_FILE": self.status_token_file,
            "DATABASE_URL_FILE": self.database_url_file,
        }
        return {name: read.path for name, read in named.items() if read is not None and read.open_to_others}

    @property
    def graphql_url(self) -> str:
        """The GraphQL endpoint that belongs to `github_api_url`; Enterprise Server keeps it beside `/api/v3`."""
        base = self.github_api_url
        return base.removesuffix("/v3") + "/graphql" if base.endswith("/api/v3") else base + "/graphql"

    def missing(self) -> list[str]:
        """Name the settings without which no App can run, each with what it is for."""
        lacking = []
        if self.app_id is None:
            lacking.append("ROOTCAUSE_APP_ID: the number GitHub shows on the App's settings page")
        if self.private_key is None:
            lacking.append("ROOTCAUSE_PRIVATE_KEY or ROOTCAUSE_PRIVATE_KEY_FILE: the App's private key (PEM)")
        if not self.webhook_secret and not self.pull:
            lacking.append(
                "ROOTCAUSE_WEBHOOK_SECRET or ROOTCAUSE_WEBHOOK_SECRET_FILE: the secret GitHub signs deliveries with"
            )
        return lacking


def _one_word(name: str, secret: SecretStr) -> SecretStr | None:
    """Return a token without the white space around it, if any is left; raise ValueError for what no header holds."""
    token = secret.get_secret_value().strip()
    if not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError(f"{name} holds signs that no token has: give the token alone, in one line")
    return SecretStr(token) if token else None
