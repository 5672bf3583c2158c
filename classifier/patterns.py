"""A small pattern language over words, matched in linear time whatever the text.

A pattern is words in order: `oom|memory` either word, `leak*` any word beginning so, `<number>` and `<version>` masks,
`~3` up to three words between its neighbours. No pattern reaches over the end of a sentence or line.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from classifier.tokens import NUMBER, PATH, STOP, VERSION, Tokens

MOST_REMEMBERED = 20_000
"""Words whose patterns are remembered between texts; a bound, so that hostile texts cannot fill the memory."""
_WORD = re.compile(r"[a-z0-9][a-z0-9']*|" + "|".join((NUMBER, VERSION, PATH)))


class PatternError(ValueError):
    """A pattern is not written as the language wants it."""


class Step(NamedTuple):
    """One word of a pattern: whole words, beginnings of words, any number, and how many words may stand before it."""

    exact: frozenset[str]
    prefixes: tuple[str, ...]
    number: bool
    gap: int


def end_of_match(rest: tuple[Step, ...], words: list[str], first: int) -> int | None:
    """Match a pattern from word `first`, which fits its first step, by the `rest` of its steps.

    Gives the last word's index, or None. `words` must end in a STOP. Where several words would do, the nearest counts.
    """
    at = first
    for step in rest:
        left = step.gap
        while True:
            at += 1
            word = words[at]
            if word == STOP:
                return None
            if (
                word in step.exact
                or (step.prefixes and word.startswith(step.prefixes))
                or (step.number and word[0].isdigit())
            ):
                break
            if not left:
                return None
            left -= 1
    return at


def parse_pattern(source: str) -> tuple[Step, ...]:
    """Read the steps of a pattern, at least one.

    Raises PatternError for an empty one, a gap at its ends, or a character that no token has.
    """
    steps: list[Step] = []
    gap = 0
    for part in source.split():
        if part.startswith("~"):
            if not part[1:].isdecimal() or gap or not steps:
                raise PatternError(f"bad gap {part!r} in pattern {source!r}")
            gap = int(part[1:])
            continue
        choices = part.split("|")
        exact = frozenset(choice for choice in choices if not choice.endswith("*"))
        prefixes = tuple(choice[:-1] for choice in choices if choice.endswith("*"))
        if not all(_WORD.fullmatch(word) for word in (*exact, *prefixes)):
            raise PatternError(f"bad word {part!r} in pattern {source!r}")
        steps.append(Step(exact, prefixes, NUMBER in exact, gap))
        gap = 0
    if not steps or gap:
        raise PatternError(f"pattern {source!r} is empty or ends in a gap")
    return tuple(steps)


class PatternIndex:
    """Many patterns, found by their first word; read when a text first has that word, which most never are.

    Reading all patterns of the lexicon at once would be a third of the time in which the model is loaded. So one that
    is badly written raises PatternError from `matches`.
    """

    def __init__(self, sources: Iterable[str]) -> None:
        self._sources = tuple(sources)
        self._exact: dict[str, list[int]] = {}
        self._prefixes: dict[str, list[int]] = {}
        for number, source in enumerate(self._sources):
            for word in source.partition(" ")[0].split("|"):
                if word.endswith("*"):
                    self._prefixes.setdefault(word[:-1], []).append(number)
                else:
                    self._exact.setdefault(word, []).append(number)
        self._lengths = sorted({len(prefix) for prefix in self._prefixes})
        self._rests: dict[int, tuple[Step, ...]] = {}
        self._known: dict[str, list[tuple[int, tuple[Step, ...]]]] = {}

    def _rest(self, number: int) -> tuple[Step, ...]:
        """Give the steps after the first of a pattern."""
        if number not in self._rests:
            self._rests[number] = parse_pattern(self._sources[number])[1:]
        return self._rests[number]

    def _candidates(self, word: str) -> list[tuple[int, tuple[Step, ...]]]:
        numbers = list(self._exact.get(word, ()))
        if word[0].isdigit():
            numbers += self._exact.get(NUMBER, ())
        for length in self._lengths:
            if length > len(word):
                break
            numbers += self._prefixes.get(word[:length], ())
        found = [(number, self._rest(number)) for number in numbers]
        if len(self._known) < MOST_REMEMBERED:
            self._known[word] = found
        return found

    def matches(self, tokens: Tokens) -> Iterator[tuple[int, int, int]]:
        """Yield (pattern number, first token, last token) of every match, in the order of the text."""
        words = [*tokens.words, STOP]
        known = self._known
        for first, word in enumerate(words):
            candidates = known[word] if word in known else self._candidates(word)
            for number, rest in candidates:
                last = end_of_match(rest, words, first) if rest else first
                if last is not None:
                    yield number, first, last
