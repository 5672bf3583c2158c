"""What is wrong where a text is no YAML at all: PyYAML's complaints as sentences that say what to do."""

from __future__ import annotations

import re

import yaml

from bot.config.mistakes import Mistake
from bot.texts.code import code

_SENTENCES = (
    ("found unexpected end of stream", "this text in quotes never ends; add the second quotation mark"),
    ("found unexpected document separator", "this text in quotes never ends; add the second quotation mark"),
    ("mapping values are not allowed here", "a `:` is not expected here; put a text with `: ` inside into quotes"),
    ("could not find expected ':'", "a `:` is missing behind this key"),
    ("expected ',' or ']'", "this list in brackets never ends, or a comma is missing"),
    ("expected ',' or '}'", "this group in braces never ends, or a comma is missing"),
    ("expected <block end>", "this line is not indented like those it belongs to"),
    ("expected '<document start>'", "nothing may follow the configuration here"),
    ("sequence entries are not allowed here", "a list cannot begin here; put it on lines of its own"),
    ("expected the node content", "a value is missing here, or a bracket is not closed"),
)
_OPENED = ("found unexpected end of stream", "found unexpected document separator", "expected ',' or")
"""Complaints that are about where something began, not about where its end was missed."""

_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7})(?: |\r?$)", re.MULTILINE)
"""What Git leaves in a file that two people changed."""


def syntax_mistake(error: yaml.MarkedYAMLError, text: str) -> Mistake:
    """Return PyYAML's error as a mistake, at the place where a person would mend it."""
    conflict = _CONFLICT.search(text)
    if conflict is not None:
        line = text.count("\n", 0, conflict.start()) + 1
        return Mistake(line, 1, "a merge conflict was left here; keep one side of it and delete its marks")
    problem = error.problem or "it breaks off"
    mark = error.problem_mark or error.context_mark
    if error.context_mark is not None and problem.startswith(_OPENED):
        mark = error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    return Mistake(line, column, _sentence(problem, text, line, column))


def _sentence(problem: str, text: str, line: int, column: int) -> str:
    if "cannot start any token" in problem:
        lines = text.splitlines()
        found = lines[line - 1][column - 1 : column] if line <= len(lines) else ""
        if found == "\t":
            indents = not lines[line - 1][: column - 1].strip()
            return f"a tab stands here; {'YAML is indented by spaces' if indents else 'put a space in its place'}"
        return f"nothing can begin by {code(found)} here; put the text into quotes"
    for beginning, sentence in _SENTENCES:
        if problem.startswith(beginning):
            return sentence
    return f"this is not YAML: {code(problem)}"
