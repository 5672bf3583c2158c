"""Why a category: the words, as they stand in the thread, and the facts of the fix that weighed most for it."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from classifier.blocks import FIX_FILES, LEXICON, Blocks
from classifier.lexicon import Find
from classifier.reading import Reading
from classifier.taxonomy import NONE

MOST_WORDS = 5
MOST_FACTS = 3
LONGEST_SHOWN = 80
"""Characters of one piece of text that are shown."""
_KINDS: Mapping[str, str] = {
    "build": "build files",
    "gpu": "GPU code",
    "c": "C or C++ code",
    "python": "Python code",
    "go": "Go code",
    "rust": "Rust code",
    "jvm": "Java, Kotlin or Scala code",
    "javascript": "JavaScript or TypeScript code",
    "dotnet": ".NET code",
    "ruby": "Ruby code",
    "php": "PHP code",
    "dart": "Dart code",
    "swift": "Swift code",
    "lua": "Lua code",
    "shell": "scripts",
    "setting": "settings files",
    "interface": "interface definitions",
    "document": "documents",
    "query": "SQL",
    "ci": "the build service's settings",
    "test": "tests",
}
_FILES: Mapping[str, str] = {"0": "only tests", "1": "one file", "2": "2 or 3 files", "3": "4 to 7 files"}
_SIZES = ("0 lines", "1 or 2 lines", "3 to 14 lines", "15 to 62 lines", "63 to 254 lines", "255 to 1,022 lines")


class Weighed(NamedTuple):
    """One piece of evidence and what it added to the category's score, above 0; the unit is log odds."""

    text: str
    weight: float


class Reasons(NamedTuple):
    """What spoke for one category: words as written, and facts of the fix, the weightiest first."""

    words: tuple[Weighed, ...]
    facts: tuple[Weighed, ...]


def reasons(
    reading: Reading,
    blocks: Blocks,
    names: Mapping[str, tuple[tuple[str, float], ...]],
    category: str,
) -> Reasons:
    """Collect what weighed most for a category; `names` gives (feature, contribution) of each block's known terms."""
    texts = _Pieces()
    facts = _Pieces()
    for block, weighed in names.items():
        for term, contribution in weighed:
            if contribution <= 0 or block == LEXICON:
                continue
            if block == FIX_FILES:
                facts.add(fact(term), contribution)
                continue
            field, first, last = blocks.places[block][term]
            texts.add(reading.tokens[field].found(first, last), contribution)
    spoken = sum(value for feature, value in names[LEXICON] if feature.endswith(f":{category}"))
    for find, share in _finds(reading, category):
        texts.add(find.words, max(spoken, 0.0) * share)
    return Reasons(texts.weightiest(MOST_WORDS), facts.weightiest(MOST_FACTS))


def fact(term: str) -> str:
    """Put a term of the fix into words: `kind:gpu` becomes "GPU code changed"."""
    kind, _, value = term.partition(":")
    if kind == "kind":
        return f"{_KINDS[value]} changed"
    if kind == "files":
        return f"{_FILES.get(value, '8 files or more')} changed"
    if kind == "size":
        return f"{_SIZES[int(value)] if int(value) < len(_SIZES) else 'more than 1,022 lines'} changed"
    if kind == "path":
        return f'"{value}" in a changed path'
    return "mostly lines removed"


def by_block(
    columns: NDArray[np.int32], values: NDArray[np.float64], terms: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[tuple[str, float], ...]]:
    """Name the columns of a vector: (term, value) by block, every block present."""
    named: dict[str, list[tuple[str, float]]] = {block: [] for block in terms}
    starts = np.cumsum([0, *(len(own) for own in terms.values())])
    blocks = list(terms)
    for column, value in zip(columns.tolist(), values.tolist(), strict=True):
        number = int(np.searchsorted(starts, column, side="right")) - 1
        named[blocks[number]].append((terms[blocks[number]][column - int(starts[number])], value))
    return {block: tuple(entries) for block, entries in named.items()}


def _finds(reading: Reading, category: str) -> Iterator[tuple[Find, float]]:
    """Yield the lexicon's finds for a category, each with its share of them; for none those of its best kind."""
    kinds = reading.findings.kinds
    subject = max(kinds, key=lambda kind: kinds[kind]) if category == NONE else category
    finds = [find for find in reading.findings.evidence.get(subject, ()) if find.weight > 0]
    total = sum(find.weight for find in finds)
    for find in finds:
        yield find, find.weight / total


class _Pieces:
    """Pieces of text with their summed weights; one that says no more than a weightier one goes into it."""

    def __init__(self) -> None:
        self._weights: dict[str, float] = {}
        self._written: dict[str, str] = {}

    def add(self, text: str, weight: float) -> None:
        if weight > 0 and 0 < len(text) <= LONGEST_SHOWN:
            folded = text.casefold()
            self._weights[folded] = self._weights.get(folded, 0.0) + weight
            self._written.setdefault(folded, text)

    def weightiest(self, most: int) -> tuple[Weighed, ...]:
        ranked = sorted(self._weights, key=lambda folded: (-self._weights[folded], folded))
        chosen: list[str] = []
        for folded in ranked:
            if len(chosen) == most:
                break
            if not any(_within(folded, other) or _within(other, folded) for other in chosen):
                chosen.append(folded)
        return tuple(Weighed(self._written[folded], self._weights[folded]) for folded in chosen)


def _within(part: str, whole: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", whole) is not None
