"""Training: labelled issues in, a model's parameters out; the same rows in the same order give the same model."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from classifier.blending import blended
from classifier.blocks import Blocks, blocks_of
from classifier.contract import DEFAULT_PRIOR, IssueText
from classifier.decide import THRESHOLD
from classifier.examples import Example
from classifier.fitting import EXACT, FOLDS, MANY, ROUGH, Labelled, Products, fit_head, matrix, row_products
from classifier.lexicon import load_lexicon
from classifier.lexicon_model import load_parameters
from classifier.parameters import Head, Parameters
from classifier.reading import read_issue
from classifier.splits import grouped_folds
from classifier.taxonomy import BUG_TYPES, CATEGORIES, NONE
from classifier.thresholds import best_threshold, share_of_none
from classifier.vectors import Vectorizer, Vocabulary, learn_vocabulary


@dataclass(frozen=True, slots=True)
class Rows:
    """Examples with their blocks, read once and used for any number of fits; both of one length."""

    examples: tuple[Example, ...]
    blocks: tuple[Blocks, ...]

    def only(self, chosen: Sequence[int]) -> "Rows":
        """Give the rows of these numbers."""
        return Rows(tuple(self.examples[at] for at in chosen), tuple(self.blocks[at] for at in chosen))


def read_blocks(issues: Sequence[IssueText]) -> tuple[Blocks, ...]:
    """Read the text of every issue; the part of training that takes time for long threads."""
    lexicon, parameters = load_lexicon(), load_parameters()
    return tuple(blocks_of(read_issue(issue, lexicon), lexicon, parameters) for issue in issues)


def read_rows(examples: Sequence[Example]) -> Rows:
    """Read the text of every example."""
    return Rows(tuple(examples), read_blocks([example.issue for example in examples]))


def training_hash(examples: Sequence[Example]) -> str:
    """Give the SHA-256 of all that is learned from, in its order."""
    digest = hashlib.sha256()
    for example in examples:
        digest.update(json.dumps(asdict(example), sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def train(rows: Rows, name: str) -> Parameters:
    """Fit a model, whose version is the name and the beginning of the training hash.

    The prior of its probabilities and the threshold are chosen on rows whose group the fit has not seen; where the
    groups do not allow that, they are what the weights and theory say. Raises TrainingError where fewer than two
    categories have examples.
    """
    vocabulary = learn_vocabulary(rows.blocks)
    labelled = label_rows(rows, vocabulary)
    digest = training_hash(rows.examples)
    products = row_products(matrix(labelled.vectors, vocabulary.size)) if len(labelled.labels) < MANY else None
    category, threshold = fit_category(labelled, vocabulary, products=products), THRESHOLD
    unseen = _unseen(labelled, vocabulary, products)
    if unseen is not None and {true == NONE for true in unseen.true} == {True, False}:
        known = _of_repositories(unseen)
        category = _at_prior(category, share_of_none(known.given, known.true))
        threshold = best_threshold(known.given, known.true, category.shares[NONE], DEFAULT_PRIOR)
    return Parameters(
        version=f"{name}-{digest[:8]}",
        lexicon=load_lexicon().version,
        training_hash=digest,
        threshold=threshold,
        vocabulary=vocabulary,
        category=category,
        bug_type=_bug_types(rows, labelled, vocabulary, products),
    )


def label_rows(rows: Rows, vocabulary: Vocabulary) -> Labelled:
    """Turn rows into vectors over a vocabulary, labelled by category."""
    vectorizer = Vectorizer(vocabulary)
    return Labelled(
        [vectorizer.vector(blocks) for blocks in rows.blocks],
        [example.category for example in rows.examples],
        [example.weight for example in rows.examples],
        [example.group for example in rows.examples],
    )


def fit_category(
    labelled: Labelled, vocabulary: Vocabulary, tolerance: float = EXACT, products: Products | None = None
) -> Head:
    """Fit the categories, and mix the lexicon model and the published shares in."""
    head = fit_head(labelled, vocabulary.size, CATEGORIES, tolerance, products=products)
    return blended(head, vocabulary, load_parameters().none_share)


def _bug_types(rows: Rows, labelled: Labelled, vocabulary: Vocabulary, products: Products | None) -> Head | None:
    """Fit the bug types on the rows that have one; None where those are of fewer than two."""
    types = [example.bug_type for example in rows.examples]
    known = [at for at, bug_type in enumerate(types) if bug_type]
    if len({types[at] for at in known}) < 2:
        return None
    chosen = labelled.only(known)
    typed = Labelled(chosen.vectors, [types[at] or "" for at in known], chosen.weights, chosen.groups)
    keys = tuple(bug_type.key for bug_type in BUG_TYPES)
    part = None if products is None else products[np.ix_(known, known)]
    return fit_head(typed, vocabulary.size, keys, products=part)


@dataclass(frozen=True, slots=True)
class Seen:
    """Probabilities, true categories and groups, row by row."""

    given: list[dict[str, float]]
    true: list[str]
    groups: list[str]


def _unseen(labelled: Labelled, vocabulary: Vocabulary, products: Products | None) -> Seen | None:
    """Predict rows by fits that have not seen their groups: all of them, or one fold where there are very many.

    None where a fit would lack a category.
    """
    folds = grouped_folds(labelled.groups, FOLDS)
    given: dict[int, dict[str, float]] = {}
    for fold in sorted(set(folds)) if products is not None else [0]:
        seen = [at for at, own in enumerate(folds) if own != fold]
        if {labelled.labels[at] for at in seen} != set(labelled.labels):
            return None
        part = None if products is None else products[np.ix_(seen, seen)]
        head = fit_category(labelled.only(seen), vocabulary, ROUGH, part)
        given |= {at: head.probabilities(labelled.vectors[at]) for at, own in enumerate(folds) if own == fold}
    return Seen(list(given.values()), [labelled.labels[at] for at in given], [labelled.groups[at] for at in given])


def _of_repositories(predicted: Seen) -> Seen:
    """Keep the rows of repositories where both none and causes are among them.

    Rows of the corpus that re-write no issue were made to tempt: they say less about how often a proposal is right.
    """
    kept = [at for at, group in enumerate(predicted.groups) if "/" in group]
    if {predicted.true[at] == NONE for at in kept} != {True, False}:
        return predicted
    return Seen(
        [predicted.given[at] for at in kept],
        [predicted.true[at] for at in kept],
        [predicted.groups[at] for at in kept],
    )


def _at_prior(head: Head, none_share: float) -> Head:
    """Give the head with another share of none as the prior of its probabilities, causes in their proportion."""
    rest = (1 - none_share) / (1 - head.shares[NONE])
    shares = {label: none_share if label == NONE else share * rest for label, share in head.shares.items()}
    return replace(head, shares=shares)
