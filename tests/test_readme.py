"""The README stays true: its commands are the ones CI runs, its table is the registry's."""

from __future__ import annotations

import re
from pathlib import Path

from typer.testing import CliRunner

from bot.cli import app
from bot.commands.registry import categories_markdown, table_markdown
from bot.settings import Settings
from tests.support.rooms import PACKAGES, rooms

README = Path(__file__).parent.parent / "README.md"


def test_the_two_commands_of_the_readme_are_those_that_ci_runs() -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    assert blocks == ["python3 -m pip install uv && uv run rootcause demo\n", "uv run pytest\n"]


def test_the_table_of_commands_is_the_registrys() -> None:
    found = re.search(r"<!-- commands -->\n(.*?)<!-- /commands -->", README.read_text(), re.DOTALL)
    assert found is not None
    lacking = [line for line in table_markdown().splitlines() if line not in found[1]]
    assert not lacking, "README.md, in its table of commands:\n" + "\n".join(lacking)
    assert found[1] == table_markdown()


def test_the_root_causes_are_there_with_their_names() -> None:
    assert categories_markdown() in README.read_text(), "README.md, the root causes:\n" + categories_markdown()


def test_every_command_the_readme_names_exists() -> None:
    runner = CliRunner()
    for words in set(re.findall(r"`(?:uv run )?rootcause ([a-z][a-z -]*)`", README.read_text())):
        result = runner.invoke(app, [*words.strip().split(), "--help"])
        assert result.exit_code == 0, words


def test_every_setting_the_readme_names_exists() -> None:
    known = {f"ROOTCAUSE_{name.upper()}" for name in Settings.model_fields} | {"DATABASE_URL", "PORT"}
    for name in set(re.findall(r"\b(ROOTCAUSE_[A-Z_]+|DATABASE_URL)\b", README.read_text())):
        assert name in known, name


def test_the_picture_of_the_report_is_there() -> None:
    for path in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README.read_text()):
        assert (README.parent / path).is_file()


def test_the_map_names_every_room_once() -> None:
    (drawn,) = re.findall(r"^## The map\n\n```text\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    places = re.findall(r"(?:^|;) *([a-z]+)/ ", drawn, re.MULTILINE)
    assert sorted(places) == sorted(("bot", *PACKAGES, *rooms()))
