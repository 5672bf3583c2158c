"""What a model said of labelled issues, and the plain figures over it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from classifier.taxonomy import CATEGORIES

RESAMPLES = 2_000
SEED = 20_240_801
LEAST_GROUPS = 5
BINS = 10
"""Equal-width bins of the calibration error."""
PRECISIONS = (0.80, 0.85, 0.90)
Figure = dict[str, object]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One issue: its true category, and those that a model gave it, the likeliest first.

    `confidence` is the probability of the likeliest, `group` the issue's repository.
    """

    true: str
    ranked: tuple[str, ...]
    confidence: float
    group: str
    proposed: bool = False

    @property
    def guess(self) -> str:
        """The likeliest category."""
        return self.ranked[0]


def outcome(true: str, probabilities: Mapping[str, float], group: str, *, proposed: bool = False) -> Outcome:
    """Make an outcome of a model's probabilities; equals go in the codebook's order."""
    ranked = tuple(sorted(CATEGORIES, key=lambda key: -probabilities.get(key, 0.0)))
    return Outcome(true, ranked, probabilities[ranked[0]], group, proposed)


def accuracy(outcomes: Sequence[Outcome]) -> float:
    """Share of issues whose likeliest category is the true one."""
    return sum(one.guess == one.true for one in outcomes) / len(outcomes)


def top3(outcomes: Sequence[Outcome]) -> float:
    """Share of issues whose true category is among the three likeliest."""
    return sum(one.true in one.ranked[:3] for one in outcomes) / len(outcomes)


def per_class(outcomes: Sequence[Outcome]) -> list[Figure]:
    """Give number, precision, recall and F1 of each category that occurs or was guessed; None where undefined."""
    true, guessed = Counter(one.true for one in outcomes), Counter(one.guess for one in outcomes)
    hits = Counter(one.true for one in outcomes if one.guess == one.true)
    return [
        {
            "category": key,
            "n": true[key],
            "guessed": guessed[key],
            "precision": hits[key] / guessed[key] if guessed[key] else None,
            "recall": hits[key] / true[key] if true[key] else None,
            "f1": 2 * hits[key] / (true[key] + guessed[key]),
        }
        for key in CATEGORIES
        if true[key] or guessed[key]
    ]


def macro_f1(outcomes: Sequence[Outcome]) -> float:
    """Mean F1 of the categories that truly occur."""
    occurring = {one.true for one in outcomes}
    values = [float(str(row["f1"])) for row in per_class(outcomes) if row["category"] in occurring]
    return sum(values) / len(values)


def calibration_error(outcomes: Sequence[Outcome]) -> float:
    """Give the expected calibration error: |accuracy - mean probability| over ten equal bins, weighted by issues."""
    bins: list[list[Outcome]] = [[] for _ in range(BINS)]
    for one in outcomes:
        bins[min(int(one.confidence * BINS), BINS - 1)].append(one)
    gaps = (abs(sum(one.guess == one.true for one in rows) - sum(one.confidence for one in rows)) for rows in bins)
    return sum(gaps) / len(outcomes)


def confusions(outcomes: Sequence[Outcome], most: int = 10) -> list[Figure]:
    """Give the commonest pairs (true, guessed) that differ, most first."""
    pairs = Counter((one.true, one.guess) for one in outcomes if one.guess != one.true)
    ranked = sorted(pairs.items(), key=lambda entry: (-entry[1], entry[0]))
    return [{"true": true, "guessed": guessed, "n": number} for (true, guessed), number in ranked[:most]]


def risk_coverage(outcomes: Sequence[Outcome]) -> list[Figure]:
    """Give, for each precision wanted, the lowest threshold that reaches it here and the share of issues above it.

    Issues are taken by falling confidence; the last point at which the precision so far is still enough counts.
    Coverage is 0 and the threshold None where no point is.
    """
    ranked = sorted(outcomes, key=lambda one: -one.confidence)
    rows: list[Figure] = []
    for wanted in PRECISIONS:
        hits, best = 0, 0
        for number, one in enumerate(ranked, start=1):
            hits += one.guess == one.true
            if hits / number >= wanted:
                best = number
        threshold = ranked[best - 1].confidence if best else None
        rows.append({"precision": wanted, "threshold": threshold, "coverage": best / len(ranked)})
    return rows


def interval(
    outcomes: Sequence[Outcome], statistic: Callable[[Sequence[Outcome]], float]
) -> tuple[float, float] | None:
    """Give the 95 % percentile interval of a figure by drawing whole repositories with replacement.

    None with fewer than five repositories: their spread cannot be seen then.
    """
    by_group: dict[str, list[Outcome]] = {}
    for one in outcomes:
        by_group.setdefault(one.group, []).append(one)
    if len(by_group) < LEAST_GROUPS:
        return None
    names = sorted(by_group)
    random = np.random.default_rng(SEED)
    draws = random.integers(0, len(names), size=(RESAMPLES, len(names)))
    values = [statistic([one for at in draw for one in by_group[names[at]]]) for draw in draws.tolist()]
    low, high = np.quantile(values, [0.025, 0.975]).tolist()
    return low, high


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's kappa of two codings; None for no pairs, or where chance alone would agree always."""
    if not pairs:
        return None
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    observed = sum(one == other for one, other in pairs) / len(pairs)
    expected = sum(first[key] * second[key] for key in first) / len(pairs) ** 2
    return (observed - expected) / (1 - expected) if expected < 1 else None


def summary(outcomes: Sequence[Outcome]) -> Figure:
    """Give the headline figures of a set, with intervals for accuracy and macro-F1 over repositories."""
    figures: dict[str, Callable[[Sequence[Outcome]], float]] = {
        "accuracy": accuracy,
        "macro_f1": macro_f1,
        "top3": top3,
    }
    proposed = [one for one in outcomes if one.proposed]
    result: Figure = {"n": len(outcomes), "repositories": len({one.group for one in outcomes})}
    for name, figure in figures.items():
        result[name] = figure(outcomes)
        result[f"{name}_interval"] = interval(outcomes, figure)
    result["kappa"] = kappa([(one.guess, one.true) for one in outcomes])
    result["calibration_error"] = calibration_error(outcomes)
    result["proposed"] = len(proposed) / len(outcomes)
    result["proposed_right"] = accuracy(proposed) if proposed else None
    return result
