"""What does not fit into one GitHub text: whole sections go into further ones, and only a giant table loses rows."""

import re
from collections.abc import Sequence
from typing import Final

from reports.numbers import counted

_MARKER_END: Final = " -->"
_ENDING: Final = " left out for length; see `report.json`.*"
_ROOM: Final = 80
"""Characters kept free for the sentence about the rows that were left out."""


def part_marker(marker: str, part: int) -> str:
    """Return the hidden marker of a report's further text number `part`, from 1, made from that of the report."""
    return f"{marker.removesuffix(_MARKER_END)} part={part}{_MARKER_END}"


def pack(sections: Sequence[str], heading: str, marker: str | None, budget: int) -> tuple[str, ...]:
    """Put sections, in their order, into as few texts of at most `budget` code points as that order allows.

    Each text begins with its marker, if there is one, and with `heading` and its number. A section longer than a
    whole text is cut at the rows of its largest table.
    """
    texts: list[str] = []
    room = 0
    for section in sections:
        if texts and len(section) + 2 <= room:
            texts[-1] += f"\n\n{section}"
        else:
            part = len(texts) + 1
            top = f"*{heading}, part {part}*\n\n"
            if marker is not None:
                top = f"{part_marker(marker, part)}\n\n{top}"
            texts.append(top + shortened(section, budget - len(top) - 1))
        room = budget - len(texts[-1]) - 1
    return tuple(f"{text}\n" for text in texts)


def shortened(section: str, budget: int) -> str:
    """Return a section of at most `budget` code points: rows go from the end of its largest tables, and are counted.

    Head and rule of each table stay, so what holds no table, or too little in tables, stays longer than that.
    """
    lines = section.splitlines()
    while (excess := len("\n".join(lines)) - budget) > 0 and (uncut := _uncut_tables(lines)):
        start, end = max(uncut, key=lambda place: place[1] - place[0])
        lines = _without_rows(lines, start, end, excess + _ROOM)
    return "\n".join(lines)


def _uncut_tables(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return (first row, end) of each table that still has all its rows, without its head and rule."""
    flags = "".join("|" if line.startswith("|") else "*" if line.endswith(_ENDING) else "." for line in lines)
    return [(found.start() + 2, found.end()) for found in re.finditer(r"\|{3,}(?!\.\*)", flags)]


def _without_rows(lines: list[str], start: int, end: int, excess: int) -> list[str]:
    """Leave out rows from the end of a table until `excess` characters have gone, and say how many."""
    first = end
    while first > start and excess > 0:
        first -= 1
        excess -= len(lines[first]) + 1
    return [*lines[:first], "", f"*{counted(end - first, 'row')}{_ENDING}", *lines[end:]]
