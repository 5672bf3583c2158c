"""`rootcause config`, the published schema, and the example of the README."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from bot.cli import app
from bot.config import DEFAULTS, Configuration, read
from bot.config.characters import MOST_BYTES
from bot.config.published import all_keys, keys_at, published_schema, takes

README = Path(__file__).parents[2] / "README.md"
CONFIGURATIONS = README.parent / "bot" / "docs" / "configurations.md"


def config(*arguments: str, code: int) -> Result:
    result = CliRunner().invoke(app, ["config", *arguments])
    assert result.exit_code == code, result.output
    return result


def test_a_good_file(tmp_path: Path) -> None:
    file = tmp_path / "rootcause.yml"
    file.write_text("mode: observe\n")
    assert "has no mistakes" in config("check", str(file), code=0).stdout


def test_every_mistake_is_a_line_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "rootcause.yml"
    file.write_text("mod: observe\ninbox:\n  sample: 0\n")
    result = config("check", str(file), code=2)
    assert result.stdout == ""
    assert result.stderr.splitlines() == [
        "1:1: there is no key `mod`; did you mean `mode`?",
        "3:11: `sample` takes a whole number from 1 to 50, not `0`",
    ]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "cannot read" in config("check", str(tmp_path / "none.yml"), code=2).stderr
    assert "cannot read" in config("check", str(tmp_path), code=2).stderr
    large = tmp_path / "large.yml"
    large.write_bytes(b"#" * (2 * MOST_BYTES))
    assert config("check", str(large), code=2).stderr.startswith("1:1: the file has 65,536 bytes")


def test_the_schema_is_printed_and_describes_every_key() -> None:
    printed = json.loads(config("schema", code=0).stdout)
    assert printed == published_schema()
    assert printed["additionalProperties"] is False
    assert [one for one in _parts(printed) if "description" not in one] == []


def _parts(schema: Any) -> list[dict[str, Any]]:
    """Return every key's schema; groups are described where they are defined."""
    groups = [schema, *schema["$defs"].values()]
    return [*groups, *(one for group in groups for one in group["properties"].values() if "$ref" not in one)]


def test_words_can_be_made_of_every_key() -> None:
    for group in ("", *keys_at(())):
        for key in keys_at((group,) if group else ()):
            assert key in all_keys()
            assert takes((group, key) if group else (key,))


def test_the_readmes_file_is_good_and_shows_every_key_with_its_default() -> None:
    found = re.search(r"^```yaml\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    shown = read(found[1].encode()).document()
    assert set(shown) == set(Configuration.model_fields)
    defaults = json.loads(DEFAULTS.model_dump_json())
    for name in ("labels", "inbox", "report", "eligibility", "exclude"):
        assert set(shown[name]) == set(defaults[name])
    for name in ("share", "propose", "threshold"):
        assert shown[name] == defaults[name]


def test_every_configuration_of_the_guide_is_good_and_changes_something() -> None:
    shown = re.findall(r"^```yaml\n(.*?)^```$", CONFIGURATIONS.read_text(), re.MULTILINE | re.DOTALL)
    assert shown
    for text in shown:
        assert read(text.encode()).model_copy(update={"paradigm": None}) != DEFAULTS, text
