"""Pictures in a text's HTML: `picture`, `source` and `img` with addresses of the web, and nothing else in them."""

from __future__ import annotations

import html
import re

_ADDRESS = r"https?://[^\s\"<>]+"
_IMAGE = re.compile(r"<img((?:\s+(?:alt|src|width|height)=\"[^\"<>]*\")+)\s*/?>", re.IGNORECASE)
_SOURCE = re.compile(
    rf"<source media=\"(\(prefers-color-scheme: (?:dark|light)\))\" srcset=\"({_ADDRESS})\"\s*/?>", re.IGNORECASE
)
_ATTRIBUTE = re.compile(r"(alt|src|width|height)=\"([^\"]*)\"", re.IGNORECASE)

PICTURES = r"</?picture>|<(?:source|img)\s[^<>]*>"
"""A pattern that finds the tags of pictures in HTML, whatever they hold."""


def kept_picture(tag: str) -> str:
    """Return a tag of a picture as it may stand on the page, or its text escaped where it holds anything else."""
    if tag.lower() in {"<picture>", "</picture>"}:
        return tag.lower()
    if found := _SOURCE.fullmatch(tag):
        return f'<source media="{found[1]}" srcset="{html.escape(html.unescape(found[2]))}">'
    found = _IMAGE.fullmatch(tag)
    values = {key.lower(): html.unescape(value) for key, value in _ATTRIBUTE.findall(found[1])} if found else {}
    sizes = all(values.get(key, "0").isdecimal() for key in ("width", "height"))
    if not sizes or not re.fullmatch(_ADDRESS, values.get("src", "")):
        return html.escape(tag, quote=False)
    written = " ".join(f'{key}="{html.escape(value)}"' for key, value in values.items())
    return f"<img {written}>"
