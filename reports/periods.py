"""Periods: a calendar month as `YYYY-MM`, and the window of months that ends with it."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from reports.errors import ReportInputError

_PERIOD = re.compile(r"(\d{4})-(0[1-9]|1[0-2])", re.ASCII)


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open stretch of time, `start <= t < end`, both aware and in UTC."""

    start: datetime
    end: datetime

    def holds(self, moment: datetime | None) -> bool:
        """Whether `moment` lies inside; an unknown moment never does."""
        return moment is not None and self.start <= moment < self.end


@dataclass(frozen=True, slots=True)
class Period:
    """The reported month and the window its tests use (both end at the same moment)."""

    name: str
    window_months: int
    month: Span
    window: Span

    @property
    def months(self) -> tuple[str, ...]:
        """The window's months in order, each as `YYYY-MM`."""
        first = self.window.start.year * 12 + self.window.start.month - 1
        indices = range(first, first + self.window_months)
        return tuple(f"{index // 12:04d}-{index % 12 + 1:02d}" for index in indices)

    @property
    def seed(self) -> int:
        """The seed of everything drawn at random for this report: the month's digits, 2026-11 -> 202611."""
        return int(self.name.replace("-", ""))


def parse_period(name: str, window_months: int = 12) -> Period:
    """Read `YYYY-MM` and a window of whole months.

    Raises ReportInputError for anything else, for a window below one month and for one that starts before year 1.
    """
    match = _PERIOD.fullmatch(name)
    if match is None or int(match[1]) == 0:
        raise ReportInputError(f"The period {name!r} is not a month: write it as YYYY-MM, for example 2026-11.")
    index = int(match[1]) * 12 + int(match[2]) - 1
    if window_months < 1:
        raise ReportInputError(f"The window of {window_months} months is too short: give 1 month or more.")
    if index + 1 - window_months < 12 or index + 1 >= 12 * 10_000:
        raise ReportInputError(f"A window of {window_months} months that ends with {name} leaves the calendar.")
    end = _first_of(index + 1)
    month = Span(_first_of(index), end)
    return Period(name, window_months, month, Span(_first_of(index + 1 - window_months), end))


def _first_of(index: int) -> datetime:
    """Return the first moment of the month counted `index` months after January of year 0."""
    return datetime(index // 12, index % 12 + 1, 1, tzinfo=UTC)
