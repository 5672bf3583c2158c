"""What stands above the panels of a figure: title, note and legend, broken into lines that fit."""

from collections.abc import Sequence
from typing import Final, Literal

from reports.figures.canvas import Canvas, canvas
from reports.figures.lettering import width, wrapped
from reports.figures.plans import Heading
from reports.figures.theme import SMALL, TEXT, TITLE, WIDTH, Theme

Keys = Literal["boxes", "lines", "dashes"]

MARGIN: Final = 12.0
_ROOM: Final = WIDTH - 2 * MARGIN
_TITLE_LINE: Final = 19.0
_NOTE_LINE: Final = 15.0
_LEGEND_LINE: Final = 20.0
_KEY: Final = 22.0
_NAME_GAP: Final = 6.0
_ENTRY_GAP: Final = 20.0


def headed(heading: Heading, theme: Theme, below: float, keys: Keys = "boxes") -> tuple[Canvas, float]:
    """Return a sheet with its heading and `below` points under it, and where those begin.

    `keys` says what the legend's keys look like beside their markers.
    """
    title = wrapped(heading.title, TITLE, _ROOM, bold=True)
    note = wrapped(heading.note, SMALL, _ROOM)
    legend = _legend_lines(heading.series)
    top = MARGIN + _TITLE_LINE * len(title) + _NOTE_LINE * len(note) + _LEGEND_LINE * len(legend) + 10
    made = canvas(theme, top + below)
    y = MARGIN
    for line in title:
        made.text((MARGIN, y + 14), line, theme.text, TITLE, bold=True)
        y += _TITLE_LINE
    for line in note:
        made.text((MARGIN, y + 12), line, theme.muted)
        y += _NOTE_LINE
    for entries in legend:
        _legend(made, y + 16, entries, heading.series, keys)
        y += _LEGEND_LINE
    return made, top


def _legend_lines(names: Sequence[str]) -> list[list[str]]:
    """Break the legend where a line is full."""
    rows: list[list[str]] = []
    used = 0.0
    for name in names:
        if not rows or used + _entry(name) > _ROOM:
            rows.append([])
            used = 0.0
        rows[-1].append(name)
        used += _entry(name)
    return rows


def _entry(name: str) -> float:
    return _KEY + _NAME_GAP + width(name, TEXT) + _ENTRY_GAP


def _legend(made: Canvas, baseline: float, entries: Sequence[str], names: Sequence[str], keys: Keys) -> None:
    x = MARGIN
    for name in entries:
        look = made.theme.series[names.index(name)]
        if keys == "boxes":
            made.boxes([(x, baseline - 9, _KEY, 10)], look)
        else:
            line = ((x, baseline - 4), (x + _KEY, baseline - 4))
            made.lines([line], look.colour, 2.0, look.dash if keys == "dashes" else "-")
        made.marks([(x + _KEY / 2, baseline - 4)], look)
        made.text((x + _KEY + _NAME_GAP, baseline), name, made.theme.text, TEXT)
        x += _entry(name)
