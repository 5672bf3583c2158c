"""From which probability a proposal is worth more than silence, as other repositories have shown."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from classifier.decide import GAIN_RIGHT, LOSS_WRONG, THRESHOLD, with_prior
from classifier.taxonomy import NONE

GRID = tuple(round(0.50 + 0.01 * step, 2) for step in range(46))
"""Thresholds that are tried: 0.50 to 0.95."""


@dataclass(frozen=True, slots=True)
class Utility:
    """Utility of a threshold and its standard error; the unit is one proposal per issue."""

    mean: float
    error: float


def utility(
    probabilities: Sequence[Mapping[str, float]], categories: Sequence[str], none_share: float, prior: float
) -> dict[float, Utility]:
    """Give the utility of each threshold of `GRID` at a share of system-related issues of `prior`.

    Rows were found by searching for causes, so those of none count as many as they would at that share. A right
    proposal counts 1, silence 0 and a wrong proposal -1.75.
    """
    none_rows = sum(category == NONE for category in categories)
    weight = {True: (1 - prior) / max(none_rows, 1), False: prior / max(len(categories) - none_rows, 1)}
    gained = dict.fromkeys(GRID, 0.0)
    squares = dict.fromkeys(GRID, 0.0)
    for given, category in zip(probabilities, categories, strict=True):
        moved = with_prior(given, none_share, prior)
        guess = max(given, key=lambda key: given[key])
        if guess == NONE:
            continue
        worth = (GAIN_RIGHT if guess == category else -LOSS_WRONG) * weight[category == NONE]
        for threshold in GRID:
            if moved[guess] >= threshold:
                gained[threshold] += worth
                squares[threshold] += worth**2
    return {threshold: Utility(gained[threshold], math.sqrt(squares[threshold])) for threshold in GRID}


def best_threshold(
    probabilities: Sequence[Mapping[str, float]], categories: Sequence[str], none_share: float, prior: float
) -> float:
    """Give the lowest threshold whose utility is within one standard error of the highest, never below theory.

    One standard error, since a few rows of none weigh so much at a low prior that the highest alone is chance. With
    true probabilities a proposal pays from 1.75 / 2.75 on; rows of the training set must not talk it lower.
    """
    measured = utility(probabilities, categories, none_share, prior)
    best = max(measured.values(), key=lambda one: one.mean)
    good = min(threshold for threshold, one in measured.items() if one.mean >= best.mean - best.error)
    return max(THRESHOLD, good)


def share_of_none(probabilities: Sequence[Mapping[str, float]], categories: Sequence[str]) -> float:
    """Give the share of none at which a model's probabilities of none are right on average.

    With a the mean probability of none among rows of none and b among the others, rows with a share s of none get s * a
    + (1 - s) * b on average, which is s at s = b / (1 - a + b). That is the prior such a model works with, whatever
    weights it was fitted with. Kept within 0.01 and 0.99; raises ValueError without rows of none, or of anything else.
    """
    none = [given[NONE] for given, true in zip(probabilities, categories, strict=True) if true == NONE]
    other = [given[NONE] for given, true in zip(probabilities, categories, strict=True) if true != NONE]
    if not none or not other:
        raise ValueError("the prior of none is seen only in rows of none and of causes")
    right, wrong = sum(none) / len(none), sum(other) / len(other)
    return min(max(wrong / (1 - right + wrong), 0.01), 0.99) if right < 1 or wrong > 0 else 0.5
