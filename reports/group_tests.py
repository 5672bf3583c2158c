"""The tests of single cells: analysis of variance, Mann-Whitney, Fisher, and the correction for many tests.

scipy.stats is imported where it is used: it takes longer to load than most processes that import rows live.
"""

from collections.abc import Sequence
from math import isfinite

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


def anova(*groups: Values) -> tuple[float | None, float | None]:
    """Return F and p of a one-way analysis of variance, the study's test (its section 3.3).

    (None, None) where it says nothing: an empty group, no group with a spread, or not more values than groups.
    """
    from scipy import stats

    if any(len(group) == 0 for group in groups) or all(np.ptp(group) == 0 for group in groups):
        return None, None
    result = stats.f_oneway(*groups)
    f, p = float(result.statistic), float(result.pvalue)
    return (f, p) if isfinite(f) and isfinite(p) else (None, None)


def welch(*groups: Values) -> tuple[float | None, float | None]:
    """Return F and p of Welch's analysis of variance, which lets the groups spread differently (Welch 1951).

    (None, None) where a group has fewer than two values or no spread.
    """
    from scipy import stats

    if any(len(group) < 2 or np.ptp(group) == 0 for group in groups):
        return None, None
    result = stats.f_oneway(*groups, equal_var=False)
    f, p = float(result.statistic), float(result.pvalue)
    return (f, p) if isfinite(f) and isfinite(p) else (None, None)


def mann_whitney(first: Values, second: Values) -> float | None:
    """Return the two-sided p of Mann-Whitney's U over issues; None if a group is empty or all values are equal."""
    from scipy import stats

    if len(first) == 0 or len(second) == 0 or np.ptp(np.concatenate([first, second])) == 0:
        return None
    return float(stats.mannwhitneyu(first, second).pvalue)


def fisher(first_count: int, first_total: int, second_count: int, second_total: int) -> float | None:
    """Return the two-sided p of Fisher's exact test of two shares; None without issues or without the category."""
    from scipy import stats

    if first_total == 0 or second_total == 0 or first_count + second_count == 0:
        return None
    table = np.array([[first_count, first_total - first_count], [second_count, second_total - second_count]])
    return float(stats.fisher_exact(table).pvalue)


def benjamini_hochberg(ps: Sequence[float | None]) -> list[float | None]:
    """Return q for each p of one table (Benjamini and Hochberg 1995); None and NaN stay out of the count."""
    from scipy import stats

    tested = [position for position, p in enumerate(ps) if p is not None and isfinite(p)]
    qs: list[float | None] = [None] * len(ps)
    if tested:
        adjusted = stats.false_discovery_control([ps[position] for position in tested], method="bh")
        for position, q in zip(tested, adjusted, strict=True):
            qs[position] = float(q)
    return qs
