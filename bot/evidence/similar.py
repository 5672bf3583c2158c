"""Which issues are most like one: cosine of TF-IDF vectors over what was written; pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from classifier import IssueText
from classifier.text import split_fields
from classifier.tokens import tokenize
from classifier.words import terms

MOST_SIMILAR = 3
"""Issues that are shown (product.md, "Commands")."""

_TITLE_COUNTS = 2
"""How often a term of the title counts: it says in a line what the text says at length."""

LEAST_SIMILARITY = 0.05
"""Cosine below which two issues share no more than words that any two issues share."""


def words_of(text: IssueText) -> Counter[str]:
    """Count the terms of an issue's title, prose, failures and comments, as the classifier reads them."""
    counts: Counter[str] = Counter()
    for name, written in split_fields(text).named():
        if name in {"headings", "fix"}:
            continue
        weight = _TITLE_COUNTS if name == "title" else 1
        for term, _, _ in terms(tokenize(written)):
            counts[term] += weight
    return counts


def nearest(
    asked: Mapping[str, int], known: Mapping[int, Mapping[str, int]], most: int = MOST_SIMILAR
) -> Sequence[tuple[int, float]]:
    """Return the ids of the known issues most like the asked one, with their cosine (0 to 1), the nearest first.

    A term weighs (1 + ln count) * (1 + ln((1 + n) / (1 + issues with it))), n being the known issues.
    """
    spread = Counter(term for counts in known.values() for term in counts)

    def weighed(counts: Mapping[str, int]) -> dict[str, float]:
        return {
            term: (1 + math.log(count)) * (1 + math.log((1 + len(known)) / (1 + spread[term])))
            for term, count in counts.items()
        }

    query = weighed(asked)
    length = _length(query)
    found = []
    for issue_id, counts in known.items():
        other = weighed(counts)
        lengths = length * _length(other)
        cosine = math.fsum(query[term] * value for term, value in other.items() if term in query) / (lengths or 1.0)
        if cosine >= LEAST_SIMILARITY:
            found.append((issue_id, cosine))
    return sorted(found, key=lambda one: (-one[1], one[0]))[:most]


def _length(vector: Mapping[str, float]) -> float:
    return math.sqrt(math.fsum(value * value for value in vector.values()))
