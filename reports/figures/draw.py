"""Draw all figures of a report, and write them to a folder."""

from pathlib import Path
from threading import Lock

from reports.errors import ReportInputError
from reports.figures.bars import draw_bars
from reports.figures.boxes import draw_boxes
from reports.figures.canvas import Canvas
from reports.figures.choose import plans
from reports.figures.files import FigureFile, png_bytes, recoloured, svg_text
from reports.figures.forest import draw_forest
from reports.figures.plans import BarPlan, BoxPlan, ForestPlan, Plan
from reports.figures.theme import HATCH, THEMES, VARIANTS, Theme
from reports.figures.trend import draw_trend
from reports.model import Report

_ONE_AT_A_TIME = Lock()
"""matplotlib's settings are the process's own, so that two threads may not draw at once."""


def draw_figures(report: Report) -> tuple[FigureFile, ...]:
    """Return every figure that the report has numbers for, light and dark; the same report gives the same bytes."""
    return tuple(one for plan in plans(report) for one in draw(plan))


def draw(plan: Plan) -> tuple[FigureFile, ...]:
    """Draw a figure's light variant, then its dark one."""
    import matplotlib

    name, alt = plan.heading.name, plan.heading.alt
    light = THEMES["light"]
    with _ONE_AT_A_TIME, matplotlib.rc_context({"svg.hashsalt": name, "hatch.linewidth": HATCH}):
        drawn = {variant: _figure(plan, THEMES[variant]) for variant in VARIANTS}
        svg = svg_text(drawn["light"], alt)
        return tuple(
            FigureFile(name, variant, alt, recoloured(svg, light, THEMES[variant]).encode(), png_bytes(figure))
            for variant, figure in drawn.items()
        )


def _figure(plan: Plan, theme: Theme) -> Canvas:
    if isinstance(plan, BoxPlan):
        return draw_boxes(plan, theme)
    if isinstance(plan, BarPlan):
        return draw_bars(plan, theme)
    return draw_forest(plan, theme) if isinstance(plan, ForestPlan) else draw_trend(plan, theme)


def write_figures(report: Report, out_dir: Path) -> tuple[FigureFile, ...]:
    """Draw the figures and write each as SVG and PNG into the folder, which is made if absent; return them.

    Raises ReportInputError if the folder cannot be written.
    """
    drawn = draw_figures(report)
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
        for one in drawn:
            (out_dir / one.svg_name).write_bytes(one.svg)
            (out_dir / one.png_name).write_bytes(one.png)
    except OSError as error:
        raise ReportInputError(f"{out_dir} cannot be written: {error.strerror}.") from error
    return drawn
