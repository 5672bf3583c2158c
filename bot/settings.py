"""Settings from the environment (`ROOTCAUSE_*`), or from files for secrets; nothing else configures a process."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import AliasChoices, Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


class Settings(BaseSettings):
    """What a process needs to know; `missing()` says in words what an App still lacks."""

    model_config = SettingsConfigDict(env_prefix="ROOTCAUSE_", extra="ignore", populate_by_name=True)

    app_id: int | None = None
    private_key: SecretStr | None = None
    private_key_file: Path | None = None
    webhook_secret: Annotated[tuple[SecretStr, ...], NoDecode] = ()
    github_api_url: str = "https://api.github.com"
    read_token: SecretStr | None = None
    public_url: str | None = None
    data_dir: Path = Path(".rootcause")
    database_url: SecretStr | None = Field(default=None, validation_alias=AliasChoices("DATABASE_URL", "database_url"))
    host: str = "0.0.0.0"  # noqa: S104
    port: int = Field(default=8080, validation_alias=AliasChoices("PORT", "port"))

    settle_seconds: float = 25.0
    write_interval_seconds: float = 1.0
    writes_per_minute: int = 80
    writes_per_hour: int = 500
    heartbeat_seconds: float = 5.0
    stalled_after_seconds: float = 20.0
    worker_concurrency: int = 10
    observe_days: float = 7.0
    inbox_delay_seconds: float = 10.0
    inbox_quiet_seconds: float = 120.0
    pull: bool = False
    pull_seconds: float = 30.0
    people_delay_seconds: float = 600.0
    backfill_share: float = Field(default=0.5, gt=0, le=1)
    backfill_days: float = 365.0
    forget_after_days: float = Field(default=30.0, ge=0)
    bot_logins: Annotated[frozenset[str], NoDecode] = frozenset()

    @field_validator("webhook_secret", mode="before")
    @classmethod
    def _split_secrets(cls, value: Any) -> Any:
        """Accept several secrets, comma-separated, so that one can be rotated; empty ones do not count."""
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

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
        return value.rstrip("/") if value else value

    @field_validator("github_api_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        if not value.startswith(("https://", "http://")):
            raise ValueError("it must be an address that begins with https:// or http://")
        return value

    @model_validator(mode="after")
    def _read_key_file(self) -> Settings:
        """Read the private key from its file where only the file is named."""
        if self.private_key is None and self.private_key_file is not None:
            self.private_key = SecretStr(self.private_key_file.read_text())
        return self

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
            lacking.append("ROOTCAUSE_WEBHOOK_SECRET: the secret GitHub signs deliveries with")
        return lacking
