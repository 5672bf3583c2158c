"""Which deliveries never arrived, and how patiently they are asked for."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.features.missed_closings import closing_guid, holes, is_found_here
from bot.github.closed_issues import ClosedIssue
from bot.pull.listing import Listed
from bot.pull.missed import MOST_ASKED, Missed, failed, may_ask_at, missed

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SINCE = NOW - timedelta(days=3)
SENT = NOW - timedelta(hours=5)
FIRST = Listed(7, "a", SENT, False, "issues", "closed")
AGAIN = replace(FIRST, id=9, delivered_at=NOW, redelivery=True)


def found(*listed: Listed, known: tuple[str, ...] = (), first_sent: dict[str, datetime] | None = None) -> list[Missed]:
    return missed(failed(listed), known, first_sent or {}, SINCE)


def test_what_failed_each_time_is_missed_and_its_newest_attempt_is_asked_for() -> None:
    assert found(AGAIN, FIRST) == [Missed(9, "a", "issues", "closed", SENT, 2)]
    older = replace(FIRST, id=3, guid="b", delivered_at=SENT - timedelta(hours=1))
    assert [one.guid for one in found(AGAIN, FIRST, older)] == ["b", "a"], "the oldest first"


def test_one_attempt_that_arrived_is_enough() -> None:
    assert found(replace(AGAIN, arrived=True), FIRST) == []
    assert found(AGAIN, replace(FIRST, arrived=True)) == []
    assert found(AGAIN, FIRST, known=("a",)) == [], "it was stored, though the answer was not heard"


def test_what_is_dropped_at_the_door_is_not_asked_for() -> None:
    assert found(replace(FIRST, action="opened"), replace(FIRST, guid="b", event="push", action=None)) == []


def test_three_days_count_from_the_first_attempt() -> None:
    assert found(replace(FIRST, delivered_at=SINCE - timedelta(seconds=1)), AGAIN) == []
    assert found(AGAIN) == [], "its first attempt is older than the list"
    assert [one.sent_at for one in found(AGAIN, first_sent={"a": SENT})] == [SENT]
    assert found(AGAIN, first_sent={"a": SINCE - timedelta(seconds=1)}) == []


def test_the_waits_grow_and_end_within_the_three_days() -> None:
    assert may_ask_at(0, None) is None
    moment, hours = NOW, []
    for asked in range(1, MOST_ASKED):
        due = may_ask_at(asked, moment)
        assert due is not None
        hours.append((due - moment).total_seconds() / 3600)
        moment = due
    assert hours == [1, 2, 4, 8, 8, 8, 8, 8, 8]
    assert moment - NOW < timedelta(days=3)


def closed(number: int, at: datetime, **facts: Any) -> ClosedIssue:
    return replace(ClosedIssue(100 + number, number, at, at, {"id": 5}, False), **facts)


def test_holes_are_closings_of_people_that_no_record_reaches() -> None:
    at = NOW - timedelta(hours=1)
    found = holes(
        [
            closed(1, at),
            closed(2, at - timedelta(minutes=1), author=None),
            closed(3, at),
            closed(4, at),
            closed(5, at, is_pull_request=True),
            closed(6, at, author={"id": 77}),
            closed(7, SENT - timedelta(seconds=1)),
            closed(8, NOW + timedelta(seconds=1)),
        ],
        SENT,
        NOW,
        recorded={3: at, 4: at - timedelta(hours=1)},
        own_id=77,
    )
    assert [one.number for one in found] == [2, 1, 4], "the oldest first, and one that was closed again"
    names = {closing_guid(9, one) for one in (*found, closed(1, at + timedelta(seconds=1)))}
    assert len(names) == 4
    assert all(is_found_here(name) for name in names)
