"""Text that PostgreSQL can hold: GitHub may send NUL characters and lone surrogates, inside escapes."""

from __future__ import annotations

import re

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """Return the text with every character that PostgreSQL refuses replaced by U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)
