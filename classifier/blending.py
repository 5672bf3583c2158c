"""The learned weights and the lexicon's own, mixed into one linear model."""

import numpy as np

from classifier.blocks import BLOCK_WEIGHTS, LEXICON
from classifier.lexicon_features import LOGARITHM, STEPS
from classifier.parameters import Head
from classifier.taxonomy import NONE
from classifier.vectors import Vocabulary

LEARNED_SHARE = 0.6
"""Share of the learned weights; the rest is the lexicon model's own. Chosen on the development threads (model card)."""


def with_lexicon(head: Head, vocabulary: Vocabulary, none_share: float, share: float = LEARNED_SHARE) -> Head:
    """Mix a head with the lexicon model as p = learned^share * lexicon^(1 - share), renormalised.

    The lexicon model's logarithms of probabilities are features of the vocabulary, so the mixture is a linear model like
    the head itself. A few thousand words learned from a few hundred texts would else take the place of patterns that
    hold everywhere. `none_share` is the share of none where the lexicon model was fitted.
    """
    coefficients = head.coefficients * share
    start = sum(len(terms) for block, terms in vocabulary.terms.items() if block != LEXICON)
    if list(vocabulary.terms)[-1] != LEXICON:
        raise ValueError("the lexicon's features must be the last block")
    for at, name in enumerate(vocabulary.terms[LEXICON]):
        label = name.removeprefix(LOGARITHM)
        if name.startswith(LOGARITHM) and label in head.labels:
            coefficients[head.labels.index(label), start + at] += (1 - share) * STEPS / BLOCK_WEIGHTS[LEXICON]
    causes = len(head.labels) - 1
    lexicon = {label: none_share if label == NONE else (1 - none_share) / causes for label in head.labels}
    mixed = {label: head.shares[label] ** share * lexicon[label] ** (1 - share) for label in head.labels}
    total = sum(mixed.values())
    return Head(
        labels=head.labels,
        coefficients=coefficients.astype(np.float32),
        intercepts=(head.intercepts * share).astype(np.float32),
        examples=head.examples,
        shares={label: value / total for label, value in mixed.items()},
    )
