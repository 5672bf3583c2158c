"""The categories of root causes and the types of bugs: keys, titles, aliases, definitions, and how a word finds one."""

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

NONE = "none"
NONE_KINDS = ("functional", "question", "feature", "docs", "misuse")
SHORTEST_PREFIX = 3
CLOSE_ENOUGH = 0.55
"""Similarity (difflib ratio) from which a key is offered for an unknown word."""


class Category(NamedTuple):
    """One root cause: stored key, the first study's short title, names accepted in commands, our definition."""

    key: str
    title: str
    aliases: tuple[str, ...]
    definition: str


class BugType(NamedTuple):
    """One type of the second study's axis: stored key and title."""

    key: str
    title: str


class Resolution(NamedTuple):
    """What a word stands for: `key`, or None with the `nearest` keys, best first (empty where nothing is near)."""

    key: str | None
    nearest: tuple[str, ...] = ()


TAXONOMY = (
    Category(
        "api-mismatch", "API", ("api",), "Parts written against different versions of an interface meet and fail."
    ),
    Category("compilation-error", "Compl", ("compl", "build"), "The source cannot be compiled, linked or packaged."),
    Category(
        "configuration-error", "Config", ("config",), "A setting, path or installed library is not what is needed."
    ),
    Category("connection-error", "Conn", ("conn", "network"), "A connection is refused, times out or is malformed."),
    Category("data-race", "Race", ("race",), "Threads touch the same memory at the same time without a lock."),
    Category("execution-error", "Exec", ("exec",), "The running process dies of something nobody expected."),
    Category("hardware-mismatch", "HA", ("ha", "hardware"), "The processor or device does not suit the program."),
    Category("memory-allocation", "MA", ("ma", "allocation"), "Memory is asked for in a wrong way, or is refused."),
    Category("io-slowdown", "I/O", ("io",), "Reading or writing of files or storage takes too long."),
    Category("memory-leak", "ML", ("ml", "leak"), "Memory that is no longer needed is never given back."),
    Category("conversion", "Conv", ("conv",), "A value, type, text or model is turned into another one wrongly."),
    Category(
        "multi-threading", "MT", ("mt", "threading", "deadlock"), "Threads or workers wait for or hinder each other."
    ),
    Category("performance-regression", "PR", ("pr", "perf"), "A change of the system made it slower than before."),
    Category("slow-synchronization", "SYNC", ("sync",), "Devices, nodes or replicas lose time keeping in step."),
    Category("resource-usage", "RU", ("ru", "resources"), "More of the machine is used or asked for than is usual."),
    Category(NONE, "-", ("not-system",), "Not system-related: a wrong result, a question, a wish, documents, misuse."),
)
CATEGORIES = tuple(category.key for category in TAXONOMY)
SYSTEM_CATEGORIES = CATEGORIES[:-1]
_BY_KEY = {category.key: category for category in TAXONOMY}


def category(key: str) -> Category:
    """Give the category of a stored key; raises KeyError for any other word."""
    return _BY_KEY[key]


def _folded(word: str) -> str:
    return "-".join(word.casefold().replace("_", " ").replace("-", " ").split())


def _category_names() -> dict[str, str]:
    names = {}
    for entry in TAXONOMY:
        for name in (entry.key, entry.title, *entry.aliases):
            if _folded(name):
                names[_folded(name)] = entry.key
    return names


def _read_bug_types() -> tuple[str, tuple[BugType, ...]]:
    read = tomllib.loads(Path(__file__).with_name("bug_types.toml").read_text(encoding="utf-8"))
    return read["version"], tuple(BugType(entry["key"], entry["title"]) for entry in read["type"])


BUG_TYPES_VERSION, BUG_TYPES = _read_bug_types()
_CATEGORY_NAMES = _category_names()
_NONE_KIND_NAMES = {_folded(kind): kind for kind in NONE_KINDS}
_BUG_TYPE_NAMES = {_folded(name): entry.key for entry in BUG_TYPES for name in (entry.key, entry.title)}


def _unique(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(keys))


def _resolve(word: str, names: Mapping[str, str]) -> Resolution:
    folded = _folded(word)
    if folded in names:
        return Resolution(names[folded])
    if len(folded) >= SHORTEST_PREFIX:
        matches = _unique(key for name, key in names.items() if name.startswith(folded))
        if len(matches) == 1:
            return Resolution(matches[0])
        if matches:
            return Resolution(None, matches)
    near = difflib.get_close_matches(folded[:64], list(names), n=5, cutoff=CLOSE_ENOUGH)
    return Resolution(None, _unique(names[name] for name in near)[:3])


def resolve(word: str) -> Resolution:
    """Find the category a person means: key, title or alias in any case, or a prefix that only one category has.

    A prefix has at least three characters. `I/O`, `memory leak` and `MEMORY_LEAK` are understood. A prefix of several
    categories, or an unknown word, gives no key but the nearest ones.
    """
    return _resolve(word, _CATEGORY_NAMES)


def resolve_none_kind(word: str) -> Resolution:
    """Find the kind of `none` a person means, by the same rules as `resolve`."""
    return _resolve(word, _NONE_KIND_NAMES)


def resolve_bug_type(word: str) -> Resolution:
    """Find the bug type a person means, by the same rules as `resolve`."""
    return _resolve(word, _BUG_TYPE_NAMES)
