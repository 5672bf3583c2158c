"""The repository-level permutation test: how often do shuffled group labels differ as much as the real ones.

One 0/1 matrix of relabelings serves every cell with the same two group sizes, so a table is one matrix product.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

EXACT_LIMIT = 200_000
"""Up to so many relabelings all are used (10 against 10 repositories: 184,756)."""

DRAWS = 9_999
"""How many relabelings are drawn beyond that limit."""

_TIE = 1e-12
_BLOCK = 16_384


def permutation_p(cells: Sequence[tuple[Values, Values]], seed: int) -> list[float]:
    """Return the two-sided p of the difference of means for each cell of (first group, second group).

    Each group is a vector of one value per repository, at least one long. Exact: p = the relabelings at least as
    extreme over all; drawn: p = (b + 1) / (m + 1) (Phipson and Smyth 2010). Two-sided is the smaller of 1 and twice
    the smaller tail; values within 1e-12 of the observed one, relative to the largest value, are ties and count.
    """
    result = [1.0] * len(cells)
    by_sizes: dict[tuple[int, int], list[int]] = {}
    for position, (first, second) in enumerate(cells):
        by_sizes.setdefault((len(first), len(second)), []).append(position)
    for (first_size, second_size), positions in by_sizes.items():
        pooled = np.column_stack([np.concatenate(cells[position]) for position in positions])
        for position, p in zip(positions, _p_of_columns(pooled, first_size, second_size, seed), strict=True):
            result[position] = float(p)
    return result


def _p_of_columns(pooled: Values, first_size: int, second_size: int, seed: int) -> Values:
    """Return p for each column of `pooled` (repositories, cells), whose first rows are the first group."""
    labels, exact = relabelings(first_size, second_size, seed)
    total = pooled.sum(axis=0)
    tie = _TIE * np.maximum(1.0, np.abs(pooled).max(axis=0))

    def difference(chosen: NDArray[np.uint8]) -> Values:
        first_sum = chosen.astype(np.float64) @ pooled
        return np.asarray(first_sum / first_size - (total - first_sum) / second_size)

    real = np.zeros((1, first_size + second_size), dtype=np.uint8)
    real[0, :first_size] = 1
    observed = difference(real)[0]
    below = np.zeros(pooled.shape[1])
    above = np.zeros(pooled.shape[1])
    for start in range(0, len(labels), _BLOCK):
        null = difference(labels[start : start + _BLOCK])
        below += np.count_nonzero(null <= observed + tie, axis=0)
        above += np.count_nonzero(null >= observed - tie, axis=0)
    extra = 0 if exact else 1
    return np.asarray(np.minimum(1.0, 2.0 * (np.minimum(below, above) + extra) / (len(labels) + extra)))


@lru_cache(maxsize=16)
def relabelings(first_size: int, second_size: int, seed: int) -> tuple[NDArray[np.uint8], bool]:
    """Return the 0/1 matrix (relabelings, repositories), 1 for the first group, and whether it holds all of them.

    At most 200,000 rows of one byte a repository; `seed` matters only where the relabelings are drawn.
    """
    size = first_size + second_size
    count = comb(size, first_size)
    if count > EXACT_LIMIT:
        base = np.zeros(size, dtype=np.uint8)
        base[:first_size] = 1
        generator = np.random.default_rng([seed, first_size, second_size])
        return generator.permuted(np.tile(base, (DRAWS, 1)), axis=1), False
    chosen = np.fromiter(chain.from_iterable(combinations(range(size), first_size)), dtype=np.intp)
    labels = np.zeros((count, size), dtype=np.uint8)
    np.put_along_axis(labels, chosen.reshape(count, first_size), 1, axis=1)
    return labels, True
