"""What a shown record is made of: named values with their sources, for a person's eyes and for a program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bot.store.whole import Stated

NOT_KNOWN = "not known"

Value = str | int | float | bool | datetime | list[str] | None


@dataclass(frozen=True)
class Line:
    """A value under the name that the replication package gives it, and where it comes from.

    Where `value` is None, `source` says why it is not known. `shown` stands for it where its plain form is not what a
    person wants to read. `listed` marks one of several values under the same name.
    """

    name: str
    value: Value
    source: str = ""
    shown: str | None = None
    listed: bool = False

    @property
    def text(self) -> str:
        """The value in words."""
        return self.shown if self.shown is not None else in_words(self.value)


@dataclass(frozen=True)
class Section:
    """Lines that belong together."""

    title: str
    lines: tuple[Line, ...]


def in_words(value: Value) -> str:
    """Write a value: no more than two decimals, moments to the minute in UTC, and never a 0 for what is not known."""
    if value is None:
        return NOT_KNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.2f}".rstrip("0").rstrip(".")
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, list):
        return ", ".join(value) or "none"
    return value


def moment(value: datetime) -> str:
    """Write a moment to the minute."""
    return f"{value.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def said_by(one: Stated) -> str:
    """Tell who gave a command and when, without a name, and whether it was taken back."""
    undone = f", taken back {moment(one.undone_at)}" if one.undone_at is not None else ""
    return f"said by person {one.person}, {moment(one.said_at)}{undone}"


def as_json(sections: Sequence[Section]) -> dict[str, Any]:
    """Return every line by its section's and its own name: `value` and `source`, or `value` null and `reason`."""
    found: dict[str, Any] = {}
    for section in sections:
        place: dict[str, Any] = found.setdefault(section.title, {})
        for line in section.lines:
            if line.listed:
                place.setdefault(line.name, []).append(_plain(line))
            else:
                place[line.name] = _plain(line)
    return found


def _plain(line: Line) -> dict[str, Any]:
    if line.value is None:
        return {"value": None, "reason": line.source or None}
    value = line.value
    if isinstance(value, datetime):
        value = value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return {"value": value, "source": line.source or None}
