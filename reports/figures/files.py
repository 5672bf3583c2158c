"""A drawn figure as the bytes of its files, whose names change when the bytes do."""

import hashlib
import re
from dataclasses import dataclass
from io import BytesIO
from typing import Final
from xml.sax.saxutils import escape

from reports.figures.canvas import Canvas
from reports.figures.letters import as_patches, as_svg
from reports.figures.theme import Theme, Variant

_DIGITS: Final = 12
_PNG_DOTS_PER_INCH: Final = 144
"""Twice the size at which a figure is shown, for fine screens."""

_COMPRESSION: Final = 3
_STYLE: Final = re.compile(r' style="([^"<>]*)"')
_FOR_ALL: Final = re.compile(r'\s*<defs>\s*<style type="text/css">\*\{([^{}]*)\}</style>\s*</defs>')
_COLOUR: Final = re.compile(r'((?:fill|stroke)(?:: |="))(#[0-9a-f]{6})')


@dataclass(frozen=True, slots=True)
class FigureFile:
    """One variant of a figure: `name` is the figure's, `alt` what is seen in it, both formats as bytes."""

    name: str
    variant: Variant
    alt: str
    svg: bytes
    png: bytes

    @property
    def svg_name(self) -> str:
        """The SVG file's name, which holds the first digits of its SHA-256: what it names never changes."""
        return self._file_name(self.svg, "svg")

    @property
    def png_name(self) -> str:
        """The PNG file's name, likewise."""
        return self._file_name(self.png, "png")

    def _file_name(self, content: bytes, extension: str) -> str:
        return f"{self.name}-{self.variant}-{hashlib.sha256(content).hexdigest()[:_DIGITS]}.{extension}"


def svg_text(drawn: Canvas, alt: str) -> str:
    """Return a drawing as SVG without a date, with `alt` as its title for screen readers."""
    raw = BytesIO()
    drawn.figure.savefig(raw, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    text = _without_styles(raw.getvalue().decode("utf-8"))
    start = text.index(">", text.index("<svg "))
    end = text.rindex("</svg>")
    title = f' role="img">\n <title>{escape(alt)}</title>'
    return f"{text[:start]}{title}{text[start + 1 : end]}{as_svg(drawn.letters)}{text[end:]}"


def _without_styles(svg: str) -> str:
    """Return a drawing with attributes in place of styles, which a strict Content-Security-Policy forbids."""
    for_all = _FOR_ALL.search(svg)
    if for_all is not None:
        svg = _FOR_ALL.sub("", svg, count=1).replace("<svg ", f"<svg{_attributes(for_all[1])} ", 1)
    return _STYLE.sub(lambda match: _attributes(match[1]), svg)


def _attributes(style: str) -> str:
    pairs = (one.partition(":") for one in style.split(";") if one.strip())
    return "".join(f' {name.strip()}="{value.strip()}"' for name, _, value in pairs)


def recoloured(svg: str, old: Theme, new: Theme) -> str:
    """Return a drawing in the colours of another theme: only its hexadecimal colours change, never its text."""
    colours = dict(zip(_colours(old), _colours(new), strict=True))
    return _COLOUR.sub(lambda match: match[1] + colours.get(match[2], match[2]), svg)


def _colours(theme: Theme) -> list[str]:
    own = (theme.ground, theme.band, theme.grid, theme.text, theme.muted)
    return [*own, *(colour for one in theme.series for colour in (one.colour, one.face))]


def png_bytes(drawn: Canvas) -> bytes:
    """Return a drawing as PNG without the name of the software; a low compression takes a third of the time."""
    raw = BytesIO()
    patches = as_patches(drawn.letters)
    for patch in patches:
        patch.set_transform(drawn.points)
        drawn.figure.add_artist(patch)
    drawn.figure.savefig(
        raw,
        format="png",
        dpi=_PNG_DOTS_PER_INCH,
        metadata={"Software": None},
        pil_kwargs={"compress_level": _COMPRESSION},
    )
    for patch in patches:
        patch.remove()
    return raw.getvalue()
