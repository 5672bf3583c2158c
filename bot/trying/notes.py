"""The period of a tried report, and the sentences that its reader must see; pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from bot.features.monthly_report import WINDOW_MONTHS


def period_of(closings: Sequence[datetime], now: datetime) -> tuple[str, int]:
    """Return the month of the latest closing and a window that holds all of them: twelve months, or as many more.

    Without any closing it is the running month.
    """
    newest, oldest = (end(closings).astimezone(UTC) if closings else now for end in (max, min))
    months = (newest.year - oldest.year) * 12 + newest.month - oldest.month + 1
    return f"{newest:%Y-%m}", max(WINDOW_MONTHS, months)


def notes_of(
    full_name: str, closings: Sequence[datetime], window_months: int, *, surely_latest: bool, knows_people: bool
) -> tuple[str, ...]:
    """Say what a tried report is, and what it lacks."""
    if not closings:
        return (f"A try-out that is posted nowhere: no closed issue of {full_name} could be read.",)
    first, last = (f"{end(closings).astimezone(UTC):%Y-%m-%d}" for end in (min, max))
    found = [
        (
            f"A try-out that is posted nowhere. It rests on the {len(closings):,} latest closings of {full_name}, from "
            f"{first} to {last}; earlier ones were not read, and no other repository was."
        ),
        (
            "Nobody has decided anything here, and a report counts decisions only: so no root cause has a share, and "
            "no difficulty is compared. What can be said without decisions stands below the report."
        ),
    ]
    if window_months > WINDOW_MONTHS:
        found.append(f"The window is {window_months} months instead of {WINDOW_MONTHS}, so that all of them are in it.")
    if not surely_latest:
        found.append("So many older issues were touched lately that some of the latest closings may be missing.")
    if not knows_people:
        found.append("GitHub's limit ended the reading before the people's public profiles; a second run adds them.")
    return tuple(found)
