"""Champion against challenger: both judged on the same rows, which neither has seen; pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.learning.rows import Row
from classifier import Classifier
from classifier.fitting import ROUGH
from classifier.splits import grouped_folds
from classifier.taxonomy import CATEGORIES
from classifier.training import Rows, fit_category, label_rows
from classifier.vectors import Vectorizer, learn_vocabulary

FOLDS = 4
"""Grouped folds; a repository lies in one of them whole."""
_LEAST_PROBABILITY = 1e-6
"""What an answer that was given no chance counts in the log loss, so that one row cannot decide alone."""
_SAME = 1e-9


@dataclass(frozen=True)
class Figures:
    """Weighted macro-F1 over the categories that occur (0 to 1), and mean log loss (nats, lower is better)."""

    macro_f1: float
    log_loss: float


@dataclass(frozen=True)
class Comparison:
    """Both on the same `rows`; `split` says how these were kept from training: by `repository` or by `time`."""

    split: str
    rows: int
    champion: Figures
    challenger: Figures

    @property
    def is_not_worse(self) -> bool:
        """Whether the challenger is at least as good by both figures."""
        return (
            self.challenger.macro_f1 >= self.champion.macro_f1 - _SAME
            and self.challenger.log_loss <= self.champion.log_loss + _SAME
        )


@dataclass(frozen=True)
class Learned:
    """A champion that learned from rows: those of the corpus, and the decisions whose ids these are.

    It is fitted anew without the rows that it is judged on, as its challenger is: the file itself has seen them.
    """

    row_ids: frozenset[int]


Champion = Learned | Classifier
"""A champion that learned nothing from rows (the lexicon model) is judged as it is."""


def compare(rows: Sequence[Row], read: Rows, champion: Champion) -> tuple[Comparison, ...]:
    """Return the comparison by repository, and the one by time where at least two rows are new to the champion.

    `read` holds the examples of `rows`, in their order. By repository: each of `FOLDS` groups of repositories (and of
    files of the corpus) is predicted from the other groups. By time: of the rows that the champion does not have, the
    later half is predicted from what was decided before it.
    """
    everything = list(range(len(rows)))
    known = [at for at in everything if _knows(champion, rows[at])]
    folds = grouped_folds([row.example.group for row in rows], FOLDS)
    champions: dict[int, Mapping[str, float]] = {}
    challengers: dict[int, Mapping[str, float]] = {}
    for fold in sorted(set(folds)):
        test = [at for at in everything if folds[at] == fold]
        champions |= _champion(read, champion, [at for at in known if folds[at] != fold], test)
        seen = [at for at in everything if folds[at] != fold]
        challengers |= champions if len(known) == len(rows) else _predict(read, seen, test)
    found = [_comparison("repository", rows, champions, challengers)]
    new = sorted((row.decided_at, at) for at, row in enumerate(rows) if row.decided_at and at not in set(known))
    if len(new) > 1:
        later = [at for _, at in new[len(new) // 2 :]]
        before = sorted(set(everything) - set(later))
        found.append(_comparison("time", rows, _champion(read, champion, known, later), _predict(read, before, later)))
    return tuple(found)


def is_won(comparisons: Sequence[Comparison]) -> bool:
    """Say whether the challenger may take the champion's place: it is worse by no figure of any comparison."""
    return all(one.is_not_worse for one in comparisons)


def figures(truth: Sequence[str], weights: Sequence[float], given: Sequence[Mapping[str, float]]) -> Figures:
    """Return the figures of predictions, row by row; weights are above 0."""
    guesses = [max(CATEGORIES, key=lambda key, one=one: one.get(key, 0.0)) for one in given]  # type: ignore[misc]
    f1 = []
    for category in sorted(set(truth)):
        hits = sum(w for true, guess, w in zip(truth, guesses, weights, strict=True) if true == guess == category)
        named = sum(w for guess, w in zip(guesses, weights, strict=True) if guess == category)
        real = sum(w for true, w in zip(truth, weights, strict=True) if true == category)
        f1.append(2 * hits / (named + real))
    lost = sum(
        -w * math.log(max(one.get(true, 0.0), _LEAST_PROBABILITY))
        for true, w, one in zip(truth, weights, given, strict=True)
    )
    return Figures(math.fsum(f1) / len(f1), lost / sum(weights))


def _comparison(
    split: str,
    rows: Sequence[Row],
    champions: Mapping[int, Mapping[str, float]],
    challengers: Mapping[int, Mapping[str, float]],
) -> Comparison:
    tested = sorted(champions)
    truth = [rows[at].example.category for at in tested]
    weights = [rows[at].example.weight for at in tested]
    sides = [figures(truth, weights, [side[at] for at in tested]) for side in (champions, challengers)]
    return Comparison(split, len(tested), *sides)


def _knows(champion: Champion, row: Row) -> bool:
    return isinstance(champion, Learned) and (row.row_id is None or row.row_id in champion.row_ids)


def _champion(
    read: Rows, champion: Champion, seen: Sequence[int], test: Sequence[int]
) -> dict[int, Mapping[str, float]]:
    if isinstance(champion, Learned):
        return _predict(read, seen, test)
    return {at: champion.predict(read.examples[at].issue).probabilities for at in test}


def _predict(read: Rows, seen: Sequence[int], test: Sequence[int]) -> dict[int, Mapping[str, float]]:
    """Fit on some rows, vocabulary included, and predict others; raises TrainingError for rows of one category."""
    known = read.only(seen)
    vocabulary = learn_vocabulary(known.blocks)
    vectorizer = Vectorizer(vocabulary)
    head = fit_category(label_rows(known, vocabulary), vocabulary, ROUGH)
    return {at: head.probabilities(vectorizer.vector(read.blocks[at])) for at in test}
