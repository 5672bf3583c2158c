"""The texts of a figure as outlines: written into an SVG with each letter drawn once, or as one shape for a PNG.

matplotlib's own texts give the same pictures in five times the time, and its collections of letters larger files.
"""

from typing import TYPE_CHECKING, Final

from reports.figures.lettering import UNITS, advance, outline

if TYPE_CHECKING:
    from matplotlib.patches import PathPatch

Point = tuple[float, float]
Style = tuple[float, bool, str]
"""Size in points, whether bold, colour."""
Letters = dict[Style, list[tuple[str, Point]]]
"""The letters of each style with the places of their baselines' beginnings, in points from the upper left corner."""

_COMMANDS: Final = {1: ("M", 1), 2: ("L", 1), 3: ("Q", 2), 4: ("C", 3), 79: ("z", 0)}
"""matplotlib's codes of a path as SVG's commands, each with the points that it takes."""


def placed(text: str, at: Point, size: float, bold: bool) -> list[tuple[str, Point]]:
    """Return the letters of a drawable text that begins at a point."""
    x, y = at
    found = []
    for character in text:
        if character != " ":
            found.append((character, (x, y)))
        x += size * advance(character, bold)
    return found


def as_svg(letters: Letters) -> str:
    """Return the letters as a part of an SVG whose unit is the point."""
    names: dict[tuple[str, bool], str] = {}
    groups = []
    for (size, bold, colour), places in letters.items():
        scale = size / UNITS
        uses = []
        for character, (x, y) in places:
            name = names.setdefault((character, bold), f"letter{len(names)}")
            uses.append(f'<use xlink:href="#{name}" x="{x / scale:.0f}" y="{-y / scale:.0f}"/>')
        opening = f'<g fill="{colour}" transform="scale({scale:.6g} {-scale:.6g})">'
        groups += [opening, *uses, "</g>"]
    shapes = [f'<path id="{name}" d="{_data(*letter)}"/>' for letter, name in names.items()]
    return "\n".join(("<defs>", *shapes, "</defs>", *groups, ""))


def as_patches(letters: Letters) -> "list[PathPatch]":
    """Return one filled shape for each style, in points from the upper left corner."""
    import numpy as np
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    patches = []
    for (size, bold, colour), places in letters.items():
        shapes = [(*outline(character, bold), at) for character, at in places]
        vertices = [points * (size / UNITS, -size / UNITS) + at for points, _, at in shapes]
        whole = Path(np.concatenate(vertices), np.concatenate([codes for _, codes, _ in shapes]))
        patches.append(PathPatch(whole, facecolor=colour, linewidth=0, snap=False))
    return patches


def _data(character: str, bold: bool) -> str:
    """Return a letter's outline as SVG's path data, in whole units."""
    vertices, codes = (part.tolist() for part in outline(character, bold))
    parts = []
    at = 0
    while at < len(codes):
        command, points = _COMMANDS[codes[at]]
        parts.append(command + " ".join(f"{x:.0f} {y:.0f}" for x, y in vertices[at : at + points]))
        at += max(points, 1)
    return "".join(parts)
