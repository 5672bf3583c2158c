"""GitHub's answers about the App, read into what is judged of them."""

from __future__ import annotations

from typing import Any

from pydantic import AliasChoices, BaseModel, Field, TypeAdapter


class _Account(BaseModel):
    login: str = Field(validation_alias=AliasChoices("login", "slug"))  # an enterprise has no login
    type: str | None = None


class _App(BaseModel):
    slug: str
    owner: _Account | None = None
    permissions: dict[str, str] = {}
    events: list[str] = []


class _Installation(BaseModel):
    account: _Account | None = None
    html_url: str
    permissions: dict[str, str] = {}
    suspended_at: str | None = None


class _Hook(BaseModel):
    url: str | None = None
    content_type: str | None = None
    secret: str | None = None
    insecure_ssl: str | int = "0"


class _Delivery(BaseModel):
    status_code: int | None = None
    status: str | None = None
    delivered_at: str | None = None


_INSTALLATIONS = TypeAdapter(list[_Installation])
_DELIVERIES = TypeAdapter(list[_Delivery])


def app_of(answer: Any) -> dict[str, Any]:
    """Read who the App is; raises pydantic's ValidationError, as all of these, for what no GitHub answers."""
    return _App.model_validate(answer).model_dump()


def installations_of(answer: Any) -> list[dict[str, Any]]:
    """Read who installed the App."""
    return [one.model_dump() for one in _INSTALLATIONS.validate_python(answer)]


def hook_of(answer: Any) -> dict[str, Any]:
    """Read where and how GitHub sends deliveries."""
    return _Hook.model_validate(answer).model_dump()


def deliveries_of(answer: Any) -> list[dict[str, Any]]:
    """Read how the latest deliveries were answered."""
    return [one.model_dump() for one in _DELIVERIES.validate_python(answer)]
