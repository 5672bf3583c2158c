"""A panel of labelled rows over one value axis, with a column of short texts at the right."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reports.figures.canvas import Canvas
from reports.figures.heading import MARGIN
from reports.figures.lettering import drawable, fitted, width, wrapped
from reports.figures.scales import Scale
from reports.figures.theme import SMALL, TEXT, WIDTH

ABOVE: Final = 16.0
"""Points above the rows for the head of the column."""
BELOW: Final = 42.0
"""Points below the rows for the ticks and the name of the axis."""
_WIDEST_LABEL: Final = 200.0
_GAP: Final = 8.0
_LINE: Final = 13.0
_BALANCED: Final = 0.62
_DROP: Final = 4.0
"""From the middle of a line of text down to its baseline."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Rows of `row` points each from `top` on; values lie between `left` and `right`."""

    canvas: Canvas
    scale: Scale
    left: float
    right: float
    top: float
    row: float

    def x(self, value: float) -> float:
        """Return where a value stands."""
        return self.left + self.scale.place(value) * (self.right - self.left)

    def y(self, row: float) -> float:
        """Return the middle of a row, counted from 0."""
        return self.top + (row + 0.5) * self.row

    def beside(self, y: float, text: str, bold: bool = False) -> None:
        """Write into the column at the right, around the height `y`."""
        theme = self.canvas.theme
        self.canvas.text((self.right + _GAP, y + _DROP), text, theme.text if bold else theme.muted, bold=bold)


def label_room(labels: Sequence[str]) -> float:
    """Return the points that the labels take at the left, at most a good third of the sheet."""
    widest = max((width(drawable(label), TEXT, bold=True) for label in labels), default=0.0)
    return MARGIN + _GAP + min(_WIDEST_LABEL, widest)


def column_room(texts: Sequence[str]) -> float:
    """Return the points that the column's texts take at the right."""
    return MARGIN + _GAP + max((width(text, SMALL, bold=True) for text in texts), default=0.0)


def panel(
    canvas: Canvas,
    scale: Scale,
    axis: str,
    labels: Sequence[str],
    column: tuple[str, float],
    box: tuple[float, float, float],
    headings: Sequence[int] = (),
) -> Panel:
    """Draw the labels, every other row on a band, the grid and the axis.

    `column` is the head of the column at the right and its room; `box` is the room of the labels, the top of the panel
    and the height of a row; `headings` are the rows whose labels are bold.
    """
    left, top, row = box
    made = Panel(canvas, scale, left, WIDTH - column[1], top + ABOVE, row)
    bottom = made.top + row * len(labels)
    theme, wide = canvas.theme, made.right - left
    canvas.fill([(left, made.top + row * number, wide, row) for number in range(0, len(labels), 2)], theme.band)
    canvas.lines([((made.x(value), made.top), (made.x(value), bottom)) for value, _ in scale.ticks], theme.grid)
    canvas.lines([((left, bottom), (made.right, bottom))], theme.muted)
    for number, label in enumerate(labels):
        _label(made, number, label, number in headings)
    for value, text in scale.ticks:
        canvas.text((made.x(value), bottom + 15), text, theme.muted, align="center")
    name = f"{axis} (logarithmic axis)" if scale.log else axis
    canvas.text(((left + made.right) / 2, bottom + 31), name, theme.text, align="center")
    made.beside(made.top - 8, column[0])
    return made


def _label(made: Panel, row: int, label: str, bold: bool) -> None:
    """Write a row's label, on two lines if it fits so, else with its middle left out."""
    room = made.left - MARGIN - _GAP
    text = drawable(label)
    lines = wrapped(text, TEXT, room)
    if len(lines) == 2:
        even = wrapped(text, TEXT, _BALANCED * width(text, TEXT))
        lines = even if len(even) == 2 else lines
    if len(lines) > 2 or len(lines) * _LINE > made.row or any(width(line, TEXT) > room for line in lines):
        lines = [fitted(label, TEXT, room)]
    for number, line in enumerate(lines):
        y = made.y(row) + (number - (len(lines) - 1) / 2) * _LINE + _DROP
        made.canvas.text((made.left - _GAP, y), line, made.canvas.theme.text, TEXT, "right", bold)
