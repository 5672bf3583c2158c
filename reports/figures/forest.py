"""The forest plot: one effect with its interval in each row."""

from typing import Final

from reports.figures.canvas import Canvas
from reports.figures.heading import headed
from reports.figures.panel import ABOVE, BELOW, Panel, column_room, label_room, panel
from reports.figures.plans import Effect, ForestPlan
from reports.figures.scales import Scale
from reports.figures.theme import Theme
from reports.findings import LEVEL
from reports.numbers import probability_cell

_ROW: Final = 28.0
_NEGLIGIBLE: Final = 0.147
"""Below it an effect is called negligible (Romano et al. 2006)."""
_SCALE: Final = Scale(
    False, -1.03, 1.03, tuple((one, f"{one:+.1f}".replace("-", "−") if one else "0") for one in (-1, -0.5, 0, 0.5, 1))
)
_TOO_SMALL: Final = "too small"


def draw_forest(plan: ForestPlan, theme: Theme) -> Canvas:
    """Draw the parts one below the other, each under its name, and q at the right of each row."""
    labels: list[str] = []
    heads: list[int] = []
    effects: list[tuple[int, Effect]] = []
    for name, found in plan.parts:
        heads.append(len(labels))
        labels.append(name)
        effects += enumerate(found, start=len(labels))
        labels += [one.label for one in found]
    made, top = headed(plan.heading, theme, ABOVE + _ROW * len(labels) + BELOW, keys="lines")
    column = ("q", column_room([_q(effect) for _, effect in effects]))
    drawn = panel(made, _SCALE, plan.axis, labels, column, (label_room(labels), top, _ROW), heads)
    _background(drawn, len(labels))
    for row, effect in effects:
        _effect(drawn, row, effect)
    return made


def _q(effect: Effect) -> str:
    return probability_cell(effect.q) if effect.tested else _TOO_SMALL


def _background(drawn: Panel, rows: int) -> None:
    """Shade the negligible effects and draw the line of none."""
    low, high, zero = drawn.x(-_NEGLIGIBLE), drawn.x(_NEGLIGIBLE), drawn.x(0)
    tall = rows * drawn.row
    drawn.canvas.fill([(low, drawn.top, high - low, tall)], f"{drawn.canvas.theme.grid}77")
    drawn.canvas.lines([((zero, drawn.top), (zero, drawn.top + tall))], drawn.canvas.theme.muted, 1.2)


def _effect(drawn: Panel, row: int, effect: Effect) -> None:
    """Draw a filled mark where the measure was tested, a hollow one where too little is known."""
    look, y = drawn.canvas.theme.series[0 if effect.delta >= 0 else 1], drawn.y(row)
    drawn.beside(y, _q(effect), bold=effect.tested and effect.q is not None and effect.q < LEVEL)
    if effect.ci is not None:
        low, high = map(drawn.x, effect.ci)
        drawn.canvas.lines([((low, y), (high, y))], look.colour, 2.0)
    drawn.canvas.marks([(drawn.x(effect.delta), y)], look, hollow=not effect.tested)
