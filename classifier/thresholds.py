"""From which probability a proposal is worth more than silence, as other repositories have shown."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from classifier.decide import GAIN_RIGHT, LOSS_WRONG, THRESHOLD, with_prior
from classifier.taxonomy import NONE

GRID = tuple(round(0.50 + 0.01 * step, 2) for step in range(46))
"""Thresholds that are tried: 0.50 to 0.95."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What could be proposed: its probability, and what it is worth; the unit of worth is one proposal per issue."""

    probability: float
    worth: float


def proposals(
    probabilities: Sequence[Mapping[str, float]], categories: Sequence[str], none_share: float, prior: float
) -> list[Proposal]:
    """Give what could be proposed at a share of system-related issues of `prior`, and its worth.

    Rows were found by searching for causes, so those of none count as many as they would at that share. A right
    proposal counts 1, silence 0 and a wrong proposal -1.75.
    """
    none_rows = sum(category == NONE for category in categories)
    weight = {True: (1 - prior) / max(none_rows, 1), False: prior / max(len(categories) - none_rows, 1)}
    found = []
    for given, category in zip(probabilities, categories, strict=True):
        guess = max(given, key=lambda key: given[key])
        if guess != NONE:
            worth = (GAIN_RIGHT if guess == category else -LOSS_WRONG) * weight[category == NONE]
            found.append(Proposal(with_prior(given, none_share, prior)[guess], worth))
    return found


def utility(possible: Sequence[Proposal]) -> dict[float, float]:
    """Give the utility of each threshold of `GRID`: the worth of all that it lets through."""
    return {level: math.fsum(one.worth for one in possible if one.probability >= level) for level in GRID}


def best_threshold(
    probabilities: Sequence[Mapping[str, float]], categories: Sequence[str], none_share: float, prior: float
) -> float:
    """Give the lowest threshold that is no worse than the best one beyond chance, never below theory.

    Beyond chance: what lies between the two loses more than one standard error of its own sum. A row of none weighs so
    much at a low prior that a single one would move the best threshold by a tenth. With true probabilities a proposal
    pays from 1.75 / 2.75 on; rows of the training set must not talk it lower.
    """
    possible = proposals(probabilities, categories, none_share, prior)
    measured = utility(possible)
    best = max(GRID, key=lambda level: measured[level])
    for level in GRID:
        between = [one.worth for one in possible if level <= one.probability < best]
        if math.fsum(between) >= -math.sqrt(math.fsum(worth**2 for worth in between)):
            return max(THRESHOLD, level)
    return max(THRESHOLD, best)


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
