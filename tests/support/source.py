"""Modules as syntax trees, each read once: several tests look at all of them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree(path: Path) -> ast.Module:
    """Return a module's tree, which is not to be changed."""
    return ast.parse(path.read_text())
