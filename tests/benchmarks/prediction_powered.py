"""How often the prediction-powered intervals cover the true share, and how wide they are beside the sample's own.

Run: python -m tests.benchmarks.prediction_powered
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reports.effects import wilson
from reports.prediction_powered import prediction_powered_share

SHARES = (0.3, 0.2, 0.15, 0.1, 0.08, 0.05, 0.05, 0.04, 0.03)
"""True shares of nine made-up categories."""

ACCURACY = 0.67
"""How often the made-up model names the true category; else it names any, as the real one did on unseen frameworks."""


@dataclass(frozen=True)
class Covered:
    """Over all categories: how often each interval held the truth, and the mean ratio of their widths."""

    estimate: float
    sample: float
    width_ratio: float


def simulate(labelled: int, issues: int, runs: int, seed: int = 1) -> Covered:
    """Draw `runs` data sets of `issues` predicted issues of which `labelled` are a random sample with labels."""
    random = np.random.default_rng(seed)
    categories = len(SHARES)
    hits = np.zeros((runs, categories, 2))
    widths = np.zeros((runs, categories, 2))
    for run in range(runs):
        truth = random.choice(categories, issues, p=SHARES)
        guess = np.where(random.random(issues) < ACCURACY, truth, random.choice(categories, issues))
        drawn = random.choice(issues, labelled, replace=False)
        for category, share in enumerate(SHARES):
            guessed, labels = (guess == category).astype(float), (truth[drawn] == category).astype(float)
            estimate = prediction_powered_share(guessed, guessed[drawn], labels)
            own = wilson(int(labels.sum()), labelled)
            assert estimate is not None
            assert own is not None
            for side, (low, high) in enumerate((estimate.ci, own)):
                hits[run, category, side] = low <= share <= high
                widths[run, category, side] = high - low
    covered, width = hits.mean(axis=(0, 1)), widths.mean(axis=0)
    return Covered(float(covered[0]), float(covered[1]), float((width[:, 0] / width[:, 1]).mean()))


def main() -> None:
    """Print the figures for several sizes."""
    print("labelled  issues  covered by the estimate  by the sample alone  width beside the sample's")  # noqa: T201
    for labelled, issues in ((30, 300), (50, 500), (100, 1000), (200, 2000), (400, 4000)):
        found = simulate(labelled, issues, runs=1000)
        print(f"{labelled:8}  {issues:6}  {found.estimate:23.3f}  {found.sample:19.3f}  {found.width_ratio:.2f}")  # noqa: T201


if __name__ == "__main__":
    main()
