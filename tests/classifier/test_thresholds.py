import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from classifier.decide import THRESHOLD
from classifier.splits import grouped_folds
from classifier.temperature import best_temperature, log_loss
from classifier.thresholds import GRID, best_threshold, proposals, share_of_none, utility


def row(leak: float, true: str) -> tuple[dict[str, float], str]:
    return {"memory-leak": leak, "none": 1 - leak}, true


def split(rows: list[tuple[dict[str, float], str]]) -> tuple[list[dict[str, float]], list[str]]:
    return [given for given, _ in rows], [true for _, true in rows]


def test_utility_by_hand() -> None:
    given, true = split([row(0.9, "memory-leak"), row(0.7, "none"), row(0.1, "none"), row(0.6, "memory-leak")])
    found = utility(proposals(given, true, none_share=0.5, prior=0.5))
    assert found[0.65] == pytest.approx(0.25 * 1 - 0.25 * 1.75)
    assert found[0.8] == pytest.approx(0.25)
    assert found[0.95] == 0


def test_the_threshold_rises_over_wrong_proposals_and_never_falls_below_theory() -> None:
    given, true = split([row(0.95, "memory-leak")] * 40 + [row(0.75, "none")] * 40)
    assert 0.75 < best_threshold(given, true, 0.5, 0.5) <= 0.95
    given, true = split([row(0.55, "memory-leak")] * 10 + [row(0.1, "none")] * 10)
    assert best_threshold(given, true, 0.5, 0.5) == THRESHOLD
    assert GRID[0] < THRESHOLD < GRID[-1]


def test_one_row_does_not_move_the_threshold_but_many_do() -> None:
    good = [row(0.7, "memory-leak"), *[row(0.95, "memory-leak")] * 30, *[row(0.1, "none")] * 30]
    for number, chosen in ((1, THRESHOLD), (10, 0.71)):
        rows = good + [row(0.7, "none")] * number
        best = max(level := utility(proposals(*split(rows), 0.5, 0.5)), key=lambda at: level[at])
        assert best == 0.71
        assert best_threshold(*split(rows), 0.5, 0.5) == chosen


def test_the_share_of_none_is_where_probabilities_are_right_on_average() -> None:
    given, true = split([row(0.1, "none"), row(0.3, "none"), row(0.9, "memory-leak"), row(0.7, "memory-leak")])
    share = share_of_none(given, true)
    assert share * 0.8 + (1 - share) * 0.2 == pytest.approx(share)
    with pytest.raises(ValueError, match="only in rows of none and of causes"):
        share_of_none(*split([row(0.1, "none")]))


def test_folds_keep_groups_whole_and_even() -> None:
    groups = ["a"] * 5 + ["b"] * 4 + ["c"] * 3 + ["d"] * 2
    folds = grouped_folds(groups, 2)
    assert folds == [0] * 5 + [1] * 4 + [1] * 3 + [0] * 2
    assert grouped_folds(["x", "x"], 4) == [0, 0]


def test_the_temperature_has_the_least_log_loss() -> None:
    random = np.random.default_rng(7)
    labels = random.integers(0, 3, 200)
    margins = random.normal(size=(200, 3)) + 2 * np.eye(3)[labels]
    margins *= 5
    oracle = minimize_scalar(lambda at: log_loss(margins, labels, at), bounds=(0.02, 20), method="bounded")
    assert best_temperature(margins, labels) == pytest.approx(oracle.x, rel=1e-3)
    assert best_temperature(margins[:0], labels[:0]) == 1.0
