"""How often causes occur in one repository: its few decisions, smoothed by what is assumed of every repository."""

from collections.abc import Mapping

from classifier.decide import check_prior
from classifier.taxonomy import CATEGORIES, NONE

STRENGTH = 40.0
"""Decisions that the general mix counts as: a repository with as many of its own is believed by half."""


def general_mix(shares: Mapping[str, float], prior: float) -> dict[str, float]:
    """Give every category's share where a share of `prior` is system-related, spread over causes as in training."""
    check_prior(prior)
    causes = sum(share for key, share in shares.items() if key != NONE)
    return {key: 1 - prior if key == NONE else prior * shares.get(key, 0.0) / causes for key in CATEGORIES}


def repository_mix(
    counts: Mapping[str, float], general: Mapping[str, float], strength: float = STRENGTH
) -> dict[str, float]:
    """Give a repository's shares as the mean of a Dirichlet distribution: (count + strength * general) / their sum.

    `counts` are decisions by category from a random sample; targeted ones would say what was asked, not what occurs.
    Raises ValueError for a negative count or strength, or for none at all.
    """
    if strength < 0 or any(count < 0 for count in counts.values()):
        raise ValueError("counts of decisions and the strength of the general mix cannot be negative")
    total = sum(counts.get(key, 0.0) for key in CATEGORIES) + strength
    if not total:
        raise ValueError("without decisions the general mix needs a strength above 0")
    return {key: (counts.get(key, 0.0) + strength * general[key]) / total for key in CATEGORIES}


def with_mix(
    probabilities: Mapping[str, float], shares: Mapping[str, float], mix: Mapping[str, float]
) -> dict[str, float]:
    """Move probabilities from the shares of training to another mix: p * mix / share, renormalised (Bayes' rule)."""
    moved = {key: p * mix[key] / shares[key] if p else 0.0 for key, p in probabilities.items()}
    total = sum(moved.values())
    return {key: value / total for key, value in moved.items()}
