"""Modules as syntax trees, each read once: several tests look at all of them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree(path: Path) -> ast.Module:
    """Return a module's tree, which is not to be changed."""
    return ast.parse(path.read_text())


@cache
def imports(path: Path) -> frozenset[str]:
    """Return the top-level and dotted names that a module imports, wherever it does so."""
    names: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            assert node.level == 0, f"{path}: relative imports hide which door is used"
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(names)
