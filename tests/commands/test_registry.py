"""No command without usage, who may use it and an example; and the tables made from the list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from markdown_it import MarkdownIt

from bot.commands.grammar import parse
from bot.commands.registry import COMMANDS, UNKNOWN, Command, categories_markdown, registered, table_markdown
from bot.commands.words import read_words
from classifier.taxonomy import CATEGORIES
from tests.support.golden import is_golden

CONFIRM = COMMANDS["confirm"]


@pytest.mark.parametrize("field", ["name", "usage", "who", "example", "summary"])
@pytest.mark.parametrize("nothing", ["", None])
def test_a_command_that_lacks_something_cannot_be_registered(field: str, nothing: Any) -> None:
    lacking: dict[str, Any] = {field: nothing}
    with pytest.raises(ValueError, match=field):
        registered(replace(CONFIRM, **lacking))


def test_a_command_without_a_place_cannot_be_registered() -> None:
    with pytest.raises(ValueError, match="places"):
        registered(replace(CONFIRM, places=frozenset()))


@pytest.mark.parametrize("second", [CONFIRM, replace(CONFIRM, name=UNKNOWN)])
def test_a_name_cannot_be_registered_twice(second: Command) -> None:
    with pytest.raises(ValueError, match="taken"):
        registered(CONFIRM, second)


def test_what_works_is_registered_and_nothing_else() -> None:
    decide = ["confirm", "categorise", "none", "undo"]
    evidence, ask = ["reproduced", "fix", "type"], ["similar", "explain"]
    assert list(COMMANDS) == [*decide, *evidence, *ask, "off", "on", "recheck", "report", "help"]
    for nothing in ("approve", "label memory-leak", "close", "retry", "stop"):
        assert read_words(nothing).name == UNKNOWN


@pytest.mark.parametrize(("table", "file"), [(table_markdown, "commands.md"), (categories_markdown, "categories.md")])
def test_the_tables_read_as_they_should(table: Callable[[], str], file: str) -> None:
    is_golden(table(), file)


def test_the_tables_render_as_tables_with_every_row_whole() -> None:
    for text, rows, columns in ((table_markdown(), len(COMMANDS), 5), (categories_markdown(), len(CATEGORIES), 3)):
        tokens = MarkdownIt("commonmark").enable("table").parse(text)
        assert [token.type for token in tokens].count("td_open") == rows * columns
        assert parse(text, "root-cause") == ()
