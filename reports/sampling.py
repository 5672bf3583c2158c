"""How many issues to sample, how many of them from each repository, and which: equation 1 of the first study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from math import ceil, isfinite
from statistics import NormalDist, StatisticsError

from reports.errors import ReportInputError

_Z_DECIMALS = 3
"""z as statistical tables print it (1.960, 1.645, 2.576): sample sizes are published with these, to two decimals."""

_NOISE = 1e-9
"""A size that is above a whole number by less than this is that number: floating point, not one more issue."""


@dataclass(frozen=True, slots=True)
class SampleSize:
    """What equation 1 gives: `exact` as computed, and `issues`, its ceiling."""

    exact: float
    issues: int


def sample_size(population: float, margin: float, confidence: float = 0.95, proportion: float = 0.5) -> SampleSize:
    """Return the sample size for a share that is to be known within `margin` (section 3.3, equation 1).

    With n0 = z^2 p (1 - p) / e^2 it is n0 / (1 + n0 / N), for N issues, a margin e, an expected proportion p and the
    two-sided z of the confidence (Cochran's formula with the finite population correction). It grows with N towards
    n0, which is 96.04 at 10 % and 95 % confidence: no population gives the 121 issues that the study names for 10 %.
    Its 332 at 5 % is the ceiling for 2,392 to 2,445 closed issues; it does not say how many it had.

    Raises:
        ReportInputError: a number is outside its range.
    """
    if not isfinite(population) or population < 1 or population != int(population):
        raise ReportInputError("The population is a number of issues: a whole number, 1 or more.")
    _check_share("margin of error", margin, "0.05 for 5 %")
    _check_share("confidence", confidence, "0.95 for 95 %")
    _check_share("proportion", proportion, "0.5, which asks for the largest sample")
    try:
        z = round(NormalDist().inv_cdf((1 + confidence) / 2), _Z_DECIMALS)
    except StatisticsError:
        raise ReportInputError(
            "The confidence is too close to 1 to be computed with; 0.99 is strict already."
        ) from None
    spread = z * z * proportion * (1 - proportion)
    exact = spread / (margin**2 + spread / population)
    return SampleSize(exact, max(1, ceil(exact - _NOISE)))


def allocate(size: int, populations: Mapping[str, int]) -> dict[str, int]:
    """Share `size` out in proportion to the populations (section 3.3: SS = GS * SI / GI), in their order.

    Whole numbers come from the largest remainders; of equal ones the larger population goes first, then the name. The
    sum is exactly `size`, and no part is larger than its population.

    Raises:
        ReportInputError: there are fewer issues than are to be sampled, or nothing to sample.
    """
    total = sum(populations.values())
    if size < 1:
        raise ReportInputError("A sample has at least one issue.")
    if size > total:
        raise ReportInputError(f"There are {total:,} issues to draw from, fewer than the {size:,} to be sampled.")
    quotas = {name: Fraction(size * count, total) for name, count in populations.items()}
    parts = {name: int(quota) for name, quota in quotas.items()}
    by_remainder = sorted(quotas, key=lambda name: (parts[name] - quotas[name], -populations[name], name))
    for name in by_remainder[: size - sum(parts.values())]:
        parts[name] += 1
    return parts


def rank(seed: int, identity: int) -> int:
    """Return an issue's place in the random order of a seed: the same number on every machine, whatever else is there.

    `identity` is GitHub's id of the issue. Drawing the lowest ranks makes a simple random sample, and a larger sample
    of the same seed holds the smaller one.
    """
    return int.from_bytes(sha256(f"sample:{seed}:{identity}".encode()).digest()[:16], "big")


def draw(identities: Sequence[int], count: int, seed: int) -> list[int]:
    """Return `count` of the issues at random, in random order; the order in which they are given does not matter."""
    return sorted(identities, key=lambda identity: (rank(seed, identity), identity))[:count]


def _check_share(name: str, value: float, example: str) -> None:
    if not 0 < value < 1:
        raise ReportInputError(f"The {name} lies between 0 and 1, such as {example}.")
