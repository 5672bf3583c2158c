"""The prediction-powered estimate: by hand, at its two extremes, and covering as often as it says."""

from __future__ import annotations

import numpy as np
import pytest

from reports.effects import wilson
from reports.prediction_powered import MIN_LABELLED, prediction_powered_share
from tests.benchmarks.prediction_powered import simulate

LABELS = np.array([1.0, 1, 1, 0, 0, 0, 0, 0, 0, 0])


def test_useless_predictions_leave_the_samples_own_share() -> None:
    estimate = prediction_powered_share(np.ones(100), np.ones(10), LABELS)
    assert estimate is not None
    assert estimate.share == pytest.approx(0.3)
    own = wilson(3, 10)
    assert own is not None
    assert estimate.ci[1] - estimate.ci[0] == pytest.approx(own[1] - own[0], rel=0.15)


def test_perfect_predictions_use_every_issue() -> None:
    everywhere = np.concatenate([LABELS, np.ones(20), np.zeros(70)])
    estimate = prediction_powered_share(everywhere, LABELS, LABELS)
    assert estimate is not None
    # By hand: the weight is 1 / (1 + 10 / 100), the model says 23 of 100, the sample 3 of 10.
    assert estimate.share == pytest.approx(0.3 + (0.23 - 0.3) / 1.1)


def test_a_models_mistake_is_taken_out() -> None:
    random = np.random.default_rng(3)
    truth = (random.random(5000) < 0.1).astype(float)
    boasting = np.maximum(truth, (random.random(5000) < 0.3).astype(float))
    drawn = random.choice(5000, 500, replace=False)
    estimate = prediction_powered_share(boasting, boasting[drawn], truth[drawn])
    assert estimate is not None
    assert boasting.mean() > 0.3
    assert estimate.ci[0] < truth.mean() < estimate.ci[1]


def test_a_label_that_stands_for_more_issues_weighs_more() -> None:
    weights = np.where(LABELS == 1, 3.0, 1.0)
    estimate = prediction_powered_share(np.zeros(100), np.zeros(10), LABELS, weights)
    assert estimate is not None
    assert estimate.share == pytest.approx(9 / 16)


def test_few_labels_give_no_estimate() -> None:
    few = LABELS[: MIN_LABELLED - 1]
    assert prediction_powered_share(np.ones(100), np.ones(len(few)), few) is None
    assert prediction_powered_share(np.array([]), np.ones(10), LABELS) is None


@pytest.mark.parametrize("label", [0.0, 1.0])
def test_labels_of_one_kind_give_an_interval_inside_0_and_1(label: float) -> None:
    estimate = prediction_powered_share(np.full(50, label), np.full(10, label), np.full(10, label))
    assert estimate is not None
    low, high = estimate.ci
    assert 0 <= low <= label <= high <= 1
    assert low < high


def test_intervals_cover_as_often_as_they_say_and_are_narrower_than_the_samples_own() -> None:
    found = simulate(labelled=100, issues=1000, runs=150)
    assert 0.93 <= found.estimate <= 0.97
    assert found.width_ratio < 0.9
