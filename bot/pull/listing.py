"""Which entries of the App's list of deliveries are to be fetched: pure decisions on GitHub's own rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bot.deliveries import ACTIONS

LONGEST_BACK = timedelta(days=3)
"""How old a delivery may be that is still fetched; GitHub, too, sends again for three days only (github.md, R1)."""

OVERLAP = timedelta(minutes=5)
"""How far before the newest one dealt with the list is read again: a delivery that took long may appear late."""


@dataclass(frozen=True)
class Listed:
    """One row of `GET /app/hook/deliveries`; a delivery that was sent again has several, with one `guid`.

    It `arrived` where it was answered with 2xx.
    """

    id: int
    guid: str
    delivered_at: datetime
    redelivery: bool
    event: str
    action: str | None
    arrived: bool = False

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Listed:
        """Read a row; raises KeyError, TypeError or ValueError where it is none."""
        delivered_at = datetime.fromisoformat(row["delivered_at"])
        action = row["action"] if row["action"] is None else str(row["action"])
        status = row.get("status_code")
        return cls(
            id=int(row["id"]),
            guid=str(row["guid"]),
            delivered_at=delivered_at,
            redelivery=row["redelivery"] is True,
            event=str(row["event"]),
            action=action,
            arrived=isinstance(status, int) and 200 <= status < 300,
        )


def horizon(newest: datetime | None, now: datetime) -> datetime:
    """Return the moment back to which the list is read; `newest` is that of the newest delivery dealt with."""
    earliest = now - LONGEST_BACK
    return earliest if newest is None else max(earliest, newest - OVERLAP)


def concerns_us(listed: Listed) -> bool:
    """Say whether anything here acts on events of its kind."""
    return listed.action in ACTIONS.get(listed.event, ())


def to_fetch(
    listed: Sequence[Listed], since: datetime, seen: Collection[int], known: Mapping[str, str]
) -> list[Listed]:
    """Return what is to be fetched, the oldest first.

    `seen` are rows that were dealt with before, `known` the states of the deliveries that are stored, by guid: these
    came already, one way or the other. Only one that failed and was sent again since is fetched again, as it would have
    been received again.
    """
    wanted = [
        one
        for one in listed
        if one.delivered_at >= since
        and one.id not in seen
        and concerns_us(one)
        and (one.guid not in known or (one.redelivery and known[one.guid] == "failed"))
    ]
    return sorted(wanted, key=lambda one: (one.delivered_at, one.id))
