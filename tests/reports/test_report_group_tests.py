"""Tests of cells against certified and published values."""

from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from scipy import stats

from reports.group_tests import anova, benjamini_hochberg, fisher, mann_whitney, welch

NIST = Path(scipy.stats.__file__).parent / "tests" / "data" / "nist_anova"


def _nist(name: str) -> list[np.ndarray]:
    """Return the groups of one of NIST's certified data sets, which scipy's wheel carries."""
    path = NIST / f"{name}.dat"
    numbers = [line.split() for line in path.read_text(encoding="ascii").splitlines()[60:] if line.strip()]
    data = np.array(numbers, dtype=float)
    return [data[data[:, 0] == treatment, 1] for treatment in np.unique(data[:, 0])]


@pytest.mark.parametrize(
    ("name", "certified", "tolerance"),
    [
        ("SiRstv", 1.18046237440255, 1e-9),
        ("SmLs01", 21.0, 1e-9),
        ("SmLs04", 21.0, 1e-8),
        ("SmLs07", 21.0, 1e-4),
        ("AtmWtAg", 15.9467335677930, 1e-9),
        ("SmLs09", 2001.0, 1e-4),
    ],
)
def test_anova_gives_the_certified_f(name: str, certified: float, tolerance: float) -> None:
    f, _ = anova(*_nist(name))
    assert f == pytest.approx(certified, rel=tolerance)


def test_anova_of_two_groups_is_the_square_of_t() -> None:
    first, second = np.array([1.0, 4.0, 2.0, 8.0]), np.array([3.0, 9.0, 7.0])
    t = stats.ttest_ind(first, second)
    assert anova(first, second) == pytest.approx((t.statistic**2, t.pvalue))


def test_welch_of_two_groups_is_the_square_of_welchs_t() -> None:
    first, second = np.array([1.0, 4.0, 2.0, 8.0]), np.array([3.0, 9.0, 7.0])
    t = stats.ttest_ind(first, second, equal_var=False)
    assert welch(first, second) == pytest.approx((t.statistic**2, t.pvalue))


@pytest.mark.parametrize("groups", [([], [1.0, 2.0]), ([1.0], [2.0, 3.0]), ([2.0, 2.0], [2.0, 3.0])])
def test_welch_says_nothing_of_groups_without_a_spread(groups: tuple[list[float], ...]) -> None:
    assert welch(*map(np.array, groups)) == (None, None)


@pytest.mark.parametrize(
    "groups",
    [([], [1.0, 2.0]), ([1.0], [2.0]), ([2.0, 2.0], [2.0, 2.0]), ([1.0, 1.0], [2.0, 2.0])],
)
def test_anova_says_nothing_of_empty_single_or_constant_groups(groups: tuple[list[float], ...]) -> None:
    assert anova(*map(np.array, groups)) == (None, None)


def test_mann_whitney_gives_the_documented_p() -> None:
    # The example of scipy's documentation: U = 17, exact p = 1/9.
    assert mann_whitney(np.array([19.0, 22, 16, 29, 24]), np.array([20.0, 11, 17, 12])) == pytest.approx(1 / 9)


@pytest.mark.parametrize(("first", "second"), [([], [1.0]), ([1.0], []), ([2.0, 2.0], [2.0])])
def test_mann_whitney_says_nothing_of_empty_or_equal_values(first: list[float], second: list[float]) -> None:
    assert mann_whitney(np.array(first), np.array(second)) is None


@pytest.mark.parametrize(
    ("table", "p"),
    [((6, 8, 1, 5), 0.1025641), ((3, 4, 1, 4), 0.4857143)],
    ids=["scipy's documentation", "Fisher's tea"],
)
def test_fisher_gives_the_published_p(table: tuple[int, int, int, int], p: float) -> None:
    assert fisher(*table) == pytest.approx(p, abs=1e-7)


def test_fisher_says_nothing_without_issues() -> None:
    assert fisher(0, 0, 1, 5) is None
    assert fisher(0, 3, 0, 5) is None


def test_benjamini_hochberg_gives_the_values_of_their_paper() -> None:
    ps = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
    ps += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
    expected = [0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.063857, 0.063857, 0.0645, 0.0765, 0.486]
    qs = benjamini_hochberg(ps)
    assert qs[:10] == pytest.approx(expected, abs=1e-6)
    assert sum(q is not None and q <= 0.05 for q in qs) == 4
    assert qs[-1] == 1.0


def test_untested_rows_do_not_count_in_the_correction() -> None:
    assert benjamini_hochberg([None, 0.02, float("nan"), 0.04]) == [
        None,
        pytest.approx(0.04),
        None,
        pytest.approx(0.04),
    ]
    assert benjamini_hochberg([None]) == [None]
    assert benjamini_hochberg([]) == []
