"""Everything that the source can say: its string constants, with a mark for each part that is filled in.

The queue's worker is a library's, and what it says of a job that failed stands in our log as it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from procrastinate import worker

from tests.support.source import tree

ROOT = Path(__file__).parents[2]
HOLE = "…"
"""Stands for what is filled in, in an f-string and in a quotation of it."""

_LEAST_CHARACTERS = 8
"""Of an f-string that must be its own, or one that is nearly all hole would say everything."""

_LEVELS = {"warning", "error", "exception", "critical"}
_LOGS = {"log", "_log", "bound"}


@cache
def said() -> frozenset[str]:
    """Return every string constant in the packages, and in the queue's worker."""
    paths = [path for package in ("bot", "classifier", "reports") for path in _modules(package)]
    modules = (tree(path) for path in (*paths, Path(worker.__file__)))
    return frozenset(text for module in modules for node in ast.walk(module) if (text := _text(node)))


def is_said(quoted: str) -> bool:
    """Tell whether the source says this, as a part of a constant or with the holes of an f-string filled in."""
    if any(quoted in text for text in said()):
        return True
    wanted = re.compile(".*".join(re.escape(part) for part in quoted.split(HOLE)))
    return any((HOLE in quoted and wanted.search(text)) or _fills(quoted, text) for text in said())


def troubles() -> dict[str, str]:
    """Return what the bot logs as a warning or worse, each with the module that does."""
    found: dict[str, str] = {}
    for path in _modules("bot"):
        if path.relative_to(ROOT).parts[1] in {"sandbox", "demo"}:
            continue
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _LEVELS:
                owner = node.func.value
                if isinstance(owner, ast.Name) and owner.id in _LOGS and (text := _text(node.args[0])):
                    found[text] = str(path.relative_to(ROOT))
    return found


def _modules(package: str) -> Iterator[Path]:
    return (ROOT / package).rglob("*.py")


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) or HOLE for part in node.values)
    return None


def _fills(quoted: str, text: str) -> bool:
    parts = text.split(HOLE)
    if len(parts) == 1 or sum(map(len, parts)) < _LEAST_CHARACTERS:
        return False
    return re.fullmatch(".*".join(re.escape(part) for part in parts), quoted, re.DOTALL) is not None
