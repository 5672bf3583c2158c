"""The learned weights, the lexicon's own and the published mix of causes, put together into one linear model."""

import math
from collections.abc import Mapping

import numpy as np

from classifier.blocks import BLOCK_WEIGHTS, LEXICON
from classifier.lexicon_features import LOGARITHM, STEPS
from classifier.parameters import Head
from classifier.taxonomy import NONE
from classifier.vectors import Vocabulary

LEARNED_SHARE = 0.5
"""Share of the learned weights; the rest is the lexicon model's own. Chosen on the development threads (model card)."""
STUDY_COUNTS: Mapping[str, int] = {
    "api-mismatch": 72,
    "compilation-error": 2,
    "configuration-error": 150,
    "connection-error": 4,
    "data-race": 1,
    "execution-error": 1,
    "hardware-mismatch": 1,
    "memory-allocation": 14,
    "io-slowdown": 28,
    "memory-leak": 86,
    "conversion": 1,
    "multi-threading": 29,
    "performance-regression": 66,
    "slow-synchronization": 28,
    "resource-usage": 0,
}
"""Issues of each cause in the first study (arXiv 2005.06091, Table 3, both paradigms together)."""
STUDY_SHARE = 0.3
"""Power to which the study's mix counts as prior. Its author coded by a broader reading than the codebook's."""
_SMOOTHING = 8
"""Added to each of the study's counts, so that a cause it did not meet is not ruled out."""


def blended(head: Head, vocabulary: Vocabulary, none_share: float, share: float = LEARNED_SHARE) -> Head:
    """Mix a head into p = learned^share * lexicon^(1 - share) * study^0.3, renormalised.

    The lexicon model's logarithms of probabilities are features of the vocabulary, so the mixture is a linear model
    like the head itself. A few thousand words learned from a few hundred texts would else take the place of patterns
    that hold everywhere. `none_share` is the share of none where the lexicon model was fitted.
    """
    coefficients = head.coefficients * share
    tilt = _tilt(head.labels)
    start = sum(len(terms) for block, terms in vocabulary.terms.items() if block != LEXICON)
    if list(vocabulary.terms)[-1] != LEXICON:
        raise ValueError("the lexicon's features must be the last block")
    for at, name in enumerate(vocabulary.terms[LEXICON]):
        label = name.removeprefix(LOGARITHM)
        if name.startswith(LOGARITHM) and label in head.labels:
            coefficients[head.labels.index(label), start + at] += (1 - share) * STEPS / BLOCK_WEIGHTS[LEXICON]
    causes = len(head.labels) - 1
    lexicon = {label: none_share if label == NONE else (1 - none_share) / causes for label in head.labels}
    mixed = {label: head.shares[label] ** share * lexicon[label] ** (1 - share) * tilt[label] for label in head.labels}
    total = sum(mixed.values())
    return Head(
        labels=head.labels,
        coefficients=coefficients.astype(np.float32),
        intercepts=(head.intercepts * share + [math.log(tilt[label]) for label in head.labels]).astype(np.float32),
        examples=head.examples,
        shares={label: value / total for label, value in mixed.items()},
    )


def _tilt(labels: tuple[str, ...]) -> dict[str, float]:
    """Give what each label's odds are multiplied by; 1 for none and for a cause of average share."""
    counts = {label: STUDY_COUNTS[label] + _SMOOTHING for label in labels if label != NONE}
    average = sum(counts.values()) / max(len(counts), 1)
    return {label: (counts[label] / average) ** STUDY_SHARE if label in counts else 1.0 for label in labels}
