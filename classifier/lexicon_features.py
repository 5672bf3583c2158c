"""The lexicon's findings as features of the trained model: logarithms and shares, so that length drowns nothing."""

import math

from classifier.lexicon import Findings
from classifier.lexicon_model import LexiconParameters, adjusted_scores, probabilities_from
from classifier.taxonomy import CATEGORIES, NONE_KINDS, SYSTEM_CATEGORIES

LOGARITHM = "log:"
_FLOOR = 0.001
"""Least probability of which a logarithm is taken."""
STEPS = 7.0
"""Divides logarithms of probabilities, so that these features lie between -0.2 and 1 like the others."""


def lexicon_features(findings: Findings, title: Findings, parameters: LexiconParameters) -> dict[str, float]:
    """Give the named features of an issue's findings and of those in its title alone, all within about 0 and 3.

    By category: log1p of the score (`score:`), its share beyond what length alone brings (`share:`), whether it is the
    highest after the decision rules (`top:`), the lexicon model's probability (`p:`) and its logarithm (`log:`).
    """
    length = math.log1p(findings.length / parameters.unit)
    features: dict[str, float] = {"length": length / 5}
    surplus = {key: max(findings.scores[key] - parameters.background[key] * length, 0.0) for key in SYSTEM_CATEGORIES}
    total = 1 + sum(surplus.values())
    for key in SYSTEM_CATEGORIES:
        features[f"score:{key}"] = math.log1p(max(findings.scores[key], 0.0))
        features[f"share:{key}"] = surplus[key] / total
        features[f"title:{key}"] = math.log1p(max(title.scores[key], 0.0))
    for kind in NONE_KINDS:
        features[f"score:{kind}"] = math.log1p(max(findings.kinds[kind], 0.0))
        features[f"title:{kind}"] = math.log1p(max(title.kinds[kind], 0.0))
    for name, strength in findings.signals.items():
        features[f"signal:{name}"] = strength / 2
    scores = adjusted_scores(findings, parameters)
    probabilities = probabilities_from(scores, parameters.temperature)
    features[f"top:{max(CATEGORIES, key=lambda key: scores[key])}"] = 1.0
    for key in CATEGORIES:
        features[f"p:{key}"] = probabilities[key]
        features[f"{LOGARITHM}{key}"] = 1 + math.log(probabilities[key] + _FLOOR) / STEPS
    return {name: value for name, value in features.items() if value}
