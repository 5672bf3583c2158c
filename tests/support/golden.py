"""Comparing a text with the file that holds it, so that a failure says what to write into the file."""

from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path

TEXTS = Path(__file__).parents[1] / "golden" / "texts"


def is_golden(text: str, file: str) -> None:
    """Fail where a text is not what its golden file holds, with the lines to write there by hand."""
    path = TEXTS / file
    found = path.read_text(encoding="utf-8") if path.exists() else ""
    assert text == found, to_write(found, text, f"tests/golden/texts/{file}")


def to_write(found: str, wanted: str, where: str) -> str:
    """Return which lines of a file to replace, and by which, as they are to stand there."""
    old, new = found.splitlines(), wanted.splitlines()
    parts = []
    for kind, first, last, begin, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            instead = ["in place of:", *old[first:last], "write:"] if last > first else ["write before it:"]
            parts += [f"{where}, line {first + 1}, {instead[0]}", *instead[1:], *(new[begin:end] or ["nothing"])]
    return "\n".join(parts or [f"{where}: only line ends differ"])
