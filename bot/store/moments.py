"""When a snapshot was taken: payloads come twice and in any order, and the newest one counts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any


def github_moment(value: Any) -> datetime | None:
    """Return a moment as payloads give it, as text or as seconds since 1970; None where there is none."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    try:
        moment = datetime.fromtimestamp(value, UTC) if isinstance(value, int) else datetime.fromisoformat(value)
    except (ValueError, OverflowError, OSError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def is_older(as_of: datetime | None, came: datetime, known: datetime | None, known_came: datetime | None) -> bool:
    """Say whether a snapshot is older than what is known: by GitHub's own time, which has whole seconds, then by ours.

    Snapshots without a time of their own are told by when they came alone.
    """
    if as_of is not None and known is not None and as_of != known:
        return as_of < known
    return known_came is not None and came < known_came
