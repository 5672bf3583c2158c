"""From bytes to text: size, encoding and characters that YAML does not know, each refused with its place."""

from __future__ import annotations

from yaml.reader import Reader

from bot.config.mistakes import BadConfiguration, Mistake

MOST_BYTES = 32_768
"""Bytes of a file; one that uses every key with long lists of labels stays far below."""


def decode(content: bytes, size: int | None = None) -> str:
    """Return the text of a file, without a byte order mark; `size` is that of the whole where `content` is not.

    Raises:
        BadConfiguration: it is too large, no UTF-8, or holds a character that YAML does not allow.
    """
    size = len(content) if size is None else size
    if size > MOST_BYTES:
        sentence = f"the file has {size:,} bytes, and at most {MOST_BYTES:,} are read"
        raise BadConfiguration([Mistake(1, 1, sentence)])
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8-sig", "ignore")
        raise BadConfiguration([at_end_of(before, "this byte is not UTF-8; save the file as UTF-8")]) from None
    forbidden = Reader.NON_PRINTABLE.search(text)
    if forbidden is not None:
        sentence = f"the character U+{ord(forbidden[0]):04X} is not allowed in YAML; delete it"
        raise BadConfiguration([at_end_of(text[: forbidden.start()], sentence)])
    return text


def at_end_of(text: str, sentence: str) -> Mistake:
    """Return a mistake that stands right behind a text, which is the beginning of the file."""
    lines = (text + "\0").splitlines()
    return Mistake(len(lines), len(lines[-1]), sentence)
