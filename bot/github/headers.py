"""Numbers in GitHub's answer headers, read without trusting them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

LONGEST_WINDOW = timedelta(hours=2)
"""A window of GitHub's lasts an hour at most; a header that speaks of a much longer one is not believed."""

_LATEST_SECONDS = 4_000_000_000
_MOST = 1_000_000_000
"""Of requests in a window; more is no limit, and would not fit its column."""


def whole_number(headers: Mapping[str, str], name: str) -> int | None:
    """Return a header's whole number, or None where it is absent or something else; `name` is in lower case."""
    value = headers.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None


def window_of(headers: Mapping[str, str]) -> tuple[int, int] | None:
    """Return a window's limit and what remains of it, or None where an answer does not say both, or says nonsense."""
    limit, remaining = whole_number(headers, "x-ratelimit-limit"), whole_number(headers, "x-ratelimit-remaining")
    return (limit, remaining) if limit is not None and limit <= _MOST and remaining is not None else None


def reset_moment(headers: Mapping[str, str]) -> datetime | None:
    """Return the moment of `x-ratelimit-reset` (seconds since the epoch), or None where there is none."""
    seconds = whole_number(headers, "x-ratelimit-reset")
    return datetime.fromtimestamp(seconds, UTC) if seconds is not None and seconds < _LATEST_SECONDS else None


def reset_in(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    """Return how long the window of an answer still lasts, None where it does not say, or says nonsense.

    It is reckoned from GitHub's own time in the answer (`date`), so that a clock of ours that is wrong does no harm;
    `now` counts where there is none. Both are whole seconds, so the window may last up to a second longer.
    """
    reset = reset_moment(headers)
    if reset is None:
        return None
    try:
        told = parsedate_to_datetime(headers.get("date", "")).astimezone(UTC)
    except (ValueError, OverflowError):
        told = now
    left = reset - told
    return left if left <= LONGEST_WINDOW else None
