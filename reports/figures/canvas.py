"""A sheet to draw on: few primitives of matplotlib, placed in points from the upper left corner.

Neither matplotlib's axes nor its texts are used: with the layout known beforehand and letters as shared outlines, the
files are drawn in a fifth of the time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from reports.figures.lettering import advance, outline, width
from reports.figures.theme import SMALL, WIDTH, Series, Theme

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from matplotlib.transforms import Transform

Point = tuple[float, float]
Rectangle = tuple[float, float, float, float]
"""Left, top, width and height in points."""
Letters = dict[tuple[str, float, bool, str], list[Point]]
"""Where each letter of a size, weight and colour stands."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """A figure of the usual width, `height` points high, in the colours of a theme; later parts lie on earlier ones."""

    blank: "Figure"
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
        x, y = at
        x -= {"left": 0.0, "center": 0.5, "right": 1.0}[align] * width(text, size, bold)
        for character in text:
            if character != " ":
                self.letters.setdefault((character, size, bold, colour), []).append((x, y))
            x += size * advance(character, bold)

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

    def figure(self) -> "Figure":
        """Return the figure with all texts written."""
        from matplotlib.collections import PathCollection
        from matplotlib.transforms import Affine2D

        for (character, size, bold, colour), places in self.letters.items():
            letters = PathCollection(
                [outline(character, bold)],
                offsets=places,
                offset_transform=self.points,
                facecolors=colour,
                linewidths=0,
                snap=False,
            )
            letters.set_transform(Affine2D().scale(size / 72) + self.blank.dpi_scale_trans)
            self.blank.add_artist(letters)
        self.letters.clear()
        return self.blank

    def _rectangles(self, rectangles: Sequence[Rectangle], face: str, edge: str, hatch: str) -> None:
        from matplotlib.collections import PolyCollection

        if rectangles:
            corners = [[(x, y), (x + w, y), (x + w, y + h), (x, y + h)] for x, y, w, h in rectangles]
            self._add(PolyCollection(corners, facecolors=face, edgecolors=edge, linewidths=1.0, hatch=hatch or None))

    def _add(self, artist: "Artist") -> None:
        artist.set_transform(self.points)
        artist.set_zorder(1)
        self.blank.add_artist(artist)


def canvas(theme: Theme, height: float) -> Canvas:
    """Return an empty sheet."""
    from matplotlib.figure import Figure
    from matplotlib.transforms import Affine2D

    figure = Figure(figsize=(WIDTH / 72, height / 72), facecolor=theme.ground)
    points = Affine2D().scale(1 / 72, -1 / 72).translate(0, height / 72) + figure.dpi_scale_trans
    return Canvas(figure, points, theme, height)
