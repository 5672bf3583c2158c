"""Box plots from given quartiles: the box from the lower to the upper quartile, the median in it, and no whiskers."""

from typing import Final

from reports.figures.canvas import Canvas
from reports.figures.heading import headed
from reports.figures.panel import ABOVE, BELOW, Panel, column_room, label_room, panel
from reports.figures.plans import BoxPanel, BoxPlan, Cell
from reports.figures.scales import value_scale
from reports.figures.theme import Theme

_PAIR: Final = 34.0
_SINGLE: Final = 22.0
_BETWEEN: Final = 12.0
_FILLED: Final = 0.72
_THICK: Final = 0.84
"""A box's share of its slot, and all slots' share of the row."""


def draw_boxes(plan: BoxPlan, theme: Theme) -> Canvas:
    """Draw the panels one below the other, with the number of values at the right of each box."""
    heights = [ABOVE + _row(one) * len(one.rows) + BELOW for one in plan.panels]
    made, top = headed(plan.heading, theme, sum(heights) + _BETWEEN * (len(heights) - 1))
    left = label_room([row.label for one in plan.panels for row in one.rows])
    room = column_room([f"{cell.n:,}" for one in plan.panels for row in one.rows for _, cell in row.boxes])
    for one, height in zip(plan.panels, heights, strict=True):
        values = [value for row in one.rows for _, cell in row.boxes for value in _quartiles(cell)]
        scale = value_scale(values, one.log)
        drawn = panel(made, scale, one.axis, [row.label for row in one.rows], ("n", room), (left, top, _row(one)))
        for series in range(len(theme.series)):
            _series(drawn, one, series)
        top += height + _BETWEEN
    return made


def _row(one: BoxPanel) -> float:
    return _SINGLE if all(len(row.boxes) == 1 for row in one.rows) else _PAIR


def _quartiles(cell: Cell) -> tuple[float, ...]:
    return tuple(value for value in (cell.q1, cell.median, cell.q3) if value is not None)


def _series(drawn: Panel, one: BoxPanel, series: int) -> None:
    """Draw the boxes of one series in all rows."""
    look = drawn.canvas.theme.series[series]
    rectangles, medians, marks = [], [], []
    for number, row in enumerate(one.rows):
        slot = drawn.row * _FILLED / len(row.boxes) if len(row.boxes) == 1 else drawn.row * _THICK / len(row.boxes)
        for place, (position, cell) in enumerate(row.boxes):
            if position != series:
                continue
            middle = drawn.y(number) + (place - (len(row.boxes) - 1) / 2) * slot
            drawn.beside(middle, f"{cell.n:,}")
            if cell.median is None or cell.q1 is None or cell.q3 is None:
                continue
            low, median, high = (drawn.x(value) for value in (cell.q1, cell.median, cell.q3))
            half = slot * _THICK / 2
            rectangles.append((low, middle - half, high - low, 2 * half))
            medians.append(((median, middle - half), (median, middle + half)))
            marks.append((median, middle))
    drawn.canvas.boxes(rectangles, look)
    drawn.canvas.lines(medians, look.colour, 2.4)
    drawn.canvas.marks(marks, look)
