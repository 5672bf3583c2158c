"""The rules of the house, held by a test: one-way doors, small rooms, a purpose in each first line."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.support.source import imports, tree

ROOT = Path(__file__).parent.parent
PACKAGES = ("bot", "classifier", "reports")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
LONGEST = 300

SHUT = {
    "classifier": {"bot", "reports", "sqlalchemy", "sqlmodel", "psycopg", "aiohttp", "gidgethub", "procrastinate"},
    "reports": {"bot", "classifier", "sqlalchemy", "sqlmodel", "psycopg", "aiohttp", "gidgethub", "procrastinate"},
}
"""What a package may not import: knowledge flows from them to the bot, never back."""

USERS = {
    "backfill",
    "demo",
    "doctor",
    "features",
    "jobs",
    "learning",
    "pull",
    "services",
    "setup",
    "show",
    "study",
    "trying",
    "upkeep",
    "web",
}

BELOW = {"store": USERS, "decisions": USERS | {"store", "github"}, "evidence": USERS | {"store", "github"}}
"""Rooms of the bot that others build on, and what each may not import in turn."""

WRITING_METHODS = {"post", "patch", "put", "delete"}


def module_id(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_the_doors_are_one_way() -> None:
    for path in MODULES:
        package = path.relative_to(ROOT).parts[0]
        found = {name.partition(".")[0] for name in imports(path)}
        assert not found & SHUT.get(package, set()), module_id(path)


def test_a_module_is_small_and_says_its_purpose() -> None:
    for path in MODULES:
        assert len(path.read_text().splitlines()) <= LONGEST, module_id(path)
        docstring = ast.get_docstring(tree(path))
        assert docstring, f"{module_id(path)}: a module says its purpose in its docstring's first line"


def test_nothing_outside_the_sandbox_and_the_demo_knows_the_sandbox() -> None:
    for path in MODULES:
        parts = path.relative_to(ROOT).parts
        if parts[:2] not in {("bot", "sandbox"), ("bot", "demo")}:
            assert not any(name.startswith("bot.sandbox") for name in imports(path)), module_id(path)


def test_the_sandbox_knows_nothing_of_the_bot_it_is_there_to_test() -> None:
    for path in (ROOT / "bot" / "sandbox").rglob("*.py"):
        known = {name for name in imports(path) if name.startswith("bot.")}
        assert all(name.startswith(("bot.sandbox", "bot.clock", "bot.markdown")) for name in known), module_id(path)


def test_the_store_and_the_pure_rooms_know_nothing_of_what_uses_them() -> None:
    for room, unknown in BELOW.items():
        for path in (ROOT / "bot" / room).rglob("*.py"):
            known = {name.split(".")[1] for name in imports(path) if name.startswith("bot.")}
            assert not known & unknown, module_id(path)


def test_only_the_writer_writes_to_github() -> None:
    for path in MODULES:
        parts = path.relative_to(ROOT).parts
        if parts[0] != "bot" or parts[1] in {"sandbox", "demo"} or parts[:2] == ("bot", "github"):
            continue
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                target = ast.unparse(node.func.value)
                wrote = node.func.attr in WRITING_METHODS and ("client" in target or "github" in target)
                assert not wrote, f"{module_id(path)} writes to GitHub past the writer"


def test_a_feature_says_purpose_trigger_and_effects() -> None:
    for path in (ROOT / "bot" / "features").glob("*.py"):
        acts = any(isinstance(node, ast.AsyncFunctionDef) for node in tree(path).body)
        docstring = ast.get_docstring(tree(path)) or ""
        if acts:
            for word in ("Purpose:", "Trigger:", "Effects:"):
                assert word in docstring, f"{module_id(path)} does not say {word}"


def test_decisions_are_pure() -> None:
    """A function named `decide`, `choose`, `settle`, `answer` or `judge` awaits nothing."""
    for path in MODULES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.AsyncFunctionDef):
                assert node.name not in {"decide", "choose", "settle", "answer", "judge"}, module_id(path)
