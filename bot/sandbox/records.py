"""What the local GitHub remembers about its dealings with the App: tokens, webhook deliveries, writes, violations."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(slots=True)
class Token:
    """A made-up token: an installation's (`installation_id`) or a person's (`account_id`, which may only read)."""

    id: int
    value: str
    installation_id: int | None = None
    account_id: int | None = None
    expires_at: datetime | None = None
    permissions: dict[str, str] = field(default_factory=dict)
    repository_ids: list[int] | None = None


@dataclass(slots=True)
class Delivery:
    """One attempt to deliver one webhook; a redelivery is a new one with the same `guid`.

    `delivered_at` is None while it waits to be sent. `status_code` is what the receiver answered, 502 where it
    could not be reached, 504 where it took more than ten seconds.
    """

    id: int
    guid: str
    event: str
    action: str | None
    created_at: datetime
    payload: str
    installation_id: int | None = None
    repository_id: int | None = None
    redelivery: bool = False
    delivered_at: datetime | None = None
    duration: float = 0.0
    status: str = "pending"
    status_code: int = 0
    request_headers: dict[str, str] = field(default_factory=dict)
    response_headers: dict[str, str] = field(default_factory=dict)
    response_body: str = ""


@dataclass(slots=True)
class Write:
    """One successful write by the App: what it sent, when, and what was answered."""

    id: int
    at: datetime
    installation_id: int
    method: str
    path: str
    body: dict[str, Any]
    status: int


@dataclass(slots=True)
class Violation:
    """One request that GitHub would have refused because of a limit."""

    id: int
    at: datetime
    installation_id: int | None
    limit: str
    method: str
    path: str
