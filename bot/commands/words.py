"""What the words after the prefix mean: which command, with which arguments, about which issues."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from bot.commands.references import read_change, read_comment
from bot.commands.registry import CATEGORISE, COMMANDS, FIX, NEVER, REPRODUCED, TYPE, UNKNOWN
from classifier.taxonomy import BUG_TYPES, NONE, resolve, resolve_bug_type, resolve_none_kind

LONGEST_WORD = 300
"""Characters of a word that are read: the address of a comment has its room."""

MOST_WORDS = 64
MOST_TARGETS = 50
"""Issues that one command may name: as many as the inbox lists."""
MOST_NEAREST = 3

_TARGET = re.compile(r"#([1-9][0-9]{0,8})", re.ASCII)
_DIGITS = re.compile(r"[0-9]{1,9}", re.ASCII)
_SEPARATOR = re.compile(r"[\s,]+")
_TRAILING = ".;:!"
_CLOSE_ENOUGH = 0.6  # difflib's own default: `confrim` finds `confirm`, `similar` finds nothing


@dataclass(frozen=True)
class Target:
    """An issue of the same repository, named in a command as `#12`."""

    number: int


@dataclass(frozen=True)
class Reading:
    """What was understood; an `unknown` has the word in question as its argument ("" for none) and what is near it."""

    name: str
    arguments: tuple[str, ...] = ()
    targets: tuple[Target, ...] = ()
    nearest: tuple[str, ...] = ()


def read_words(text: str) -> Reading:
    """Understand the text after the prefix; never raises.

    A word too many makes the whole command unknown: half a command is not carried out.
    """
    words = split_words(text)
    if len(words) > MOST_WORDS:
        return _unknown(words[MOST_WORDS])
    spoken = tuple(word for word in words if not _TARGET.fullmatch(word))
    if spoken and spoken[0].casefold() == FIX:
        place = words.index(spoken[0])
        reading = _fix(words[:place], words[place + 1 :])
    else:
        reading = replace(_read(spoken), targets=_targets(word for word in words if _TARGET.fullmatch(word)))
    if len(reading.targets) > MOST_TARGETS:
        return _unknown(f"#{reading.targets[MOST_TARGETS].number}")
    return replace(reading, targets=()) if reading.name == UNKNOWN else reading


def split_words(text: str) -> tuple[str, ...]:
    """Split at white space and commas, without invisible characters and punctuation at a word's end.

    Joined with spaces and split again, the words are the same.
    """
    visible = (
        "".join(each for each in word if unicodedata.category(each)[0] != "C") for word in _SEPARATOR.split(text)
    )
    return tuple(word for each in visible if (word := each[:LONGEST_WORD].rstrip(_TRAILING)))


def _read(words: tuple[str, ...]) -> Reading:
    if not words:
        return _unknown("")
    reader = _READERS.get(words[0].casefold())
    return reader(words[1:]) if reader else _category(words)


def _unknown(word: str, *nearest: str) -> Reading:
    return Reading(UNKNOWN, (word,), nearest=tuple(dict.fromkeys(nearest))[:MOST_NEAREST])


def _alone(name: str) -> Callable[[tuple[str, ...]], Reading]:
    """Make the reader of a command that takes no words."""

    def read(words: tuple[str, ...]) -> Reading:
        return _unknown(words[0], name) if words else Reading(name)

    return read


def _none(words: tuple[str, ...]) -> Reading:
    if not words:
        return Reading(NONE)
    kind = resolve_none_kind(words[0])
    if kind.key is None:
        return _unknown(words[0], *kind.nearest)
    return _unknown(words[1], NONE) if len(words) > 1 else Reading(NONE, (kind.key,))


def _type(words: tuple[str, ...]) -> Reading:
    """Read a bug type, which may be written as two words, as in `algorithm design`."""
    if not words:
        return Reading(TYPE)
    for many in range(min(len(words), 2), 0, -1):
        found = resolve_bug_type(" ".join(words[:many]))
        if found.key is not None:
            return _unknown(words[many], TYPE) if len(words) > many else Reading(TYPE, (found.key,))
    return _unknown(words[0], *(f"{TYPE} {key}" for key in found.nearest or [each.key for each in BUG_TYPES]))


def _targets(words: Iterable[str]) -> tuple[Target, ...]:
    return tuple(dict.fromkeys(Target(int(word.removeprefix("#"))) for word in words))


def _fix(before: tuple[str, ...], rest: tuple[str, ...]) -> Reading:
    """Read what stands around `fix`: one change, and in the inbox the issues that it fixed.

    What cannot be an issue's number is the change. Of two numbers behind the word the first is the issue; more leave
    open which is which, so that nobody guesses.
    """
    for word in rest:
        if read_change(word) is None:
            return _unknown(word, f"{FIX} #{word}" if _DIGITS.fullmatch(word) else FIX)
    numbers = tuple(word for word in rest if _TARGET.fullmatch(word))
    others = tuple(word for word in rest if not _TARGET.fullmatch(word))
    if len(others) > 1:
        return _unknown(others[1], FIX)
    if others:
        return Reading(FIX, (str(read_change(others[0])),), _targets((*before, *numbers)))
    most = 1 if before else 2
    if len(numbers) > most:
        return _unknown(numbers[most], FIX)
    return Reading(FIX, numbers[-1:], _targets((*before, *numbers[:-1])))


def _reproduced(words: tuple[str, ...]) -> Reading:
    if not words:
        return Reading(REPRODUCED)
    word, *more = words
    if more:
        return _unknown(more[0], REPRODUCED)
    if word.casefold() == NEVER:
        return Reading(REPRODUCED, (NEVER,))
    if _DIGITS.fullmatch(word):
        return Reading(REPRODUCED, (str(int(word)),))
    comment = read_comment(word)
    return _unknown(word, REPRODUCED) if comment is None else Reading(REPRODUCED, (str(comment),))


_READERS: dict[str, Callable[[tuple[str, ...]], Reading]] = {
    **{name: _alone(name) for name, command in COMMANDS.items() if command.usage == name},
    REPRODUCED: _reproduced,
    NONE: _none,
    TYPE: _type,
}
"""By a command's first word; a command whose usage is its name takes no words, and has its reader by that."""


def _category(words: tuple[str, ...]) -> Reading:
    """Read `<category> [second]`; both may be written as two words, as in `memory leak`."""
    begun = [name for name in COMMANDS if name != CATEGORISE and name.startswith(words[0].casefold())]
    key, rest, near = _take_category(words)
    if key is None or any(name != key for name in begun):  # `conf` begins a category and `confirm`: nobody guesses
        close = difflib.get_close_matches(words[0].casefold(), [*_READERS, FIX], n=1, cutoff=_CLOSE_ENOUGH)
        return _unknown(words[0], *begun, *close, *([key] if key else near))
    if key == NONE:
        return _none(rest)
    if not rest:
        return Reading(CATEGORISE, (key,))
    second, left, near = _take_category(rest)
    if second is None:
        return _unknown(rest[0], *near)
    if left:
        return _unknown(left[0], CATEGORISE)
    return Reading(CATEGORISE, tuple(dict.fromkeys((key, second))))


def _take_category(words: tuple[str, ...]) -> tuple[str | None, tuple[str, ...], tuple[str, ...]]:
    """Resolve the first two words together or the first alone; return the key, the words left and the nearest keys."""
    if len(words) > 1:
        both = resolve(" ".join(words[:2]))
        if both.key is not None:
            return both.key, words[2:], ()
    first = resolve(words[0])
    return first.key, words[1:], first.nearest
