"""What a repository's rows count together: never more than a tenth of all that is learned from."""

from __future__ import annotations

from collections.abc import Mapping

LARGEST_SHARE = 0.10
"""Of the total weight, that one repository may have (product.md, "Who takes part")."""


def capped(weights: Mapping[str, float], free: float, share: float = LARGEST_SHARE) -> dict[str, float]:
    """Return each repository's weight after none is left with more than `share` of the new total.

    `weights` are the sums of the repositories' rows before, `free` what belongs to no repository and counts whole.
    Cutting one repository makes the total smaller, so the limit is a fixed point: c = share * (free + sum of
    min(w, c)), which with the k heaviest cut is c = share * (free + the others) / (1 - k * share). Where no weights
    can satisfy it (fewer than 1 / share repositories, and nothing free) every repository gets 0.
    """
    heaviest = sorted(weights.values(), reverse=True)
    rest = free + sum(heaviest)
    limit = share * rest
    for cut, weight in enumerate(heaviest, start=1):
        if weight <= limit * (1 + 1e-12):
            break
        rest -= weight
        left = 1 - cut * share
        limit = share * max(rest, 0.0) / left if left > 1e-12 else 0.0
    return {name: min(weight, limit) for name, weight in weights.items()}
