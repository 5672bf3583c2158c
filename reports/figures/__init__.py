"""Figures drawn from the report's own tables, light and dark, as SVG and PNG."""

from reports.figures.draw import draw_figures, write_figures
from reports.figures.files import FigureFile

__all__ = ["FigureFile", "draw_figures", "write_figures"]
