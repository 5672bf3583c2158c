"""Multinomial logistic regression with a squared penalty, fitted in as many unknowns as there are rows."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_STEPS = 100
_MOST_ROUNDS = 500
_LEAST_STEP = 1e-6
_SUFFICIENT = 1e-4
"""Share of the promised fall that a step must bring (Nocedal and Wright 2006, section 3.1)."""
_ROUNDING = 1e-12
"""Share of the value by which its own rounding may hide a fall."""
Doubles = NDArray[np.float64]
Singles = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Combination:
    """The optimum: each label's weights are a combination of the rows, (rows, labels), beside intercepts (labels)."""

    rows: Doubles
    intercepts: Doubles


def fit_combination(
    products: Doubles, numbers: NDArray[np.int64], weights: Doubles, inverse_penalty: float, tolerance: float
) -> Combination:
    """Minimise C * sum of weight * log loss + half the squared length of the weights, as scikit-learn does.

    `products` (rows, rows) are those of the rows with each other, `numbers` their labels from 0 on; intercepts are not
    penalised. The weights of the optimum are a combination of the rows (representer theorem), so that Newton's method
    runs in its factors, with lengths measured by `products`. It ends where the gradient's length is `tolerance` times
    the weights' sum times C.
    """
    loss = _Loss(products, numbers, weights * inverse_penalty)
    single = products.astype(np.float32)
    at = loss.start()
    for _ in range(MOST_STEPS):
        rows, intercepts = loss.gradient(at)
        across = products @ rows
        length = float(np.sqrt(np.vdot(rows, across) + intercepts @ intercepts)) / loss.scale
        if length <= tolerance:
            break
        step = _direction(single, loss.scales, at.chances, (rows, intercepts), min(0.25, length**0.5))
        slope = float(np.vdot(across, step[0]) + intercepts @ step[1])
        at = loss.moved(at, *step, slope)
    return Combination(at.rows, at.intercepts - at.intercepts.mean())


@dataclass(frozen=True, slots=True)
class _Point:
    """A place on the way: factors, their images under the products, intercepts, value and probabilities."""

    rows: Doubles
    across: Doubles
    intercepts: Doubles
    value: float
    chances: Doubles


class _Loss:
    """The function that is minimised, in the factors of the rows and the intercepts."""

    def __init__(self, products: Doubles, numbers: NDArray[np.int64], scales: Doubles) -> None:
        self._products = products
        self._numbers = numbers
        self.scales = scales[:, None]
        self.scale = float(scales.sum())
        self._true = np.zeros((len(numbers), int(numbers.max()) + 1))
        self._true[np.arange(len(numbers)), numbers] = 1.0

    def start(self) -> _Point:
        rows = np.zeros_like(self._true)
        return self._point(rows, rows, np.zeros(rows.shape[1]))

    def gradient(self, at: _Point) -> tuple[Doubles, Doubles]:
        """Give the gradient by the rows, less the factor of the products, and by the intercepts."""
        missed = self.scales * (at.chances - self._true)
        return missed + at.rows, missed.sum(axis=0)

    def moved(self, at: _Point, rows: Doubles, intercepts: Doubles, slope: float) -> _Point:
        """Go along a direction, half as far until the fall is what its slope promises, but not for ever."""
        across = self._products @ rows
        size = 1.0
        while True:
            there = self._point(at.rows + size * rows, at.across + size * across, at.intercepts + size * intercepts)
            allowed = at.value + _SUFFICIENT * size * slope + _ROUNDING * abs(at.value)
            if there.value <= allowed or size < _LEAST_STEP:
                return there
            size /= 2

    def _point(self, rows: Doubles, across: Doubles, intercepts: Doubles) -> _Point:
        margins = across + intercepts
        margins -= margins.max(axis=1, keepdims=True)
        powers = np.exp(margins)
        sums = powers.sum(axis=1, keepdims=True)
        lost = np.log(sums[:, 0]) - margins[np.arange(len(margins)), self._numbers]
        value = float(self.scales[:, 0] @ lost + np.vdot(rows, across) / 2)
        return _Point(rows, across, intercepts, value, powers / sums)


def _direction(
    products: Singles, scales: Doubles, chances: Doubles, gradient: tuple[Doubles, Doubles], share: float
) -> tuple[Doubles, Doubles]:
    """Solve Newton's equation by conjugate gradients until the residual is `share` of the gradient.

    Single precision is enough for a direction, and takes half the time: the point reached is judged in double. Both
    the unknowns and their images under `products` are kept, so that each round needs one multiplication.
    """
    weights, given = scales.astype(np.float32), chances.astype(np.float32)
    left, free = -gradient[0].astype(np.float32), -gradient[1].astype(np.float32)
    image = products @ left
    step, step_free = np.zeros_like(left), np.zeros_like(free)
    way, way_image, way_free = left, image, free
    size = float(np.vdot(left, image) + free @ free)
    enough = size * share**2
    for _ in range(_MOST_ROUNDS):
        moved = given * (way_image + way_free)
        moved = weights * (moved - given * moved.sum(axis=1, keepdims=True))
        bend, bend_free = way + moved, moved.sum(axis=0)
        far = size / float(np.vdot(way_image, bend) + way_free @ bend_free)
        step, step_free = step + far * way, step_free + far * way_free
        left, free = left - far * bend, free - far * bend_free
        image = products @ left
        before, size = size, float(np.vdot(left, image) + free @ free)
        if size <= enough:
            break
        kept = size / before
        way, way_image, way_free = left + kept * way, image + kept * way_image, free + kept * way_free
    return step.astype(np.float64), step_free.astype(np.float64)
