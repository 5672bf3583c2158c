"""Which rows of the App's list of deliveries are fetched: once each, whatever the list repeats."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.pull.listing import Listed, horizon, to_fetch

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ROW = {
    "id": 7,
    "guid": "a",
    "delivered_at": "2026-11-30T12:00:00Z",
    "redelivery": False,
    "duration": 0.1,
    "status": "failed to connect to host",
    "status_code": 502,
    "event": "issues",
    "action": "closed",
    "installation_id": 1,
    "repository_id": 2,
    "throttled_at": None,
}
ONE = Listed(7, "a", NOW, False, "issues", "closed")


def test_a_row_is_read() -> None:
    assert Listed.of(ROW) == ONE
    assert Listed.of({**ROW, "action": None}).action is None
    for broken in ({**ROW, "delivered_at": "yesterday"}, {**ROW, "id": None}, {"id": 1}):
        with pytest.raises((KeyError, TypeError, ValueError)):
            Listed.of(broken)


def test_the_list_is_read_for_three_days_at_most_and_a_little_further_than_last_time() -> None:
    assert horizon(None, NOW) == NOW - timedelta(days=3)
    assert horizon(NOW - timedelta(hours=1), NOW) == NOW - timedelta(hours=1, minutes=5)
    assert horizon(NOW - timedelta(days=30), NOW) == NOW - timedelta(days=3)


def test_what_is_fetched() -> None:
    since = NOW - timedelta(days=3)
    older = replace(ONE, id=5, guid="b", delivered_at=NOW - timedelta(minutes=1))
    assert to_fetch([ONE, older], since, (), {}) == [older, ONE], "the oldest first"
    assert to_fetch([ONE], since, {7}, {}) == [], "dealt with before"
    assert to_fetch([replace(ONE, delivered_at=since - timedelta(seconds=1))], since, (), {}) == [], "too old"
    assert to_fetch([replace(ONE, event="push", action=None)], since, (), {}) == [], "nothing acts on it"
    assert to_fetch([replace(ONE, action="pinned")], since, (), {}) == []
    again = replace(ONE, redelivery=True)
    for state in ("waiting", "done", "failed"):
        assert to_fetch([ONE], since, (), {"a": state}) == [], "it came already"
        assert to_fetch([again], since, (), {"a": state}) == ([again] if state == "failed" else [])
