"""The trend: values month by month, a gap where a month has none."""

from itertools import groupby
from typing import Final

from reports.figures.canvas import Canvas
from reports.figures.heading import MARGIN, headed
from reports.figures.lettering import width
from reports.figures.letters import Point
from reports.figures.plans import TrendPanel, TrendPlan
from reports.figures.scales import Scale, value_scale
from reports.figures.theme import SMALL, TEXT, WIDTH, Theme

_NAME: Final = 26.0
_HEIGHT: Final = 116.0
_BELOW: Final = 40.0
_RIGHT: Final = WIDTH - MARGIN
_MOST_MONTHS: Final = 13
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def draw_trend(plan: TrendPlan, theme: Theme) -> Canvas:
    """Draw the panels one below the other over the same months."""
    below = len(plan.panels) * (_NAME + _HEIGHT + _BELOW)
    made, top = headed(plan.heading, theme, below, keys="dashes")
    scales = [_scale(panel) for panel in plan.panels]
    left = MARGIN + 8 + max(width(label, SMALL) for scale in scales for _, label in scale.ticks)
    for panel, scale in zip(plan.panels, scales, strict=True):
        name = f"{panel.axis} (logarithmic axis)" if scale.log else panel.axis
        made.text((MARGIN, top + 14), name, theme.text, TEXT)
        _panel(made, panel, scale, left, top + _NAME, len(plan.months))
        _months(made, plan.months, left, top + _NAME + _HEIGHT)
        top += _NAME + _HEIGHT + _BELOW
    return made


def _scale(panel: TrendPanel) -> Scale:
    return value_scale([0.0, *(value for line in panel.lines for value in line.values if value is not None)], False)


def _x(place: int, months: int, left: float) -> float:
    return left + (place + 0.5) * (_RIGHT - left) / months


def _panel(made: Canvas, panel: TrendPanel, scale: Scale, left: float, top: float, months: int) -> None:
    theme = made.theme
    bottom = top + _HEIGHT
    for value, text in scale.ticks:
        y = bottom - scale.place(value) * _HEIGHT
        made.lines([((left, y), (_RIGHT, y))], theme.grid)
        made.text((left - 6, y + 4), text, theme.muted, align="right")
    for line in panel.lines:
        look = theme.series[line.series]
        runs: list[tuple[Point, ...]] = []
        for known, run in groupby(enumerate(line.values), key=lambda one: one[1] is not None):
            if known:
                runs.append(
                    tuple((_x(i, months, left), bottom - scale.place(value or 0.0) * _HEIGHT) for i, value in run)
                )
        made.lines([run for run in runs if len(run) > 1], look.colour, 1.8, look.dash)
        made.marks([point for run in runs for point in run], look)


def _months(made: Canvas, months: tuple[str, ...], left: float, bottom: float) -> None:
    """Name the months, the year below the first of each; every so many where there are many."""
    year = ""
    for place in range(0, len(months), -(-len(months) // _MOST_MONTHS)):
        now, month = months[place].split("-")
        x = _x(place, len(months), left)
        made.text((x, bottom + 15), _MONTHS[int(month) - 1], made.theme.muted, align="center")
        if now != year:
            made.text((x, bottom + 29), now, made.theme.muted, align="center")
        year = now
