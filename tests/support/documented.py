"""The commands that the documents show: in blocks for a terminal, and in the running text."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "bot" / "docs").glob("*.md")),
)

_BLOCK = re.compile(r"^(?P<indent> *)```(?P<kind>console|sh)\n(?P<lines>.*?)^ *```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"(?<!`)`((?:uv run )?rootcause(?: [^`]*)?)`(?!`)")
_COMMENT = re.compile(r"(?<!\S)#.*")
"""As a shell has it: a `#` within a word, as in `owner/name#12`, is a part of the word."""

_SETTING = re.compile(r"[A-Z_]+=(?!\$\().*")


@dataclass(frozen=True)
class Shown:
    """One command as words, without the settings before it and without `uv run`."""

    document: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.document}: {' '.join(self.words)}"


def in_blocks() -> list[Shown]:
    """Return every command of every terminal's block as words."""
    return [
        Shown(document, words)
        for document, text in blocks()
        for line in text.replace("\\\n", " ").splitlines()
        for command in re.split(r" && | \| ", line)
        if (words := _words(command))
    ]


def blocks() -> list[tuple[str, str]]:
    """Return each terminal's block as a shell reads it, with its document: of `console` what stands behind `$`."""
    return [
        (document.name, "".join(_lines(block["lines"], console=block["kind"] == "console")))
        for document in DOCUMENTS
        for block in _BLOCK.finditer(document.read_text())
    ]


def in_the_text() -> list[Shown]:
    """Return every `rootcause ...` that stands in the text."""
    return [
        Shown(document.name, words)
        for document in DOCUMENTS
        for command in _INLINE.findall(_BLOCK.sub("", document.read_text()))
        if (words := _words(command.replace("\n", " ")))
    ]


def _lines(block: str, *, console: bool) -> Iterator[str]:
    for line in block.splitlines(keepends=True):
        if not console:
            yield line
        elif line.strip().startswith("$ "):
            yield line.strip().removeprefix("$ ") + "\n"


def _words(command: str) -> tuple[str, ...]:
    words = shlex.split(_COMMENT.sub("", command))
    while words and _SETTING.fullmatch(words[0]):
        words.pop(0)
    return tuple(words[2:] if words[:2] == ["uv", "run"] else words)
