"""Coders by name: how a name is read, and the number by which a coder's decisions are told from a maintainer's."""

from __future__ import annotations

from hashlib import sha256

from bot.decisions.errors import StudyError

LONGEST_NAME = 40


def coder_name(text: str) -> str:
    """Return a coder's name as it is stored: lower case, one space between words.

    Raises:
        StudyError: it is empty, too long, or holds a colon or a character that cannot be printed.
    """
    name = " ".join(text.split()).casefold()
    if not name or len(name) > LONGEST_NAME or ":" in name or not name.isprintable():
        raise StudyError(f"A coder's name has 1 to {LONGEST_NAME} printable characters and no colon, such as: ann.")
    return name


def coder_id(name: str) -> int:
    """Return the number that stands for a coder where a person's stands: below zero, since GitHub's are above."""
    return -1 - int.from_bytes(sha256(f"coder:{name}".encode()).digest()[:7], "big")
