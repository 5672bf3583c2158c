"""How strongly the words of an issue speak for each category, each kind of none, and each fact the rules use."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from classifier.patterns import PatternIndex
from classifier.phrases import phrases
from classifier.taxonomy import NONE_KINDS, SYSTEM_CATEGORIES
from classifier.text import Fields
from classifier.tokens import Tokens, tokenize
from classifier.words import stem

GRADES: Mapping[str, float] = {"strong": 3.0, "clear": 2.0, "weak": 0.5, "against": -3.0}
"""What a pattern of each grade counts in the body."""
FIELD_WEIGHTS: Mapping[str, float] = {
    "title": 2.0,
    "prose": 1.0,
    "code": 0.5,
    "headings": 0.3,
    "comments": 0.5,
    "member_comments": 0.7,
    "fix": 1.0,
}
_SIGNAL = "signal "
DISCOUNT = 0.6
"""Share that each next pattern of a category counts: many weak words do not outweigh a clear one."""


class Find(NamedTuple):
    """One pattern found: what it speaks for, how much it counts, the words as they stand, and where they stand."""

    subject: str
    weight: float
    words: str
    field: str
    first: int
    last: int


class Findings(NamedTuple):
    """What the lexicon found in one issue.

    `scores` by system category, `kinds` by kind of none, `signals` from 0 to 2 (the weight of the best field, title
    2), `evidence` the finds that counted, by category or kind, the weightiest first; `length` in
    tokens, the title apart.
    """

    scores: dict[str, float]
    kinds: dict[str, float]
    signals: dict[str, float]
    evidence: dict[str, tuple[Find, ...]]
    length: int


class Lexicon:
    """The patterns of one lexicon file, ready to be matched; `plain_words` are the stems that name a cause outright."""

    def __init__(self, source: str) -> None:
        read = tomllib.loads(source)
        self.version: str = read["version"]
        entries: list[tuple[str, float, str]] = []
        for group in ("categories", "kinds"):
            for subject, grades in read[group].items():
                entries += [
                    (subject, GRADES[grade], text) for grade, texts in grades.items() for text in phrases(texts)
                ]
        self._signals = tuple(read["signals"])
        signals = read["signals"].items()
        entries += [(f"{_SIGNAL}{name}", 1.0, text) for name, texts in signals for text in phrases(texts)]
        self.plain_words = _plain_words(read["categories"])
        self._subjects = [(subject, weight) for subject, weight, _ in entries]
        self._index = PatternIndex(text for _, _, text in entries)

    def find(self, fields: Fields) -> Findings:
        """Match every pattern in every field of an issue (`match`)."""
        return self.match({field: tokenize(text) for field, text in fields.named()})

    def match(self, tokens: Mapping[str, Tokens]) -> Findings:
        """Match every pattern in the tokens of each field; a pattern counts once, in the field where it weighs most."""
        best: dict[int, tuple[float, str, int, int]] = {}
        for field, field_tokens in tokens.items():
            field_weight = FIELD_WEIGHTS[field]
            for number, first, last in self._index.matches(field_tokens):
                value = self._subjects[number][1] * field_weight
                if number not in best or abs(best[number][0]) < abs(value):
                    best[number] = (value, field, first, last)
        grouped: dict[str, list[Find]] = {}
        for number, (value, field, first, last) in best.items():
            subject = self._subjects[number][0]
            words = tokens[field].found(first, last)
            grouped.setdefault(subject, []).append(Find(subject, value, words, field, first, last))
        evidence = {subject: _apart(group) for subject, group in grouped.items() if not subject.startswith(_SIGNAL)}
        signals = dict.fromkeys(self._signals, 0.0)
        for subject, group in grouped.items():
            if subject.startswith(_SIGNAL):
                signals[subject.removeprefix(_SIGNAL)] = max(find.weight for find in group)
        sums = {subject: _sum(finds) for subject, finds in evidence.items()}
        return Findings(
            scores={key: sums.get(key, 0.0) for key in SYSTEM_CATEGORIES},
            kinds={kind: sums.get(kind, 0.0) for kind in NONE_KINDS},
            signals=signals,
            evidence=evidence,
            length=sum(len(field_tokens.words) for field, field_tokens in tokens.items() if field != "title"),
        )


def _plain_words(categories: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
    """Collect the stems of the words that name a cause outright: those of strong patterns of one or two words."""
    patterns = [text.split() for grades in categories.values() for text in phrases(grades.get("strong", ""))]
    short = (part for pattern in patterns if len(pattern) <= 2 for part in pattern if not part.startswith("~"))
    return frozenset(stem(word.rstrip("*")) for part in short for word in part.split("|"))


def _apart(finds: list[Find]) -> tuple[Find, ...]:
    """Keep, heaviest first, the finds that share no word with a heavier one of the same subject."""
    taken: set[tuple[str, int]] = set()
    kept: list[Find] = []
    for find in sorted(finds, key=lambda one: (-abs(one.weight), one.first - one.last, one.first, one.words)):
        places = {(find.field, place) for place in range(find.first, find.last + 1)}
        if taken.isdisjoint(places):
            taken |= places
            kept.append(find)
    return tuple(kept)


def _sum(finds: tuple[Find, ...]) -> float:
    against = sum(find.weight for find in finds if find.weight < 0)
    speaking = [find.weight for find in finds if find.weight > 0]
    return against + sum(weight * DISCOUNT**rank for rank, weight in enumerate(speaking))


@cache
def load_lexicon() -> Lexicon:
    """Read the lexicon that is shipped beside this module; the same object for every caller."""
    return Lexicon(Path(__file__).with_name("lexicon.toml").read_text(encoding="utf-8"))
