"""The commands in the documents exist and take what they are given; test_documented_runs.py runs them."""

from __future__ import annotations

import re
import tomllib
from importlib.util import find_spec
from typing import Any

import pytest
from typer.main import get_command

from bot.cli import app
from tests.support.documented import ROOT, Shown, in_blocks, in_the_text

OTHERS = {"pg_dump", "createdb", "pg_restore", "docker", "cp", "npm", "export", "unset", "$PROGRAMS/pg_dump", "chmod"}
"""Commands of others, which are not ours to try; those for the database are run in tests/store/test_backup.py."""

_APP = get_command(app)
BLOCKS = in_blocks()
OURS = [one for one in BLOCKS if one.words[0] == "rootcause"]
INLINE = [one for one in in_the_text() if len(one.words) > 1]


def resolved(words: tuple[str, ...]) -> tuple[Any, list[str]]:
    """Return the command that the words name, and the words left."""
    command: Any = _APP
    rest = list(words)
    while rest and (below := getattr(command, "commands", {}).get(rest[0])) is not None:
        command, rest = below, rest[1:]
    return command, rest


@pytest.mark.parametrize("shown", OURS, ids=str)
def test_a_command_in_a_block_takes_what_it_is_given(shown: Shown) -> None:
    command, rest = resolved(shown.words[1:])
    assert not hasattr(command, "commands"), "it names a group, or no command"
    with command.make_context(command.name, rest) as context:
        assert context.command is command


@pytest.mark.parametrize("shown", INLINE, ids=str)
def test_a_command_in_the_text_exists_with_its_options(shown: Shown) -> None:
    command, rest = resolved(shown.words[1:])
    options = {name for parameter in command.params for name in parameter.opts} | {"--help"}
    assert [word for word in rest if word.startswith("--") and word not in options] == []
    below = getattr(command, "commands", {})
    if below and rest and not rest[0].startswith("--"):  # written as `group one|other`
        assert set(rest[0].split("|")) <= below.keys()


def exists(words: tuple[str, ...]) -> bool:
    """Tell whether what a developer's command names is there: its module, its folders, its markers."""
    match words:
        case ("python" | "python3", "-m", module, *_):
            return module == "pip" or find_spec(module) is not None
        case ("pytest", *rest):
            known = _MARKERS | _MADE
            return all((ROOT / word).exists() or word in known for word in rest if not word.startswith("-"))
        case ("ruff" | "mypy", *_) | ("uv", "sync"):
            return True
        case _:
            return words[0] in OTHERS or words[0].startswith("PROGRAMS=")


_CONFIGURED = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]["markers"]
_MADE = set(re.findall(r"new file `([^`]+)`", (ROOT / "CONTRIBUTING.md").read_text()))
"""What whoever follows a guide has made by then."""

_MARKERS = {"unit", "0", "2"} | {marker.partition(":")[0] for marker in _CONFIGURED}


def test_every_other_command_is_one_that_we_know_and_what_it_names_is_there() -> None:
    assert [str(one) for one in BLOCKS if one not in OURS and not exists(one.words)] == []
