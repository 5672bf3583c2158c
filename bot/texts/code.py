"""What a person wrote, shown so that nothing in it links, mentions or formats."""

from __future__ import annotations

import unicodedata

_LONGEST_QUOTED = 80


def code(text: str) -> str:
    """Return a text as a code span, cut where it is long; `that` where nothing of it can be seen."""
    plain = "".join(each for each in text if each != "`" and unicodedata.category(each)[0] != "C")
    shown = plain[:_LONGEST_QUOTED].strip()
    return f"`{shown}`" if shown else "that"
