"""Text in figures: letters as outlines of the font that matplotlib brings along, and untrusted names made drawable.

The font is read from its own file, so that what is installed on a machine plays no part in what a figure looks like.
"""

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.ft2font import FT2Font
    from numpy.typing import NDArray

    Outline = tuple[NDArray[np.float64], NDArray[np.uint8]]

_FILES: Final = {False: "DejaVuSans.ttf", True: "DejaVuSans-Bold.ttf"}
_MISSING: Final = "□"
_ELLIPSIS: Final = "…"
_LONGEST: Final = 200
UNITS: Final = 1000
"""Outlines are in whole thousandths of the size of the font."""
_DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Mn", "Me", "Mc"})


def outline(character: str, bold: bool) -> "Outline":
    """Return a letter's outline for a font of `UNITS` points, y upwards from its baseline: points and their codes."""
    return _letter(character, bold)[0]


def advance(character: str, bold: bool) -> float:
    """Return how far the next letter stands from this one, for a font of 1 point."""
    return _letter(character, bold)[1]


def drawable(text: str) -> str:
    """Return untrusted text on one line, without what does not print, turns direction or is piled on a letter.

    Characters that the font lacks become one empty square; text of more than 200 characters is cut.
    """
    kept: list[str] = []
    for character in unicodedata.normalize("NFC", text[:_LONGEST]):
        if character.isspace():
            kept.append(" ")
        elif unicodedata.category(character) not in _DROPPED:
            square = ord(character) not in _letters() or unicodedata.bidirectional(character) in ("R", "AL", "AN")
            if not (square and kept and kept[-1] == _MISSING):
                kept.append(_MISSING if square else character)
    return " ".join("".join(kept).split()) or _MISSING


def width(text: str, size: float, bold: bool = False) -> float:
    """Return how wide a drawable text is, in points."""
    return size * sum(advance(character, bold) for character in text)


def fitted(text: str, size: float, room: float) -> str:
    """Return untrusted text drawable within `room` points, its middle left out where it is too long."""
    text = drawable(text)
    if width(text, size) <= room:
        return text
    for kept in range(len(text) - 1, 1, -1):
        head = kept // 3
        shorter = text[:head] + _ELLIPSIS + text[len(text) - (kept - head) :]
        if width(shorter, size) <= room:
            return shorter
    return _ELLIPSIS


def wrapped(text: str, size: float, room: float, bold: bool = False) -> list[str]:
    """Break drawable text at its spaces into lines of at most `room` points; a longer word has a line of its own."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", size, bold) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


@cache
def _face(bold: bool) -> "FT2Font":
    import matplotlib
    from matplotlib.ft2font import FT2Font

    face = FT2Font(f"{matplotlib.get_data_path()}/fonts/ttf/{_FILES[bold]}")
    face.set_size(UNITS, 72)
    return face


@cache
def _letters() -> frozenset[int]:
    """Return the characters that both weights have."""
    return frozenset(_face(False).get_charmap()) & frozenset(_face(True).get_charmap())


@cache
def _letter(character: str, bold: bool) -> "tuple[Outline, float]":
    import numpy as np
    from matplotlib.ft2font import LoadFlags

    face = _face(bold)
    glyph = face.load_char(ord(character), flags=LoadFlags.NO_HINTING)
    vertices, codes = face.get_path()
    return (np.asarray(vertices, np.float64), np.asarray(codes, np.uint8)), glyph.linearHoriAdvance / 65536 / UNITS
