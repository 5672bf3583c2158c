"""From a file's bytes to a configuration, or to all its mistakes at once."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from bot.config.characters import decode
from bot.config.configuration import Configuration
from bot.config.mistakes import BadConfiguration, Mistake
from bot.config.published import all_keys, choices_at, keys_at, takes
from bot.config.tree import Path, Tree, grow
from bot.texts.code import code
from classifier import CATEGORIES
from classifier.taxonomy import resolve

_CLOSE_ENOUGH = 0.6
"""Similarity (difflib ratio) from which a known word is offered in place of an unknown one."""


def read(content: bytes, size: int | None = None) -> Configuration:
    """Read a file; an empty one, or one of comments alone, gives the defaults.

    `size` is the whole file's, in bytes, where not all of it is in `content`.

    Raises:
        BadConfiguration: with every mistake that can be seen at once.
    """
    tree = grow(decode(content, size))
    if tree.value is None and not tree.mistakes:
        return Configuration()
    if not isinstance(tree.value, dict):
        sentence = f"the file holds {_kind(tree.value)}; it should hold keys with values, such as `mode: observe`"
        raise BadConfiguration([*tree.mistakes, Mistake(*tree.place(()), sentence)])
    mistakes = [*tree.mistakes, *_said_without_value(tree)]
    try:
        configuration = Configuration.of(_said(tree.value))
    except ValidationError as error:
        raise BadConfiguration(mistakes + [_mistake(tree, one) for one in error.errors()]) from None
    mistakes += _doubled_labels(tree)
    if mistakes:
        raise BadConfiguration(mistakes)
    return configuration


def _said(value: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the keys that have no value."""
    return {
        key: _said(one) if isinstance(one, dict) and key != "map" else one
        for key, one in value.items()
        if one is not None
    }


def _said_without_value(tree: Tree) -> list[Mistake]:
    """Return the known keys that have no value; a group whose keys are all comments is no mistake."""
    found = []
    for key, value in tree.value.items():
        if not isinstance(value, dict):
            value = {None: value}
        elif key not in keys_at(()):
            continue  # an unknown group is one mistake, whatever stands in it
        for name, one in value.items():
            path = (key,) if name is None else (key, name)
            if one is None and path[-1] in keys_at(path[:-1]) and not keys_at(path):
                sentence = f"{code(path[-1])} has no value; it takes {takes(path)}"
                found.append(Mistake(*tree.keys[path], sentence))
    return found


def _doubled_labels(tree: Tree) -> list[Mistake]:
    """Return the labels that `labels.map` names twice in different letters, which are one label on GitHub."""
    seen: dict[str, str] = {}
    found = []
    for label in (tree.value.get("labels") or {}).get("map") or {}:
        first = seen.setdefault(label.casefold(), label)
        if first is not label:
            sentence = f"{code(label)} and {code(first)} are one label on GitHub; keep one of them"
            found.append(Mistake(*tree.keys["labels", "map", label], sentence))
    return found


def _mistake(tree: Tree, error: Mapping[str, Any]) -> Mistake:
    path: Path = error["loc"]
    if error["type"] == "extra_forbidden":
        return Mistake(*tree.keys[path], _unknown(str(path[-1]), path[:-1]))
    if path[-1] == "[key]":
        return Mistake(*tree.keys[path[:-1]], "a label's name has 1 to 50 characters")
    while path not in tree.values:  # pydantic appends which kind it tried, where a value may be of two
        path = path[:-1]
    if error["type"] == "value_error" and keys_at(path):
        return Mistake(*tree.place((*path, "style")), str(error["ctx"]["error"]))
    return Mistake(*tree.place(path), _unfit(path, error["input"]))


def _unknown(key: str, group: Path) -> str:
    inside = f" in `{group[0]}`" if group else ""
    near = difflib.get_close_matches(key.lower(), keys_at(group), 1, _CLOSE_ENOUGH)
    if near:
        return f"there is no key {code(key)}{inside}; did you mean `{near[0]}`?"
    elsewhere = difflib.get_close_matches(key.lower(), all_keys(), 1, _CLOSE_ENOUGH)
    if elsewhere:
        home = all_keys()[elsewhere[0]]
        where = f"under `{home}:`" if home else "at the top, without indentation"
        return f"there is no key {code(key)}{inside or ' at the top'}; `{elsewhere[0]}` stands {where}"
    return f"there is no key {code(key)}{inside or ' at the top'}; the keys are {', '.join(keys_at(group))}"


def _unfit(path: Path, given: Any) -> str:
    names = [step for step in path if isinstance(step, str)]
    subject = f"an entry of {code(names[-1])} is" if isinstance(path[-1], int) else f"{code(names[-1])} takes"
    choices = choices_at(path)
    near = _nearest(given, choices) if isinstance(given, str) else None
    if near is not None and choices == CATEGORIES:
        return f"{subject} a category, not {_shown(given)}; did you mean `{near}`?"
    if isinstance(given, list) and takes(path).startswith("a list"):
        return f"{subject} {takes(path)}, not {len(given)} entries"
    sentence = f"{subject} {takes(path)}, not {_shown(given)}"
    if isinstance(given, str):
        return f"{sentence}; did you mean `{near}`?" if near is not None else sentence
    wants_text = takes(path).startswith("a text") and not isinstance(given, list | dict | None)
    return f"{sentence}; put it into quotes" if wants_text else sentence


def _nearest(word: str, choices: tuple[str, ...]) -> str | None:
    if choices == CATEGORIES:
        found = resolve(word)
        return found.key or next(iter(found.nearest), None)
    return next(iter(difflib.get_close_matches(word.lower(), choices, 1, _CLOSE_ENOUGH)), None)


def _shown(given: Any) -> str:
    if isinstance(given, bool):
        return f"`{str(given).lower()}`"
    if isinstance(given, str):
        return code(given) if given.strip() else "an empty text"
    return f"`{given}`" if isinstance(given, int | float) else _kind(given)


def _kind(value: Any) -> str:
    if isinstance(value, dict):
        return "a group of keys"
    if isinstance(value, list):
        return "a list"
    return "nothing" if value is None else "a single value"
