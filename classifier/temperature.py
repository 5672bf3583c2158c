"""Temperature scaling: one number that turns margins into probabilities (Guo et al. 2017, section 4.2)."""

import numpy as np
from numpy.typing import NDArray

LEAST, MOST = 0.02, 20.0
_STEPS = 60
_GOLDEN = (5**0.5 - 1) / 2


def log_loss(margins: NDArray[np.float64], labels: NDArray[np.int64], temperature: float) -> float:
    """Mean negative log probability of the true labels; `margins` (rows, labels), `labels` the column numbers."""
    scaled = margins / temperature
    scaled = scaled - scaled.max(axis=1, keepdims=True)
    chosen = scaled[np.arange(len(labels)), labels]
    return float(np.mean(np.log(np.exp(scaled).sum(axis=1)) - chosen))


def best_temperature(margins: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """Give the temperature of least log loss by golden section on its logarithm, within 0.02 and 20.

    The loss is convex in the inverse temperature, so that it has one lowest point. Without rows it is 1.
    """
    if not len(labels):
        return 1.0
    low, high = float(np.log(LEAST)), float(np.log(MOST))
    for _ in range(_STEPS):
        width = _GOLDEN * (high - low)
        left, right = high - width, low + width
        if log_loss(margins, labels, float(np.exp(left))) <= log_loss(margins, labels, float(np.exp(right))):
            high = right
        else:
            low = left
    return float(np.exp((low + high) / 2))
