"""The guide's first feature can be built as it is written: its blocks fit into the files that it names."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from textwrap import dedent, indent
from types import ModuleType
from typing import Any

import pytest

from tests.support.documented import ROOT
from tests.support.factories import a_record

GUIDE = (ROOT / "CONTRIBUTING.md").read_text()
REGISTRY, WORDS = "bot/commands/registry.py", "bot/commands/words.py"
ANSWERS, TELLING = "bot/features/answers.py", "bot/features/telling.py"
RUNNING = "tests/support/running.py"


def step(number: int) -> str:
    """Return the text of one step of the first feature."""
    (section,) = re.findall(r"^## A first feature.*?\n(.*?)^## ", GUIDE, re.MULTILINE | re.DOTALL)
    steps = re.split(r"^(\d+)\. ", section, flags=re.MULTILINE)
    return dict(zip(map(int, steps[1::2]), steps[2::2], strict=True))[number]


def block(number: int) -> str:
    """Return the first block of a step, without the indent of the list."""
    found = re.search(r"^( +)```(?:python|text)\n(.*?)^\1```$", step(number), re.MULTILINE | re.DOTALL)
    assert found is not None, f"step {number} shows nothing"
    return dedent(found[2])


def name_of(path: str) -> str:
    """Return the name of the module in a file."""
    return path.removesuffix(".py").replace("/", ".")


class House:
    """A folder beside the source; a module that is loaded from it takes the place of the one of its name."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.monkeypatch = monkeypatch

    def change(self, path: str, **places: str) -> Any:
        """Copy a file, put a text into each place, and load it."""
        text = (ROOT / path).read_text()
        for place, new in places.items():
            found = [one.end() for one in re.finditer(PLACES[place], text)]
            assert len(found) == 1, f"{path} has {len(found)} places of this kind: {place}"
            text = text[: found[0]] + new + text[found[0] :]
        return self.write(path, text)

    def write(self, path: str, text: str) -> ModuleType:
        """Write a file and load it."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        name = name_of(path)
        spec = spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        self.monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        return module


PLACES = {
    "below_explain": r'EXPLAIN = "explain"\n',
    "before_off": r"(?=    Command\(\s*OFF,)",
    "in_telling": r"TELLING = frozenset\(\{\s*",
    "in_the_import": r"from bot\.commands\.registry import \(?\s*",
    "beside_the_imports": r"(?=from bot\.texts\.explain import)",
    "before_the_raise": r"(?=    raise ValueError\(f)",
}
"""Where the guide's words lead, whatever other commands stand there by now; each is once in its file."""


async def test_a_first_feature_is_built_as_the_guide_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (REGISTRY, WORDS, ANSWERS, TELLING, RUNNING):
        import_module(name_of(path))  # what is loaded later would keep what takes a module's place here
    house, before = House(tmp_path, monkeypatch), set(sys.modules)
    (name,) = re.findall(r"write `(AGE = \"age\")` below `EXPLAIN`", step(1))
    assert "in `COMMANDS`, before `OFF`:" in step(1)
    registry = house.change(REGISTRY, below_explain=f"{name}\n", before_off=indent(block(1), "    "))
    assert "add `AGE` to `TELLING` (and to the import)" in step(2)
    answers = house.change(ANSWERS, in_telling="AGE, ", in_the_import="AGE, ")
    (path,) = re.findall(r"A new file `(bot/texts/\w+\.py)`:", step(3))
    words = house.write(path, block(3))
    assert "In `tell` of `bot/features/telling.py`, before the `raise` (with both imports):" in step(4)
    telling = house.change(
        TELLING,
        in_the_import="AGE, ",
        beside_the_imports="from bot.texts.age import age_text\n",
        before_the_raise=indent(block(4), "    "),
    )
    understood = house.change(WORDS).read_words("age")
    assert (understood.name, understood.arguments) == ("age", ())
    assert answers.answer("age", (), answers.Standing("memory-leak", blind=False)).step == "tell"
    told = await telling.tell(None, a_record(12, open_days=3.0), "age")
    assert told == words.age_text(12, 3.0) == "`#12` was open for 3.0 days."
    (path,) = re.findall(r"a new file `(tests/e2e/\w+\.py)`", step(5))
    assert any(one.startswith("test_") for one in vars(house.write(path, block(5))))
    rows = registry.table_markdown().splitlines(keepends=True)
    assert block(8) in rows
    assert set(sys.modules) - before == {"bot.texts.age", "tests.e2e.test_age"}
    assert "/rootcause off" in rows[rows.index(block(8)) + 1]
