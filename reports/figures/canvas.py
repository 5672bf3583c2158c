"""A sheet to draw on: few primitives of matplotlib, placed in points from the upper left corner.

matplotlib's axes are not used: with the layout known beforehand they would take several times as long as the drawing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from reports.figures.lettering import width
from reports.figures.letters import Letters, Point, placed
from reports.figures.theme import SMALL, WIDTH, Series, Theme

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from matplotlib.transforms import Transform

Rectangle = tuple[float, float, float, float]
"""Left, top, width and height in points."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """A figure of the usual width, `height` points high, in the colours of a theme; later parts lie on earlier ones.

    `letters` are not in the figure: each kind of file has its own way to write them.
    """

    figure: "Figure"
    points: "Transform"
    theme: Theme
    height: float
    letters: Letters = field(default_factory=dict)

    def text(
        self,
        at: Point,
        text: str,
        colour: str,
        size: float = SMALL,
        align: Literal["left", "center", "right"] = "left",
        bold: bool = False,
    ) -> None:
        """Write one line of drawable text whose baseline is at a point."""
        left = at[0] - {"left": 0.0, "center": 0.5, "right": 1.0}[align] * width(text, size, bold)
        if found := placed(text, (left, at[1]), size, bold):
            self.letters.setdefault((size, bold, colour), []).extend(found)

    def fill(self, rectangles: Sequence[Rectangle], colour: str) -> None:
        """Fill rectangles without an edge."""
        self._rectangles(rectangles, colour, "none", "")

    def boxes(self, rectangles: Sequence[Rectangle], look: Series) -> None:
        """Draw rectangles in a series' colour and pattern."""
        self._rectangles(rectangles, look.face, look.colour, look.hatch)

    def lines(self, segments: Sequence[tuple[Point, ...]], colour: str, width: float = 0.7, style: str = "-") -> None:
        """Draw lines through two or more points each."""
        from matplotlib.collections import LineCollection

        if segments:
            self._add(
                LineCollection([list(one) for one in segments], colors=colour, linewidths=width, linestyles=style)
            )

    def marks(self, points: Sequence[Point], look: Series, hollow: bool = False) -> None:
        """Draw a series' marker at points, filled or hollow."""
        from matplotlib.lines import Line2D

        if points:
            x, y = zip(*points, strict=True)
            face, edge = (self.theme.ground, look.colour) if hollow else (look.colour, self.theme.ground)
            mark = Line2D(x, y, linestyle="none", marker=look.marker, markersize=6.5)
            mark.set_markerfacecolor(face)
            mark.set_markeredgecolor(edge)
            self._add(mark)

    def _rectangles(self, rectangles: Sequence[Rectangle], face: str, edge: str, hatch: str) -> None:
        from matplotlib.collections import PolyCollection

        if rectangles:
            corners = [[(x, y), (x + w, y), (x + w, y + h), (x, y + h)] for x, y, w, h in rectangles]
            self._add(PolyCollection(corners, facecolors=face, edgecolors=edge, linewidths=1.0, hatch=hatch or None))

    def _add(self, artist: "Artist") -> None:
        artist.set_transform(self.points)
        artist.set_zorder(1)
        self.figure.add_artist(artist)


def canvas(theme: Theme, height: float) -> Canvas:
    """Return an empty sheet."""
    from matplotlib.figure import Figure
    from matplotlib.transforms import Affine2D

    figure = Figure(figsize=(WIDTH / 72, height / 72), facecolor=theme.ground)
    points = Affine2D().scale(1 / 72, -1 / 72).translate(0, height / 72) + figure.dpi_scale_trans
    return Canvas(figure, points, theme, height)
