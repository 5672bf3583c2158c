import pytest

from classifier import CATEGORIES, Prediction
from classifier.evaluate import calibration_error, evaluate


def guess(category: str, probability: float, *others: str) -> Prediction:
    top = ((category, probability), *((other, 0.1) for other in others))
    spread = {key: probability if key == category else 0.0 for key in CATEGORIES}
    return Prediction(category, probability, top, spread, 0.5, False, "why", (), "test")


def test_figures_of_a_small_table_worked_by_hand() -> None:
    predictions = [
        guess("memory-leak", 0.95, "none", "conversion"),
        guess("memory-leak", 0.55, "none", "conversion"),
        guess("none", 0.35, "conversion", "memory-leak"),
        guess("none", 0.35, "data-race", "memory-leak"),
    ]
    scores = evaluate(["memory-leak", "none", "none", "conversion"], predictions)
    assert scores.n == 4
    assert scores.accuracy == 0.5
    assert scores.top3 == 0.75
    assert scores.f1 == {"conversion": 0.0, "memory-leak": pytest.approx(2 / 3), "none": 0.5}
    assert scores.macro_f1 == pytest.approx((2 / 3 + 0.5) / 3)
    assert scores.calibration_error == pytest.approx((0.05 + 0.55 + 0.3) / 4)


def test_a_certain_and_right_predictor_is_perfectly_calibrated() -> None:
    assert calibration_error([1.0, 1.0], [True, True]) == 0
    assert calibration_error([1.0, 1.0], [True, False]) == 0.5


def test_unequal_lengths_and_no_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be compared"):
        evaluate([], [])
    with pytest.raises(ValueError, match="cannot be compared"):
        evaluate(["none"], [])
