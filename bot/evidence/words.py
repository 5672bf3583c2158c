"""Count the words of prose: in any script, without addresses, emoji and bare punctuation."""

from __future__ import annotations

import re

# Han and Japanese kana are written without spaces: there every character counts, as Unicode's word boundaries have it.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_PIECE = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_SHORTCODE = re.compile(r":[a-z0-9_+-]+:\W*$")
_ADDRESS = re.compile("https?://[^\\s<>\"'`\\]\u3000-\u303f\uff00-\uff0f]+", re.IGNORECASE)


def addresses(text: str) -> list[str]:
    """Return the bare web addresses in running text, without the punctuation that closes a sentence."""
    return [found.rstrip(".,;:!?)*_") for found in _ADDRESS.findall(text)]


def count_words(text: str) -> int:
    """Count the runs of characters between blanks that hold a letter or a digit.

    A web address, an emoji and its `:shortcode:` are no words; a file name, a number or `C++` is one.
    """
    return sum(1 for piece in _PIECE.findall(_ADDRESS.sub(" ", text)) if _is_word(piece))


def _is_word(piece: str) -> bool:
    return any(character.isalnum() for character in piece) and not _SHORTCODE.match(piece)
