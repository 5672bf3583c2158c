"""Colours and sizes of the figures: a light and a dark variant, told apart without seeing colours.

The colours are from the palette of Okabe and Ito (2008), which people with the usual kinds of colour blindness can
tell apart; each series has a marker and a pattern of its own besides.
"""

from dataclasses import dataclass
from typing import Final, Literal

Variant = Literal["light", "dark"]
VARIANTS: Final[tuple[Variant, Variant]] = ("light", "dark")

WIDTH: Final = 540.0
"""Points, 720 pixels: inside a GitHub issue's 830, and its text still legible on a phone at half the size."""

TITLE: Final = 14.0
TEXT: Final = 11.5
SMALL: Final = 10.5
HATCH: Final = 0.7


@dataclass(frozen=True, slots=True)
class Series:
    """How one series looks; `face` is its colour mixed into the page's, for areas."""

    colour: str
    face: str
    marker: str
    hatch: str
    dash: str


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a variant; `ground` is that of GitHub's page."""

    ground: str
    band: str
    grid: str
    text: str
    muted: str
    series: tuple[Series, Series, Series]


def _series(ground: str, colours: tuple[str, str, str]) -> tuple[Series, Series, Series]:
    first, second, third = ((colour, _mixed(ground, colour)) for colour in colours)
    return Series(*first, "o", "", "-"), Series(*second, "D", "////", "--"), Series(*third, "s", "\\\\\\\\", ":")


def _mixed(ground: str, colour: str) -> str:
    """Mix a third of a colour into the ground: transparency would be lost under an SVG's pattern."""
    pairs = [(int(ground[at : at + 2], 16), int(colour[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round((2 * below + above) / 3):02x}" for below, above in pairs)


_LIGHT: Final = "#ffffff"
_DARK: Final = "#0d1117"

THEMES: Final[dict[Variant, Theme]] = {
    "light": Theme(
        _LIGHT, "#f6f8fa", "#d1d9e0", "#1f2328", "#59636e", _series(_LIGHT, ("#0072b2", "#d55e00", "#59636e"))
    ),
    "dark": Theme(_DARK, "#161b22", "#3d444d", "#e6edf3", "#9198a1", _series(_DARK, ("#56b4e9", "#e69f00", "#9198a1"))),
}
