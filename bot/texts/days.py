"""A number of days in words: how long something lasts by the settings of an installation."""

from __future__ import annotations

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def in_days(number: float) -> str:
    """Return `seven days`, `one day` or `30 days`; up to twelve whole days are written in letters."""
    written = _WORDS[int(number) - 1] if number in range(1, len(_WORDS) + 1) else f"{number:g}"
    return f"{written} {'day' if number == 1 else 'days'}"
