"""Sizes and their uncertainty: Wilson intervals, Cliff's delta, and bootstrap over repositories."""

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Interval = tuple[float, float]

RESAMPLES = 2_000
"""Bootstrap resamples of the repositories of each group."""

_Z = 1.959963984540054


def wilson(count: float, total: float) -> Interval | None:
    """Return the 95 % Wilson score interval of a share (Wilson 1927), or None of nothing.

    Counts need not be whole: an effective number of issues is one too.
    """
    if total == 0:
        return None
    share, spread = count / total, _Z * _Z / total
    centre = (share + spread / 2) / (1 + spread)
    half = _Z * sqrt(share * (1 - share) / total + spread / (4 * total)) / (1 + spread)
    return (0.0 if count == 0 else centre - half, 1.0 if count == total else centre + half)


def difference_interval(first: Values, second: Values, seed: int) -> Interval:
    """Return the 95 % percentile interval of the difference of means, repositories resampled in each group."""
    first_means = _resamples(len(first), seed, 0) @ first / len(first)
    second_means = _resamples(len(second), seed, 1) @ second / len(second)
    return _percentiles(first_means - second_means)


def dominance(first: Sequence[Values], second: Sequence[Values]) -> Values:
    """Return for each pair of repositories the pairs of issues in which the first is higher minus those lower.

    Each element of `first` and `second` is a repository's sorted values; the result is (first, second) shaped.
    """
    pooled = np.concatenate(first)
    starts = np.cumsum([0, *(len(values) for values in first[:-1])])
    columns = [
        np.add.reduceat(
            np.searchsorted(values, pooled, side="left") + np.searchsorted(values, pooled, side="right") - len(values),
            starts,
        )
        for values in second
    ]
    return np.column_stack(columns).astype(np.float64)


def cliffs_delta(matrix: Values, first_sizes: Values, second_sizes: Values) -> float:
    """Return Cliff's delta over all issues, -1 to 1: P(first higher) - P(first lower) (Cliff 1993).

    `matrix` is the groups' `dominance`, the sizes are the issues of each repository.
    """
    return float(matrix.sum() / (first_sizes.sum() * second_sizes.sum()))


def cliffs_delta_interval(matrix: Values, first_sizes: Values, second_sizes: Values, seed: int) -> Interval:
    """Return the 95 % percentile interval of Cliff's delta, repositories resampled in each group.

    A resample needs no issue again: it weighs the rows and columns of the dominance matrix.
    """
    first_weights, second_weights = _resamples(len(first_sizes), seed, 0), _resamples(len(second_sizes), seed, 1)
    higher = np.einsum("bj,bj->b", first_weights @ matrix, second_weights)
    return _percentiles(higher / ((first_weights @ first_sizes) * (second_weights @ second_sizes)))


@lru_cache(maxsize=64)
def _resamples(size: int, seed: int, stream: int) -> Values:
    """Return how often each of `size` repositories is in each resample: (resamples, size)."""
    generator = np.random.default_rng([seed, size, stream])
    return generator.multinomial(size, np.full(size, 1 / size), size=RESAMPLES).astype(np.float64)


def _percentiles(values: Values) -> Interval:
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)
