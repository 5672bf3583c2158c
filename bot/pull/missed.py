"""Which deliveries never arrived, and when GitHub is to be asked for one again: pure decisions on GitHub's own rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.pull.listing import Listed, concerns_us

MOST_ASKED = 10
"""How often one delivery is asked for; then it is given up. With the waits between, that takes 55 hours."""

FIRST_WAIT, LONGEST_WAIT = timedelta(hours=1), timedelta(hours=8)
"""Before a delivery is asked for a second time; the wait doubles each time, so what fails for good is left alone."""


@dataclass(frozen=True)
class Missed:
    """A delivery of which no attempt arrived: `id` is its newest attempt's, `sent_at` when GitHub sent it first."""

    id: int
    guid: str
    event: str
    action: str | None
    sent_at: datetime
    attempts: int


def failed(listed: Iterable[Listed]) -> dict[str, list[Listed]]:
    """Return by guid the attempts at those deliveries that concern us and of which none that is listed arrived."""
    attempts: defaultdict[str, list[Listed]] = defaultdict(list)
    for one in listed:
        if concerns_us(one):
            attempts[one.guid].append(one)
    return {guid: rows for guid, rows in attempts.items() if not any(row.arrived for row in rows)}


def missed(
    attempts: Mapping[str, list[Listed]], known: Collection[str], first_sent: Mapping[str, datetime], since: datetime
) -> list[Missed]:
    """Return the deliveries to ask for, of those that failed, the oldest first.

    `known` are the guids of deliveries that are stored: these came all the same. What GitHub sent first before `since`
    it sends no more; where the list does not reach back to that, `first_sent` says so of what was asked for before.
    """
    found = []
    for guid, rows in attempts.items():
        first = next((row.delivered_at for row in rows if not row.redelivery), first_sent.get(guid))
        if guid in known or first is None or first < since:
            continue
        newest = max(rows, key=lambda row: (row.delivered_at, row.id))
        found.append(Missed(newest.id, guid, newest.event, newest.action, first, len(rows)))
    return sorted(found, key=lambda one: (one.sent_at, one.id))


def may_ask_at(asked: int, asked_at: datetime | None) -> datetime | None:
    """Return from when on a delivery may be asked for that was `asked` for so often, None for at once."""
    if asked_at is None or not asked:
        return None
    doublings = min(asked - 1, 6)
    return asked_at + min(FIRST_WAIT * float(2**doublings), LONGEST_WAIT)
