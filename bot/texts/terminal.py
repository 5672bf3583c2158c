"""Text that other people wrote, made safe for a terminal: nothing in it moves the cursor, recolours or turns round."""

from __future__ import annotations

import unicodedata

_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"
"""Two marks of format that letters of some scripts, and emoji, are written with; they do nothing to a terminal."""


def harmless(text: str) -> str:
    """Return the text on one line, with every control, direction or unprintable character spelled as its number."""
    return "".join(map(_spelled, text))


def _spelled(character: str) -> str:
    if unicodedata.category(character) not in _HARMFUL or character in _JOINERS:
        return character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
