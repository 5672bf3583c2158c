"""Effect sizes and intervals against published and measured values."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from reports.effects import cliffs_delta, cliffs_delta_interval, difference_interval, dominance, wilson


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(36, 121, 0.2233, 0.3842), (148, 362, 0.3594, 0.4602), (2, 121, 0.005, 0.058), (6, 121, 0.023, 0.104)],
)
def test_wilson_gives_the_known_bounds(count: int, total: int, low: float, high: float) -> None:
    tolerance = 5e-5 if count > 30 else 5e-4
    assert wilson(count, total) == pytest.approx((low, high), abs=tolerance)


@pytest.mark.parametrize(("count", "total"), [(0, 1), (0, 20), (7, 7), (1, 3), (50, 100)])
def test_wilson_is_that_of_scipy(count: int, total: int) -> None:
    oracle = stats.binomtest(count, total).proportion_ci(method="wilson")
    assert wilson(count, total) == pytest.approx((oracle.low, oracle.high), abs=1e-12)


def test_wilson_of_nothing_is_nothing() -> None:
    assert wilson(0, 0) is None


def _sizes(pieces: list[np.ndarray]) -> np.ndarray:
    return np.array([len(piece) for piece in pieces], dtype=float)


def test_cliffs_delta_of_the_known_example_in_any_cut_into_repositories() -> None:
    # R's effsize example: -0.25.
    first = [np.array([10.0, 10, 20, 20, 20]), np.array([30.0, 30, 30, 40, 50])]
    second = [np.array([10.0, 20, 30]), np.array([40.0]), np.array([40.0, 50])]
    assert cliffs_delta(dominance(first, second), _sizes(first), _sizes(second)) == pytest.approx(-0.25)


def test_dominance_counts_pairs_of_each_pair_of_repositories() -> None:
    generator = np.random.default_rng(2)
    first = [np.sort(generator.integers(0, 6, size).astype(float)) for size in (3, 1, 7)]
    second = [np.sort(generator.integers(0, 6, size).astype(float)) for size in (4, 2)]
    by_hand = [[sum(np.sign(x - y) for x, y in product(a, b)) for b in second] for a in first]
    assert dominance(first, second).tolist() == by_hand


def test_delta_interval_is_the_bootstrap_of_whole_repositories() -> None:
    generator = np.random.default_rng(4)
    first = [np.sort(generator.normal(0.3, 1, size)) for size in (8, 5, 9, 4, 6)]
    second = [np.sort(generator.normal(0, 1, size)) for size in (6, 7, 5, 8)]
    low, high = cliffs_delta_interval(dominance(first, second), _sizes(first), _sizes(second), seed=1)
    draws = []
    for _ in range(1_500):
        one = [first[i] for i in generator.integers(0, 5, 5)]
        other = [second[i] for i in generator.integers(0, 4, 4)]
        draws.append(cliffs_delta(dominance(one, other), _sizes(one), _sizes(other)))
    assert (low, high) == pytest.approx(tuple(np.quantile(draws, [0.025, 0.975])), abs=0.05)
    assert cliffs_delta_interval(dominance(first, second), _sizes(first), _sizes(second), seed=1) == (low, high)


def test_difference_interval_is_the_bootstrap_of_scipy() -> None:
    generator = np.random.default_rng(6)
    first, second = generator.normal(1, 1, 10), generator.normal(0, 1, 8)
    low, high = difference_interval(first, second, seed=1)
    oracle = stats.bootstrap(
        (first, second), lambda x, y, axis: x.mean(axis=axis) - y.mean(axis=axis), method="percentile", rng=generator
    ).confidence_interval
    assert (low, high) == pytest.approx((oracle.low, oracle.high), abs=0.1)
    assert low < first.mean() - second.mean() < high


def test_equal_repositories_have_an_interval_of_no_width() -> None:
    assert difference_interval(np.full(5, 0.25), np.full(5, 0.25), seed=1) == (0.0, 0.0)
