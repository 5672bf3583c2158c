"""One axis fitted: vectors and labels in, a linear model out. The only module that needs scikit-learn."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped] # it has no stubs

from classifier.parameters import Head
from classifier.regression import fit_combination
from classifier.splits import grouped_folds
from classifier.temperature import best_temperature
from classifier.vectors import Vector

INVERSE_PENALTY = 5.0
"""C of the logistic regression, with weights of mean 1; 1 to 12 were tried and differ by less than .01."""
MACHINE_INVERSE_PENALTY = 0.2
"""C of the support vector machine."""
EXACT = 1e-9
"""Relative gradient at which a fit ends: coefficients are then within 1e-6 of the optimum on any machine."""
ROUGH = 1e-4
"""The same for fits that are only measured: probabilities are within 0.001 of the optimum's."""
MANY = 5_000
"""Labels from which a linear support vector machine takes the place of logistic regression (`classifier.md`)."""
FOLDS = 4
"""Grouped folds; the first is the hold-out of the temperature."""
Products = NDArray[np.float64]


class TrainingError(ValueError):
    """There is too little to learn from; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """Vectors with what is known of each: all of one length. Weights are above 0."""

    vectors: Sequence[Vector]
    labels: Sequence[str]
    weights: Sequence[float]
    groups: Sequence[str]

    def only(self, chosen: Sequence[int]) -> "Labelled":
        """Give the rows of these numbers."""
        return Labelled(
            [self.vectors[at] for at in chosen],
            [self.labels[at] for at in chosen],
            [self.weights[at] for at in chosen],
            [self.groups[at] for at in chosen],
        )


def fit_head(
    rows: Labelled,
    size: int,
    order: Sequence[str],
    tolerance: float = EXACT,
    most_for_regression: int = MANY,
    products: Products | None = None,
) -> Head:
    """Fit one axis over `size` columns; its labels come in `order`, without those that no row has.

    Labels are balanced: each has the same total weight, which is the prior of the probabilities. `products` are those
    of the rows with each other (`row_products`), where they are known already. Raises TrainingError where the rows
    have fewer than two labels.
    """
    examples = Counter(rows.labels)
    present = tuple(label for label in order if examples[label])
    if len(present) < 2:
        raise TrainingError("a model is learned from at least two categories, the rows have fewer")
    numbers = np.array([present.index(label) for label in rows.labels])
    weights = np.array(rows.weights, dtype=np.float64)
    weights /= np.bincount(numbers, weights=weights)[numbers]
    weights /= weights.mean()
    table = matrix(rows.vectors, size)
    with threadpool_limits(limits=1):  # sums in another order end in other bits
        if len(numbers) < most_for_regression:
            known = row_products(table) if products is None else products
            coefficients, intercepts = _regression(table, known, numbers, weights, tolerance)
        else:
            coefficients, intercepts = _machine(table, numbers, weights, rows.groups)
    return Head(
        labels=present,
        coefficients=coefficients.astype(np.float32),
        intercepts=intercepts.astype(np.float32),
        examples={label: examples[label] for label in present},
        shares=dict.fromkeys(present, 1 / len(present)),
    )


def matrix(vectors: Sequence[Vector], size: int) -> csr_matrix:
    """Put vectors under each other: (rows, size), in double precision."""
    ends = np.cumsum([0, *(len(vector.columns) for vector in vectors)])
    columns = np.concatenate([vector.columns for vector in vectors])
    values = np.concatenate([vector.values for vector in vectors]).astype(np.float64)
    return csr_matrix((values, columns, ends), shape=(len(vectors), size))


def row_products(table: csr_matrix) -> Products:
    """Give the product of each row of a table with each other: (rows, rows)."""
    products: Products = (table @ table.T).toarray()
    return products


def _regression(
    table: csr_matrix,
    products: Products,
    numbers: NDArray[np.int64],
    weights: NDArray[np.float64],
    tolerance: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Fit in as many unknowns as there are rows, and give the weights of the table's many columns."""
    found = fit_combination(products, numbers, weights, INVERSE_PENALTY, tolerance)
    return (table.T @ found.rows).T, found.intercepts


def _machine(
    table: csr_matrix, numbers: NDArray[np.int64], weights: NDArray[np.float64], groups: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Fit a support vector machine on all rows; its temperature comes from a fit without one fold of the groups."""
    held = np.array([fold == 0 for fold in grouped_folds(groups, FOLDS)])
    temperature = 1.0
    if len(np.unique(numbers[~held])) == len(np.unique(numbers)):
        part = _margins(table[~held], numbers[~held], weights[~held])
        margins = table[held] @ part[0].T + part[1]
        temperature = best_temperature(margins, numbers[held])
    coefficients, intercepts = _margins(table, numbers, weights)
    return coefficients / temperature, intercepts / temperature


def _margins(
    table: csr_matrix, numbers: NDArray[np.int64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    machine = LinearSVC(C=MACHINE_INVERSE_PENALTY, random_state=0)
    machine.fit(table, numbers, sample_weight=weights)
    return _all_rows(machine.coef_, machine.intercept_)


def _all_rows(
    coefficients: NDArray[np.float64], intercepts: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give a row for each label; for two labels scikit-learn keeps only that of the second."""
    if len(coefficients) > 1:
        return coefficients, intercepts
    return np.vstack([np.zeros_like(coefficients), coefficients]), np.array([0.0, intercepts[0]])
