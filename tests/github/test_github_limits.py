"""The pacing of writes keeps every limit in every window, and gives no slot away."""

from __future__ import annotations

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.github.errors import RateLimited
from bot.github.limits import LATE, PATIENCE, HeardLimits, WriteBudget, next_slot, reserve
from tests.support.clock import START


def _slots(gaps: list[float], interval: float, per_minute: int, per_hour: int) -> list[tuple[datetime, datetime]]:
    now, budget, slots = START, WriteBudget(), []
    for gap in gaps:
        now += timedelta(seconds=gap)
        slot, budget = next_slot(budget, now, interval, per_minute, per_hour)
        slots.append((now, slot))
        assert len(budget.recent) <= per_hour
    return slots


@given(
    gaps=st.lists(st.floats(0, 900), max_size=60),
    interval=st.floats(0, 3),
    per_minute=st.integers(1, 6),
    per_hour=st.integers(6, 15),
)
def test_no_window_ever_holds_too_many(gaps: list[float], interval: float, per_minute: int, per_hour: int) -> None:
    slots = _slots(gaps, interval, per_minute, per_hour)
    moments = [slot for _, slot in slots]
    assert all(slot >= now for now, slot in slots)
    for index, slot in enumerate(moments):
        if index:
            assert slot >= moments[index - 1] + timedelta(seconds=interval)
        if index >= per_minute:
            assert slot >= moments[index - per_minute] + timedelta(minutes=1)
        if index >= per_hour:
            assert slot >= moments[index - per_hour] + timedelta(hours=1)


@given(gaps=st.lists(st.floats(0, 900), min_size=1, max_size=40))
def test_a_write_waits_no_longer_than_a_limit_demands(gaps: list[float]) -> None:
    slots = _slots(gaps, 1, 5, 12)
    moments = [slot for _, slot in slots]
    for index, (now, slot) in enumerate(slots):
        reasons = [now]
        if index:
            reasons.append(moments[index - 1] + timedelta(seconds=1))
        if index >= 5:
            reasons.append(moments[index - 5] + timedelta(minutes=1) + LATE)
        if index >= 12:
            reasons.append(moments[index - 12] + timedelta(hours=1) + LATE)
        assert slot == max(reasons)


def test_the_settings_of_github() -> None:
    moments = [slot for _, slot in _slots([0.0] * 501, 1.0, 80, 500)]
    assert moments[:3] == [START, START + timedelta(seconds=1), START + timedelta(seconds=2)]
    assert moments[499] == START + timedelta(seconds=499)
    assert moments[500] == START + timedelta(hours=1) + LATE


def test_a_slot_too_far_away_is_told_but_not_taken() -> None:
    full = WriteBudget(tuple(START + timedelta(seconds=n) for n in range(500)))
    now = START + timedelta(seconds=500)
    slot, kept = reserve(full, now, 1.0, 80, 500)
    free = START + timedelta(hours=1) + LATE
    assert slot == free
    assert kept is full
    slot, taken = reserve(full, free - PATIENCE, 1.0, 80, 500)
    assert slot == free
    assert taken.recent[-1] == slot


def test_what_nobody_waits_for_takes_half_and_leaves_the_last_fifth_to_live_work() -> None:
    budget, background = WriteBudget(), 0
    for second in range(400):
        now = START + timedelta(seconds=second)
        slot, after = reserve(budget, now, 1.0, 8, 40, live=False)
        background += after != budget
        assert after == budget or slot - now <= timedelta(seconds=3)
        assert after != budget or slot - now > PATIENCE
        budget = after
    assert background == 20
    live = [START + timedelta(seconds=400 + 10 * n) for n in range(12)]
    for now in live:
        _, budget = reserve(budget, now, 1.0, 8, 40)
    slot, after = reserve(WriteBudget(budget.recent), live[-1] + timedelta(seconds=60), 1.0, 8, 40, live=False)
    assert after.background == (), "32 of 40 are used, and the rest is live work's"
    assert slot > live[-1] + timedelta(minutes=45)


def _unnamed() -> RateLimited:
    return RateLimited("slow down", START, kind="secondary", named=False)


def test_unnamed_refusals_double_and_an_accepted_write_forgets_them() -> None:
    limits, waits = HeardLimits(), []
    for _ in range(8):
        error = _unnamed()
        limits.refused(error, START, write=True)
        waits.append((error.retry_at - START).total_seconds())
    assert waits == [60, 120, 240, 480, 960, 1920, 3600, 3600]
    limits.accepted(write=False)
    error = _unnamed()
    limits.refused(error, START, write=True)
    assert error.retry_at == START + timedelta(hours=1)
    limits.accepted(write=True)
    error = _unnamed()
    limits.refused(error, START, write=True)
    assert error.retry_at == START + timedelta(minutes=1)
    assert limits.opens_at("core", START) == START + timedelta(hours=1)


def test_an_empty_window_closes_only_itself_until_its_reset() -> None:
    limits = HeardLimits()
    reset = START + timedelta(minutes=3)
    headers = {
        "x-ratelimit-limit": "30",
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": str(int(reset.timestamp())),
    }
    limits.hear("search", headers)
    assert limits.opens_at("search", START) == reset
    assert limits.opens_at("core", START) is None
    assert limits.opens_at("search", reset) is None
    limits.hear("search", {"x-ratelimit-limit": "²", "x-ratelimit-remaining": "", "x-ratelimit-reset": "soon"})
    assert limits.budgets["search"].remaining == 0
    limits.hear("core", {**headers, "x-ratelimit-reset": "3900000000"})
    assert limits.opens_at("core", START) is None, "a window of decades is not believed"
