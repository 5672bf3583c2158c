"""The commands that the documents show: in blocks for a terminal, and in the running text."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "bot" / "docs").glob("*.md")))

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
    """Return every command of every terminal's block: in `console` what stands behind `$`, in `sh` every line."""
    return [
        Shown(document.name, words)
        for document in DOCUMENTS
        for block in _BLOCK.finditer(document.read_text())
        for line in _lines(block["lines"], console=block["kind"] == "console")
        for command in re.split(r" && | \| ", line)
        if (words := _words(command))
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
    for line in block.replace("\\\n", " ").splitlines():
        text = line.strip()
        if console and text.startswith("$ "):
            yield text.removeprefix("$ ")
        elif not console and text and not text.startswith("#"):
            yield text


def _words(command: str) -> tuple[str, ...]:
    words = shlex.split(_COMMENT.sub("", command))
    while words and _SETTING.fullmatch(words[0]):
        words.pop(0)
    return tuple(words[2:] if words[:2] == ["uv", "run"] else words)
