"""What `--json` promises in a command's help, and whether a command keeps it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from typer.main import get_command

from bot.cli import app


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


def kept_promise(words: Sequence[str], printed: str) -> Any:
    """Read what a command printed with `--json`: one line, each of whose keys the help names; return it."""
    command: Any = get_command(app)
    for word in words:
        command = getattr(command, "commands", {}).get(word, command)
    assert printed.count("\n") == 1, printed
    facts = json.loads(printed)
    named = set(re.findall(r"\w+", json_help(command) or ""))
    assert facts.keys() <= named, facts.keys() - named
    return facts
