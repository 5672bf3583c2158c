"""Each ML framework with the traditional one most similar to it, as section 3.1 of the first study chose them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from reports.errors import ReportInputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INDICATORS = ("watches", "stars", "forks", "commits", "contributors")
"""The five indicators of the study's Table 2 that pairs were chosen by."""

_FEWEST = 2
"""Frameworks a group needs for a standard deviation."""
_DIGITS = 9
"""Distances equal to so many decimals are equal; the name decides, so that every machine gives the same pairs."""


@dataclass(frozen=True, slots=True)
class Framework:
    """A framework that may be matched: `paradigm` is `ml` or `traditional`, `values` are counts as `INDICATORS`."""

    name: str
    paradigm: str
    domain: str | None
    values: tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two matched frameworks with their propensity scores (0 to 1: how much each looks like ML by its indicators).

    `indicator_distance` is the Euclidean distance of the five normalised indicators, in standard deviations, and
    `nearest` names the traditional framework for which that is smallest: two may have the same score and be unlike.
    """

    ml: Framework
    traditional: Framework
    ml_score: float
    traditional_score: float
    indicator_distance: float
    nearest: str

    @property
    def distance(self) -> float:
        """Return the difference of the two propensity scores."""
        return abs(self.ml_score - self.traditional_score)


@dataclass(frozen=True, slots=True)
class Balance:
    """An indicator's standardised mean difference, ML minus traditional, among all frameworks and among the pairs."""

    indicator: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Matching:
    """The pairs, the most similar first; the ML frameworks for which no domain was left; the balance."""

    pairs: tuple[Pair, ...]
    unmatched: tuple[Framework, ...]
    balance: tuple[Balance, ...]


def study_frameworks() -> tuple[Framework, ...]:
    """Return the 20 frameworks with the figures of the study's Table 2, which this package carries."""
    table = json.loads(files("reports").joinpath("data/study.json").read_text(encoding="utf-8"))["table2"]
    return tuple(
        Framework(
            row["framework"],
            row["paradigm"],
            row["domain"],
            (row["watches"], row["stars"], row["forks"], row["commits"], row["contributors"]),
        )
        for row in table
    )


def match(frameworks: Sequence[Framework]) -> Matching:
    """Match every ML framework with the traditional one whose propensity score is nearest, without replacement.

    The indicators are normalised: log1p, since a few frameworks are many times larger than the rest, then mean 0 and
    standard deviation 1 over all frameworks. The score is the probability of being ML by a logistic regression on
    them (Rosenbaum and Rubin 1983), with the usual ridge (C = 1): 20 frameworks would otherwise be told apart
    perfectly. Of all possible pairs the nearest is taken first; then its ML framework and the traditional ones of the
    same domain are out. A framework of unknown domain is a domain of its own.

    A score says how much a framework looks like ML, not what it resembles: the study's one example, React for
    TensorFlow, is what the indicators themselves give (`Pair.nearest`), and not the score.

    The differences in means are of the normalised values, over the root of the mean of both groups' variances among
    all frameworks, before and after alike (Stuart 2010).

    Raises:
        ReportInputError: a group has fewer than two frameworks.
    """
    import numpy as np

    ordered = sorted(frameworks, key=lambda one: (one.paradigm, one.name))
    is_ml = np.array([one.paradigm == "ml" for one in ordered], dtype=bool)
    if min(int(is_ml.sum()), int((~is_ml).sum())) < _FEWEST:
        raise ReportInputError(
            "Matching needs at least two ML and two traditional frameworks with all five indicators: "
            + ", ".join(INDICATORS)
            + "."
        )
    values = _normalised(np.array([one.values for one in ordered], dtype=np.float64))
    scores = _propensity(values, is_ml)
    pairs = _pairs(ordered, values, scores)
    matched = {pair.ml.name for pair in pairs} | {pair.traditional.name for pair in pairs}
    kept = np.array([one.name in matched for one in ordered], dtype=bool)
    return Matching(
        pairs=pairs,
        unmatched=tuple(one for one in ordered if one.paradigm == "ml" and one.name not in matched),
        balance=_balance(values, is_ml, kept),
    )


def _normalised(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the (frameworks, 5) counts as log1p with mean 0 and standard deviation 1; a constant becomes 0."""
    import numpy as np

    logs = np.log1p(counts)
    spread = logs.std(axis=0)
    centred: NDArray[np.float64] = (logs - logs.mean(axis=0)) / np.where(spread == 0, 1.0, spread)
    return centred


def _propensity(values: NDArray[np.float64], is_ml: NDArray[np.bool_]) -> NDArray[np.float64]:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1.0, tol=1e-10, max_iter=10_000).fit(values, is_ml)
    scores: NDArray[np.float64] = model.predict_proba(values)[:, 1]
    return scores


def _pairs(
    frameworks: Sequence[Framework], values: NDArray[np.float64], scores: NDArray[np.float64]
) -> tuple[Pair, ...]:
    """Return the pairs, taking the nearest possible one each time; `frameworks` are sorted."""
    traditional_rows = [row for row, one in enumerate(frameworks) if one.paradigm != "ml"]
    possible: list[Pair] = []
    for row, ml in enumerate(frameworks):
        if ml.paradigm != "ml":
            continue
        apart = {other: float(((values[row] - values[other]) ** 2).sum() ** 0.5) for other in traditional_rows}
        nearest = min(apart, key=lambda other: (round(apart[other], _DIGITS), frameworks[other].name))
        possible.extend(
            Pair(
                ml=ml,
                traditional=frameworks[other],
                ml_score=float(scores[row]),
                traditional_score=float(scores[other]),
                indicator_distance=distance,
                nearest=frameworks[nearest].name,
            )
            for other, distance in apart.items()
        )
    possible.sort(key=lambda pair: (round(pair.distance, _DIGITS), pair.ml.name, pair.traditional.name))
    chosen: list[Pair] = []
    taken: set[str] = set()
    for pair in possible:
        names = {f"ml:{pair.ml.name}", _domain(pair.traditional)}
        if not names & taken:
            chosen.append(pair)
            taken |= names
    return tuple(chosen)


def _domain(framework: Framework) -> str:
    if framework.domain is None:
        return f"unknown:{framework.name}"
    return f"domain:{framework.domain.strip().casefold()}"


def _balance(values: NDArray[np.float64], is_ml: NDArray[np.bool_], kept: NDArray[np.bool_]) -> tuple[Balance, ...]:
    import numpy as np

    variances = (values[is_ml].var(axis=0, ddof=1) + values[~is_ml].var(axis=0, ddof=1)) / 2
    spread = np.where(variances == 0, 1.0, np.sqrt(variances))

    def difference(rows: NDArray[np.bool_]) -> NDArray[np.float64]:
        between: NDArray[np.float64] = (values[is_ml & rows].mean(axis=0) - values[~is_ml & rows].mean(axis=0)) / spread
        return between

    before, after = difference(np.ones_like(kept)), difference(kept)
    return tuple(Balance(name, float(before[column]), float(after[column])) for column, name in enumerate(INDICATORS))
