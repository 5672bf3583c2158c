"""A small pattern language over words, matched in linear time whatever the text.

A pattern is words in order: `oom|memory` either word, `leak*` any word beginning so, `<number>` and `<version>` masks,
`~3` up to three words between its neighbours. No pattern reaches over the end of a sentence or line.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from classifier.tokens import NUMBER, PATH, STOP, VERSION, Tokens

MOST_REMEMBERED = 20_000
"""Words whose patterns are remembered between texts; a bound, so that hostile texts cannot fill the memory."""
_WORD = re.compile(r"[a-z0-9][a-z0-9']*|" + "|".join((NUMBER, VERSION, PATH)))


class PatternError(ValueError):
    """A pattern is not written as the language wants it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One word of a pattern: whole words, beginnings of words, any number, and how many words may stand before it."""

    exact: frozenset[str]
    prefixes: tuple[str, ...]
    number: bool
    gap: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """A parsed pattern and its source text."""

    source: str
    first: Step
    rest: tuple[Step, ...]

    def end_of_match(self, words: list[str], first: int) -> int | None:
        """Match from word `first`, which fits the first step; give the last word's index, or None.

        `words` must end in a STOP. Where several words would do, the nearest counts.
        """
        at = first
        for step in self.rest:
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


def parse_pattern(source: str) -> Pattern:
    """Read one pattern; raises PatternError for an empty one, a gap at its ends, or a character that no token has."""
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
    return Pattern(source, steps[0], tuple(steps[1:]))


class PatternIndex:
    """Many patterns, found by their first word."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._exact: dict[str, list[tuple[int, Pattern]]] = {}
        self._prefixes: dict[str, list[tuple[int, Pattern]]] = {}
        for number, pattern in enumerate(patterns):
            for word in pattern.first.exact:
                self._exact.setdefault(word, []).append((number, pattern))
            for prefix in pattern.first.prefixes:
                self._prefixes.setdefault(prefix, []).append((number, pattern))
        self._lengths = sorted({len(prefix) for prefix in self._prefixes})
        self._known: dict[str, list[tuple[int, Pattern]]] = {}

    def _candidates(self, word: str) -> list[tuple[int, Pattern]]:
        found = list(self._exact.get(word, ()))
        if word[0].isdigit():
            found += self._exact.get(NUMBER, ())
        for length in self._lengths:
            if length > len(word):
                break
            found += self._prefixes.get(word[:length], ())
        if len(self._known) < MOST_REMEMBERED:
            self._known[word] = found
        return found

    def matches(self, tokens: Tokens) -> Iterator[tuple[int, int, int]]:
        """Yield (pattern number, first token, last token) of every match, in the order of the text."""
        words = [*tokens.words, STOP]
        known = self._known
        for first, word in enumerate(words):
            candidates = known[word] if word in known else self._candidates(word)
            for number, pattern in candidates:
                last = pattern.end_of_match(words, first) if pattern.rest else first
                if last is not None:
                    yield number, first, last
