"""The prediction-powered estimate of a share: a model's share over all issues, corrected by a few decisions.

The estimate is `mean(labels) + weight * (mean(all predictions) - mean(predictions of the labelled))`, the
prediction-powered mean of Angelopoulos et al. (2023, "Prediction-powered inference") with the weight that makes it
narrowest (Angelopoulos, Duchi and Zrnic 2023, "PPI++"): with useless predictions it is the sample's own share, with
perfect ones it uses every issue. It is right on average whatever the model's mistakes, as long as the labelled issues
are a random sample.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reports.effects import Interval, wilson

Values = NDArray[np.float64]

MIN_LABELLED: Final = 10
"""Fewer labelled issues give no estimate: their variances are not known well enough for an interval."""


_UNSEEN: Final = 0.4
"""Added to the summed squares of the labels' residuals, as if a part of a mistake had not been seen yet.

Without it the intervals of rare categories are too short when labels are few (simulated: a share of .03 was covered
in 88 % of samples of 50). Chosen by tests/benchmarks/prediction_powered.py as the least that covers without making the
interval wider than the sample's own.
"""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share between 0 and 1, its variance, and its 95 % interval."""

    share: float
    variance: float
    ci: Interval


def prediction_powered_share(
    predictions: Values, sample_predictions: Values, labels: Values, weights: Values | None = None
) -> Estimate | None:
    """Estimate the share of issues that have a property from predictions of all and labels of a random sample.

    `predictions`, shaped (issues,), is what the model says of every issue, the labelled ones included (0 or 1, or
    probabilities); `sample_predictions` and `labels` (0 or 1), shaped (labelled,), belong together. `weights`, of
    the same shape, are one over each issue's probability of being drawn; None where all are alike. Returns None for
    fewer than `MIN_LABELLED` labels. The interval is Wilson's at the effective number of labels, so it stays inside
    0 and 1 and is sensible for rare properties.
    """
    n, total = len(labels), len(predictions)
    if n < MIN_LABELLED or total == 0:
        return None
    relative = np.ones(n) if weights is None else weights / weights.mean()
    label_share = float(np.average(labels, weights=relative))
    sample_share = float(np.average(sample_predictions, weights=relative))
    label_rest, sample_rest = relative * (labels - label_share), relative * (sample_predictions - sample_share)
    spread = float(sample_rest @ sample_rest) / (n - 1)
    tuning = 0.0
    if spread > 0:
        tuning = float(label_rest @ sample_rest) / (n - 1) / spread / (1 + n / total)
        tuning = min(max(tuning, 0.0), 1.0)
    share = label_share + tuning * (float(predictions.mean()) - sample_share)
    rest = label_rest - tuning * sample_rest
    variance = (float(rest @ rest) + _UNSEEN) / (n - 1) / n + tuning**2 * float(predictions.var()) / total
    return Estimate(min(max(share, 0.0), 1.0), variance, _interval(share, variance, n))


def _interval(share: float, variance: float, n: int) -> Interval:
    inside = min(max(share, 0.0), 1.0)
    effective = float(n)
    if variance > 0 and 0 < inside < 1:
        effective = inside * (1 - inside) / variance
    return wilson(inside * effective, effective) or (0.0, 1.0)
