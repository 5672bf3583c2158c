"""Predictions for issues that training has not seen: by repository, by time, and with part of the corpus."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from classifier.blocks import Blocks
from classifier.contract import DEFAULT_PRIOR
from classifier.decide import with_prior
from classifier.examples import Example
from classifier.fitting import ROUGH
from classifier.lexicon_model import load_lexicon_model
from classifier.measure.outcomes import Outcome, outcome
from classifier.parameters import Head
from classifier.splits import grouped_folds
from classifier.taxonomy import NONE
from classifier.training import Rows, fit_category, label_rows
from classifier.vectors import Vectorizer, Vocabulary, learn_vocabulary

MOST_FOLDS = 100
"""Repositories up to which each is left out by itself."""


@dataclass(frozen=True, slots=True)
class Deciding:
    """How proposals are decided: the threshold, and the share of none that the probabilities are at."""

    threshold: float
    none_share: float


def predict_rows(rows: Rows, vocabulary: Vocabulary, head: Head, deciding: Deciding) -> list[Outcome]:
    """Predict rows with a fitted model; proposals are those at the target prior."""
    vectorizer = Vectorizer(vocabulary)
    outcomes = []
    for example, blocks in zip(rows.examples, rows.blocks, strict=True):
        probabilities = head.probabilities(vectorizer.vector(blocks))
        guess = max(probabilities, key=lambda key: probabilities[key])
        moved = with_prior(probabilities, deciding.none_share, DEFAULT_PRIOR)
        proposed = guess != NONE and moved[guess] >= deciding.threshold
        outcomes.append(outcome(example.category, probabilities, example.group, proposed=proposed))
    return outcomes


def fit_and_predict(train: Rows, test: Rows, deciding: Deciding) -> list[Outcome]:
    """Learn vocabulary and weights from one set of rows and predict another."""
    vocabulary = learn_vocabulary(train.blocks)
    head = fit_category(label_rows(train, vocabulary), vocabulary, ROUGH)
    return predict_rows(test, vocabulary, head, deciding)


def leave_repository_out(corpus: Rows, test: Rows, deciding: Deciding, folds: int = MOST_FOLDS) -> list[Outcome]:
    """Predict each repository's rows with a model that has seen nothing of it, re-written rows included.

    With more repositories than `folds` several are left out together: fewer fits, and a little less to learn from.
    `corpus` may be the tested rows themselves, or hold them.
    """
    groups = [example.group for example in test.examples]
    fold_of = grouped_folds(groups, min(folds, len(set(groups))))
    outcomes: list[Outcome] = []
    for fold in sorted(set(fold_of)):
        asked = [at for at, own in enumerate(fold_of) if own == fold]
        held = {groups[at] for at in asked}
        seen = [at for at, example in enumerate(corpus.examples) if example.group not in held]
        outcomes += fit_and_predict(corpus.only(seen), test.only(asked), deciding)
    return outcomes


def joined(first: Rows, second: Rows) -> Rows:
    """Put rows after each other."""
    return Rows((*first.examples, *second.examples), (*first.blocks, *second.blocks))


def with_lexicon_alone(test: Rows) -> list[Outcome]:
    """Predict rows with the lexicon model, which has learned from none of them."""
    model = load_lexicon_model()
    outcomes = []
    for example in test.examples:
        said = model.predict(example.issue)
        outcomes.append(outcome(example.category, said.probabilities, example.group, proposed=said.proposed))
    return outcomes


def part_of(rows: Rows, size: int) -> Rows:
    """Draw `size` rows by the hash of their text, so that a larger part holds the smaller ones."""
    return rows.only(sorted(_drawn(rows.examples)[:size]))


def _drawn(examples: Sequence[Example]) -> list[int]:
    keys = [hashlib.sha256(f"{example.issue.title}\n{example.issue.body}".encode()).digest() for example in examples]
    return sorted(range(len(examples)), key=lambda at: keys[at])


def without(rows: Rows, *blocks: str) -> Rows:
    """Empty blocks of every row, to see what they are worth."""
    empty: dict[str, dict[str, float]] = {block: {} for block in blocks}
    return Rows(rows.examples, tuple(Blocks({**own.counts, **empty}, own.places) for own in rows.blocks))
