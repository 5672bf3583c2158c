"""Months and windows."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports import ReportInputError
from reports.periods import parse_period


@pytest.mark.parametrize(
    ("name", "months", "start", "month", "end"),
    [
        ("2026-11", 12, (2025, 12), (2026, 11), (2026, 12)),
        ("2026-12", 1, (2026, 12), (2026, 12), (2027, 1)),
        ("2026-01", 2, (2025, 12), (2026, 1), (2026, 2)),
        ("2024-02", 120, (2014, 3), (2024, 2), (2024, 3)),
    ],
)
def test_a_window_ends_with_its_month(
    name: str, months: int, start: tuple[int, int], month: tuple[int, int], end: tuple[int, int]
) -> None:
    period = parse_period(name, months)
    assert period.window.start == datetime(*start, 1, tzinfo=UTC)
    assert period.month.start == datetime(*month, 1, tzinfo=UTC)
    assert period.window.end == period.month.end == datetime(*end, 1, tzinfo=UTC)


def test_the_first_moment_belongs_to_a_span_and_the_end_to_the_next() -> None:
    month = parse_period("2026-11").month
    assert month.holds(month.start)
    assert not month.holds(month.end)
    assert month.holds(month.end - timedelta(microseconds=1))
    assert not month.holds(None)


def test_the_seed_is_the_month() -> None:
    assert parse_period("2026-11").seed == 202611


@pytest.mark.parametrize(
    "name", ["", "2026", "2026-13", "2026-00", "2026-1", "26-11", "2026-11 ", "0000-05", "２０２６-11"]
)
def test_anything_else_is_no_month(name: str) -> None:
    with pytest.raises(ReportInputError, match="YYYY-MM"):
        parse_period(name)


@pytest.mark.parametrize(("name", "months"), [("2026-11", 0), ("2026-11", -3), ("0001-05", 12), ("9999-12", 1)])
def test_windows_that_cannot_be_are_refused(name: str, months: int) -> None:
    with pytest.raises(ReportInputError, match="window"):
        parse_period(name, months)


@given(year=st.integers(2, 9998), month=st.integers(1, 12), months=st.integers(1, 12))
def test_every_window_has_its_number_of_months(year: int, month: int, months: int) -> None:
    period = parse_period(f"{year:04}-{month:02}", months)
    start, end = period.window.start, period.window.end
    assert (end.year - start.year) * 12 + end.month - start.month == months
