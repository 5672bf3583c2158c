"""Bars of shares with their intervals."""

from typing import Final

from reports.figures.canvas import Canvas
from reports.figures.heading import headed
from reports.figures.panel import ABOVE, BELOW, Panel, column_room, label_room, panel
from reports.figures.plans import Bar, BarPlan
from reports.figures.scales import share_scale
from reports.figures.theme import Theme

_ROW: Final = 34.0
_SLOT: Final = 0.42
_THICK: Final = 0.84
_CAP: Final = 3.0


def draw_bars(plan: BarPlan, theme: Theme) -> Canvas:
    """Draw a bar for each series in each row, its interval as a line over it, and its counts at the right."""
    made, top = headed(plan.heading, theme, ABOVE + _ROW * len(plan.rows) + BELOW)
    bars = [bar for row in plan.rows for bar in row.bars]
    labels = [row.label for row in plan.rows]
    drawn = panel(
        made,
        share_scale([reach for bar in bars for reach in _reach(bar)]),
        plan.axis,
        labels,
        ("n of all", column_room(["n of all", *map(_counts, bars)])),
        (label_room(labels), top, _ROW),
    )
    for series in range(len(plan.heading.series)):
        _series(drawn, [row.bars[series] for row in plan.rows], series, len(plan.heading.series))
    return made


def _reach(bar: Bar) -> tuple[float, float]:
    return bar.share or 0.0, bar.ci[1] if bar.ci else 0.0


def _counts(bar: Bar) -> str:
    return f"{bar.n:,}/{bar.total:,}"


def _series(drawn: Panel, bars: list[Bar], series: int, of: int) -> None:
    """Draw the bars of one series in all rows."""
    theme = drawn.canvas.theme
    look, half = theme.series[series], drawn.row * _SLOT * _THICK / 2
    rectangles, intervals, marks = [], [], []
    for row, bar in enumerate(bars):
        middle = drawn.y(row) + (series - (of - 1) / 2) * drawn.row * _SLOT
        drawn.beside(middle, _counts(bar))
        if bar.share is None:
            continue
        end = drawn.x(bar.share)
        rectangles.append((drawn.left, middle - half, end - drawn.left, 2 * half))
        marks.append((end, middle))
        if bar.ci is not None:
            low, high = map(drawn.x, bar.ci)
            intervals.append(((low, middle), (high, middle)))
            intervals += [((x, middle - _CAP), (x, middle + _CAP)) for x in (low, high)]
    drawn.canvas.boxes(rectangles, look)
    drawn.canvas.lines(intervals, theme.text, 1.2)
    drawn.canvas.marks(marks, look)
