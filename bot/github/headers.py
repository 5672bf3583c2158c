"""Numbers in GitHub's answer headers, read without trusting them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

_LATEST_SECONDS = 4_000_000_000


def whole_number(headers: Mapping[str, str], name: str) -> int | None:
    """Return a header's whole number, or None where it is absent or something else; `name` is in lower case."""
    value = headers.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None


def reset_moment(headers: Mapping[str, str]) -> datetime | None:
    """Return the moment of `x-ratelimit-reset` (seconds since the epoch), or None where there is none."""
    seconds = whole_number(headers, "x-ratelimit-reset")
    return datetime.fromtimestamp(seconds, UTC) if seconds is not None and seconds < _LATEST_SECONDS else None
