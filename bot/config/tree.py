"""From text to plain values with their places: the small part of YAML that a configuration needs, and no more.

Aliases, anchors, tags and further documents are refused, so nothing can grow while it is read. Plain scalars mean what
YAML 1.2 says, as editors have it: `off` and `no` are words, `true` is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml import events

from bot.config.mistakes import BadConfiguration, Mistake
from bot.config.syntax import syntax_mistake
from bot.texts.code import code

Path = tuple[str | int, ...]
"""Keys and places in lists that lead to a value, from the top."""

MOST_DEPTH = 4
"""Mappings and lists inside each other: no key of a configuration lies deeper."""

_WORDS: dict[str, bool | None] = {
    form: value
    for words, value in ((("null", "~", ""), None), (("true",), True), (("false",), False))
    for word in words
    for form in (word, word.title(), word.upper())
}
_WHOLE = re.compile(r"[-+]?[0-9]{1,18}")
_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,18}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][-+]?[0-9]{1,3})?")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")


@dataclass
class Tree:
    """What a file holds: `value` as JSON would have it (None where the file is empty), and where everything stands.

    `keys` are the places of keys, `values` those of values, by the path that leads there. `mistakes` are those that did
    not keep the rest from being read.
    """

    value: Any = None
    keys: dict[Path, tuple[int, int]] = field(default_factory=dict)
    values: dict[Path, tuple[int, int]] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)

    def place(self, path: Path) -> tuple[int, int]:
        """Return line and column of the value at a path, or of the nearest one around it."""
        while path not in self.values and path:
            path = path[:-1]
        return self.values.get(path, (1, 1))


def grow(text: str) -> Tree:
    """Read a text.

    Raises:
        BadConfiguration: it is no YAML, or a kind of YAML that is not accepted here.
    """
    grower = _Grower(_events(text))
    grower.document()
    return grower.tree


def _events(text: str) -> Iterator[Any]:
    last = (1, 1)
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            last = _at(event)
            yield event
    except yaml.MarkedYAMLError as error:
        raise BadConfiguration([syntax_mistake(error, text)]) from None
    except (ValueError, OverflowError):
        # PyYAML's own, of an escape such as "\UFFFFFFFF" that names no character.
        raise BadConfiguration([Mistake(*last, "a number behind this place is too large to be read")]) from None


class _Grower:
    """Builds the tree from PyYAML's events, never deeper than `MOST_DEPTH`."""

    def __init__(self, stream: Iterator[Any]) -> None:
        self.stream = stream
        self.tree = Tree()

    def document(self) -> None:
        for event in self.stream:
            if isinstance(event, events.DocumentStartEvent):
                if self.tree.values:
                    raise self._stop(event, "a second document begins here; one file holds one configuration")
                self.tree.value = self._value(next(self.stream), (), 0)

    def _value(self, event: Any, path: Path, depth: int) -> Any:
        self.tree.values[path] = _at(event)
        self._refuse_extras(event)
        if isinstance(event, events.ScalarEvent):
            return self._scalar(event)
        if depth == MOST_DEPTH:
            raise self._stop(event, "this lies deeper than any key does; check the indentation")
        if isinstance(event, events.SequenceStartEvent):
            return self._sequence(path, depth)
        return self._mapping(path, depth)

    def _sequence(self, path: Path, depth: int) -> list[Any]:
        found: list[Any] = []
        while not isinstance(event := next(self.stream), events.SequenceEndEvent):
            found.append(self._value(event, (*path, len(found)), depth + 1))
        return found

    def _mapping(self, path: Path, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not isinstance(event := next(self.stream), events.MappingEndEvent):
            self._refuse_extras(event)
            if not isinstance(event, events.ScalarEvent):
                raise self._stop(event, "a key is one word or one text in quotes, not a list or a group of keys")
            key = self._seen(event)
            if key in found:
                first = self.tree.keys[*path, key][0]
                sentence = f"{code(key)} stands here for the second time, after line {first}; keep one of them"
                self.tree.mistakes.append(Mistake(*_at(event), sentence))
            else:
                self.tree.keys[*path, key] = _at(event)
            found[key] = self._value(next(self.stream), (*path, key), depth + 1)
        return found

    def _scalar(self, event: events.ScalarEvent) -> Any:
        text = self._seen(event)
        if event.style is not None:
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _WHOLE.fullmatch(text):
            return int(text)
        return float(text) if _NUMBER.fullmatch(text) else text

    def _refuse_extras(self, event: Any) -> None:
        if isinstance(event, events.AliasEvent):
            raise self._stop(event, "aliases (`*name`) are not read here; write the value out")
        if event.anchor is not None:
            raise self._stop(event, "anchors (`&name`) are not read here; delete it")
        if event.tag is not None:
            raise self._stop(event, "tags (`!name`) are not read here; delete it")

    def _seen(self, event: events.ScalarEvent) -> str:
        text: str = event.value
        if _UNSEEN.search(text):
            sentence = "a line break or another character that cannot be seen is inside this text; write it on one line"
            self.tree.mistakes.append(Mistake(*_at(event), sentence))
        return _UNSEEN.sub("\ufffd", text)

    def _stop(self, event: Any, sentence: str) -> BadConfiguration:
        return BadConfiguration([*self.tree.mistakes, Mistake(*_at(event), sentence)])


def _at(event: Any) -> tuple[int, int]:
    mark = event.start_mark
    return mark.line + 1, mark.column + 1
