"""How far two people agree on categories beyond what chance would give."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of `n` issues coded by both: the share coded alike, 0 to 1, and Cohen's kappa, -1 to 1.

    Both are None of no issues; kappa is None too where both used one and the same category throughout, since chance
    alone explains that.
    """

    n: int
    observed: float | None
    kappa: float | None


def cohens_kappa(pairs: Sequence[tuple[str, str]]) -> Agreement:
    """Return the agreement of two coders (Cohen 1960); a pair is what the first and the second said of one issue."""
    n = len(pairs)
    if n == 0:
        return Agreement(0, None, None)
    alike = sum(first == second for first, second in pairs)
    firsts, seconds = Counter(first for first, _ in pairs), Counter(second for _, second in pairs)
    by_chance = sum(count * seconds[category] for category, count in firsts.items())
    # Whole numbers times n * n, so that "no room beyond chance" is an exact comparison.
    room = n * n - by_chance
    return Agreement(n, alike / n, (alike * n - by_chance) / room if room else None)
