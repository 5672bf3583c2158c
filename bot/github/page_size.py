"""How many issues the next page asks for, by how long the last one took; pure."""

from __future__ import annotations

FIRST_SIZE = 20
"""Issues of the first page."""

LARGEST_SIZE = 100
"""GitHub's own bound of a page (its documentation, "Node limit")."""

_QUICK_SECONDS = 2.0
_SLOW_SECONDS = 6.0
"""An answer should take between these: GitHub breaks a query off after 10 s and charges extra points for it."""


def next_size(size: int, seconds: float) -> int:
    """Return the size of the page after one of `size` issues that took so many seconds.

    A quick page lets it grow by a tenth and at least one; a slow one shrinks it to what would have taken 6 s.
    """
    if seconds < _QUICK_SECONDS:
        return min(LARGEST_SIZE, size + max(1, size // 10))
    if seconds > _SLOW_SECONDS:
        return max(1, min(size - 1, int(size * _SLOW_SECONDS / seconds)))
    return size


def halved(size: int) -> int:
    """Return the size to ask for after a page that GitHub broke off; never below one."""
    return max(1, size // 2)
