"""What `--json` promises in a command's help, and whether a command keeps it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from typer.main import get_command

from bot.cli import app

_KEYS = re.compile(r"(?P<key>[a-z]\w*)(?: \((?P<said>[^()]*)\))?")
"""A key, and in brackets what is said of it: the keys of each of its rows, or what its value means."""

_EACH = "each with "


def commands_below(command: Any, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command of a group with the words that lead to it."""
    for name, below in getattr(command, "commands", {}).items():
        yield from commands_below(below, *path, name)
    if not hasattr(command, "commands") or command.invoke_without_command:
        yield path, command


def json_help(command: Any) -> str | None:
    """Return what a command's help says of `--json`; None where it has no such option."""
    found = [one.help for one in command.params if "--json" in one.opts]
    return found[0] if found else None


def named_keys(told: str) -> dict[str, set[str]]:
    """Return the keys that a help text names, each with those that it names of each row there; none for other values.

    They stand behind the first colon with commas between them; what is said of some stands behind another, up to a
    semicolon. Raises ValueError for a text that says more than that.
    """
    keys: dict[str, set[str]] = {}
    for part in told.removesuffix(".").partition(": ")[2].split("; "):
        for one in re.split(r", (?![^(]*\))", re.split(r": (?![^(]*\))", part)[0]):
            found = _KEYS.fullmatch(one)
            if found is None:
                raise ValueError(f"{one!r} is no key")
            said = found["said"] or ""
            keys[found["key"]] = set(said.removeprefix(_EACH).split(", ")) if said.startswith(_EACH) else set()
    return keys


def kept_promise(words: Sequence[str], printed: str) -> Any:
    """Read what a command printed with `--json`: one line, with just the keys that the help names; return it."""
    command: Any = get_command(app)
    for word in words:
        command = getattr(command, "commands", {}).get(word, command)
    assert printed.count("\n") == 1, printed
    facts = json.loads(printed)
    named = named_keys(json_help(command) or "")
    assert facts.keys() == named.keys()
    for key, each in named.items():
        for row in facts[key] if each else ():
            assert row.keys() == each, key
    return facts
