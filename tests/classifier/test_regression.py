"""The regression in as many unknowns as there are rows, beside scikit-learn's in as many as there are columns."""

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from classifier.regression import fit_combination


def drawn(rows: int, columns: int, labels: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    random = np.random.default_rng(seed)
    table = random.normal(size=(rows, columns)) * (random.random((rows, columns)) < 0.2)
    return table, np.arange(rows) % labels


@pytest.mark.parametrize(
    ("rows", "columns", "labels", "weights"),
    [
        (60, 300, 5, "even"),
        (200, 20, 3, "even"),
        (60, 300, 16, "uneven"),
        (40, 6, 3, "twins"),
    ],
)
def test_it_finds_what_scikit_learn_finds(rows: int, columns: int, labels: int, weights: str) -> None:
    table, numbers = drawn(rows, columns, labels, seed=rows)
    counts = np.ones(rows)
    if weights == "uneven":
        counts = 10.0 ** np.random.default_rng(1).uniform(-2, 2, rows)
    if weights == "twins":  # texts that are the same, with other labels, and texts without a known word
        table[20:] = table[:20]
        table[:5] = 0.0
        table[20:25] = 0.0
    reference = LogisticRegression(C=5.0, solver="newton-cg", tol=1e-9, max_iter=1_000)
    reference.fit(table, numbers, sample_weight=counts)
    found = fit_combination(table @ table.T, numbers, counts, 5.0, 1e-9)
    np.testing.assert_allclose((table.T @ found.rows).T, reference.coef_, rtol=0, atol=2e-5)
    apart = reference.intercept_ - reference.intercept_.mean()
    np.testing.assert_allclose(found.intercepts, apart, rtol=0, atol=2e-5)


def test_rows_without_a_known_word_leave_the_shares_of_the_labels() -> None:
    found = fit_combination(np.zeros((4, 4)), np.array([0, 0, 0, 1]), np.ones(4), 5.0, 1e-9)
    assert np.exp(found.intercepts[0] - found.intercepts[1]) == pytest.approx(3.0, rel=1e-6)
