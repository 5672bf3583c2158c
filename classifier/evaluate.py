"""How good predictions are: accuracy, macro-F1, top-3, and expected calibration error."""

from collections.abc import Sequence
from dataclasses import dataclass

from classifier.contract import Prediction

BINS = 10
"""Equal-width bins of the calibration error."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Figures over `n` rows: shares from 0 to 1; `f1` by category, for those that occur or were predicted."""

    n: int
    accuracy: float
    macro_f1: float
    top3: float
    calibration_error: float
    f1: dict[str, float]


def calibration_error(probabilities: Sequence[float], right: Sequence[bool]) -> float:
    """Give the expected calibration error: |accuracy - mean probability| over ten equal bins, weighted by rows."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for probability, hit in zip(probabilities, right, strict=True):
        bins[min(int(probability * BINS), BINS - 1)].append((probability, hit))
    gaps = (abs(sum(hit for _, hit in rows) - sum(p for p, _ in rows)) for rows in bins)
    return sum(gaps) / len(probabilities)


def evaluate(categories: Sequence[str], predictions: Sequence[Prediction]) -> Scores:
    """Compare predictions with the true categories, row by row; macro-F1 is over the categories that truly occur.

    Raises ValueError where there are no rows or the lengths differ.
    """
    if not categories or len(categories) != len(predictions):
        raise ValueError(f"{len(categories)} categories cannot be compared with {len(predictions)} predictions")
    predicted = [prediction.category for prediction in predictions]
    right = [true == guess for true, guess in zip(categories, predicted, strict=True)]
    f1 = {}
    for key in sorted({*categories, *predicted}):
        hits = sum(true == guess == key for true, guess in zip(categories, predicted, strict=True))
        f1[key] = 2 * hits / (categories.count(key) + predicted.count(key))
    occurring = set(categories)
    return Scores(
        n=len(categories),
        accuracy=sum(right) / len(right),
        macro_f1=sum(f1[key] for key in occurring) / len(occurring),
        top3=sum(
            true in {key for key, _ in prediction.top} for true, prediction in zip(categories, predictions, strict=True)
        )
        / len(categories),
        calibration_error=calibration_error([prediction.probability for prediction in predictions], right),
        f1=f1,
    )
