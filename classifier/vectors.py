"""Blocks as sparse vectors: vocabulary, rarity of terms, and equal length of each block whatever the thread's."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from classifier.blocks import BLOCK_WEIGHTS, LEXICON, Blocks, damped

LEAST_ISSUES = 2
"""Issues that a term must occur in to become a feature; the lexicon's features need one."""


class Vector(NamedTuple):
    """One issue: columns, ascending within a block, and their values; both of one length."""

    columns: NDArray[np.int32]
    values: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The features of a model: each block's terms, in column order, and the weight of each column's rarity."""

    terms: Mapping[str, tuple[str, ...]]
    rarity: NDArray[np.float32]

    def __post_init__(self) -> None:
        """Refuse a rarity that does not match the terms."""
        if self.rarity.shape != (self.size,):
            raise ValueError(f"{self.size} features do not go with weights of shape {self.rarity.shape}")

    @property
    def size(self) -> int:
        """Number of columns."""
        return sum(len(terms) for terms in self.terms.values())


class Vectorizer:
    """Turns blocks into vectors by a vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._columns: dict[str, dict[str, int]] = {}
        start = 0
        for block, terms in vocabulary.terms.items():
            self._columns[block] = dict(zip(terms, range(start, start + len(terms)), strict=True))
            start += len(terms)
        self._rarity: list[float] = vocabulary.rarity.tolist()

    def vector(self, blocks: Blocks) -> Vector:
        """Weigh each known term by damped count and rarity, and bring each block to its weight (L2).

        The lexicon's features keep their size: how strongly the lexicon speaks is what they say.
        """
        columns: list[int] = []
        values: list[float] = []
        for block, known in self._columns.items():
            counts = blocks.counts[block]
            found = [(known[term], count) for term, count in counts.items() if term in known]
            weight = BLOCK_WEIGHTS[block]
            if block == LEXICON:
                columns += [column for column, _ in found]
                values += [weight * count for _, count in found]
                continue
            weighed = [damped(count) * self._rarity[column] for column, count in found]
            length = math.sqrt(math.fsum(value * value for value in weighed))
            columns += [column for column, _ in found]
            values += [weight * value / length for value in weighed]
        return Vector(np.array(columns, dtype=np.int32), np.array(values, dtype=np.float32))


def learn_vocabulary(issues: Sequence[Blocks]) -> Vocabulary:
    """Collect the terms of enough issues, by block in alphabetical order; rarity is 1 + ln((1 + n) / (1 + issues))."""
    terms: dict[str, tuple[str, ...]] = {}
    rarity: list[float] = []
    for block in BLOCK_WEIGHTS:
        occurring = _occurrences(issue.counts[block] for issue in issues)
        least = 1 if block == LEXICON else LEAST_ISSUES
        kept = sorted(term for term, number in occurring.items() if number >= least)
        terms[block] = tuple(kept)
        rarity += [1 + math.log((1 + len(issues)) / (1 + occurring[term])) for term in kept]
    return Vocabulary(terms, np.array(rarity, dtype=np.float32))


def _occurrences(texts: Iterable[Mapping[str, float]]) -> Counter[str]:
    occurring: Counter[str] = Counter()
    for counts in texts:
        occurring.update(counts.keys())
    return occurring
