"""The permutation test against scipy's, which is slower but independent."""

from math import comb

import numpy as np
import pytest
from scipy import stats

from reports.relabel import DRAWS, permutation_p, relabelings

ALL = 10**9
"""More resamples than there are relabelings: scipy then uses each one."""


def _difference(first: np.ndarray, second: np.ndarray, axis: int) -> np.ndarray:
    return np.asarray(first.mean(axis=axis) - second.mean(axis=axis))


@pytest.mark.parametrize("sizes", [(4, 4), (5, 4), (4, 6), (6, 6), (2, 5)])
@pytest.mark.parametrize("kind", ["continuous", "ties"])
def test_exact_p_is_that_of_scipy(sizes: tuple[int, int], kind: str) -> None:
    generator = np.random.default_rng(3)
    for _ in range(5):
        values = generator.normal(size=sum(sizes)) if kind == "continuous" else generator.integers(0, 4, sum(sizes)) / 7
        first, second = values[: sizes[0]].astype(float), values[sizes[0] :].astype(float)
        oracle = stats.permutation_test((first, second), _difference, vectorized=True, n_resamples=ALL)
        assert permutation_p([(first, second)], seed=1) == [pytest.approx(oracle.pvalue, abs=1e-12)]


def test_equal_values_give_one_and_the_extreme_labelling_twice_its_share() -> None:
    same = np.full(4, 0.1)
    apart = np.arange(4.0), np.arange(4.0) + 10
    assert permutation_p([(same, same), apart], seed=1) == [1.0, pytest.approx(2 / comb(8, 4))]


def test_sums_that_differ_only_in_their_last_bits_are_ties() -> None:
    first, second = np.array([0.1, 0.2, 0.3, 0.6]), np.array([0.3, 0.3, 0.3, 0.3])
    # 0.1 + 0.2 + 0.3 + 0.6 and 4 x 0.3 are equal but for rounding, so every relabeling is at least as extreme one way.
    assert permutation_p([(first, second)], seed=1) == [1.0]


def test_ten_against_ten_is_exact() -> None:
    labels, exact = relabelings(10, 10, seed=1)
    assert exact
    assert labels.shape == (184_756, 20)
    assert labels.dtype == np.uint8
    assert set(labels.sum(axis=1).tolist()) == {10}
    assert len(np.unique(np.packbits(labels, axis=1), axis=0)) == 184_756


def test_larger_groups_draw_relabelings_with_the_seed() -> None:
    first, second = np.linspace(0, 1, 12), np.linspace(0.4, 1.4, 12)
    labels, exact = relabelings(12, 12, seed=5)
    assert not exact
    assert labels.shape == (DRAWS, 24)
    [p] = permutation_p([(first, second)], seed=5)
    assert permutation_p([(first, second)], seed=5) == [p]
    oracle = stats.permutation_test((first, second), _difference, vectorized=True, n_resamples=9_999, rng=1)
    assert p == pytest.approx(oracle.pvalue, abs=0.01)
    assert p * (DRAWS + 1) / 2 == pytest.approx(round(p * (DRAWS + 1) / 2))
    far = permutation_p([(first, second + 10)], seed=5)
    assert far == [pytest.approx(2 / (DRAWS + 1))]


def test_cells_of_different_sizes_keep_their_places() -> None:
    generator = np.random.default_rng(9)
    cells = [(generator.normal(size=a), generator.normal(size=b)) for a, b in [(4, 5), (5, 5), (4, 5), (6, 4)]]
    together = permutation_p(cells, seed=1)
    assert together == [permutation_p([cell], seed=1)[0] for cell in cells]
    assert permutation_p([], seed=1) == []


def test_p_is_uniform_when_labels_mean_nothing() -> None:
    generator = np.random.default_rng(11)
    values = generator.normal(size=(400, 12))
    ps = np.array(permutation_p([(row[:6], row[6:]) for row in values], seed=1))
    assert 0.02 <= np.mean(ps < 0.05) <= 0.07
    assert stats.kstest(ps, "uniform").pvalue > 0.01
