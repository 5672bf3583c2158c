"""Whether printed medians can be: checks that need only the numbers of values and their medians.

They found what does not add up in the first study's Tables 4 and 5, and hold for our own tables in the tests.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Feasibility:
    """How many values must lie at or below a median, and at or above it, and how many can at most."""

    needed: int
    most_below: int
    most_above: int

    @property
    def possible(self) -> bool:
        """Whether both sides can be filled; True does not prove that such values exist, False proves that none do."""
        return min(self.most_below, self.most_above) >= self.needed


def overall_median(median: float, total: int, parts: Sequence[tuple[int, float]]) -> Feasibility:
    """Check the median of `total` values, some of which lie in `parts`, each of (n, median); the rest is free.

    Half of all values, rounded up, must lie at or below a median and as many at or above it. A part whose own median
    is higher can give at most half of its values, rounded down, to the lower side.
    """
    free = total - sum(n for n, _ in parts)
    return Feasibility(
        needed=(total + 1) // 2,
        most_below=free + sum(n if own <= median else n // 2 for n, own in parts),
        most_above=free + sum(n if own >= median else n // 2 for n, own in parts),
    )


def is_median_of_counts(n: int, median: float) -> bool:
    """Whether n whole numbers can have this median: an odd n makes it one of them, an even n the middle of two."""
    return median == int(median) if n % 2 else 2 * median == int(2 * median)
