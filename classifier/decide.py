"""From probabilities to a decision: another prior, the threshold, and the reason for staying silent."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from classifier.taxonomy import NONE
from classifier.text import LONGEST_THREAD

GAIN_RIGHT = 1.0
LOSS_WRONG = 1.75
"""Worth of a right and cost of a wrong proposal, silence being 0: the utility of VS Code's issue triage."""
THRESHOLD = LOSS_WRONG / (GAIN_RIGHT + LOSS_WRONG)
"""Probability from which a proposal is worth more than silence: 0.636."""

LEAST_EXAMPLES = 8
"""Examples that a category needs before it is proposed; with fewer it is only shown among the likeliest."""
NOTHING_SCARCE: Mapping[str, int] = {}


class Decision(NamedTuple):
    """Share of system-related causes under the target prior, whether to propose, and why not."""

    system_related: float
    proposed: bool
    reason: str | None


def check_prior(prior: float) -> None:
    """Raise ValueError for a prior that is no share strictly between 0 and 1."""
    if not 0 < prior < 1:
        raise ValueError(f"the prior must lie between 0 and 1, both excluded; it is {prior}")


def with_prior(probabilities: Mapping[str, float], none_share: float, prior: float) -> dict[str, float]:
    """Move probabilities to another prior: p * target / training, renormalised (`classifier.md`, base rate).

    `none_share` is the share of none where they were fitted, `prior` the target share of system-related issues. The
    order among the system-related categories stays the same.
    """
    check_prior(prior)
    system_factor, none_factor = prior / (1 - none_share), (1 - prior) / none_share
    moved = {key: p * (none_factor if key == NONE else system_factor) for key, p in probabilities.items()}
    total = sum(moved.values())
    return {key: p / total for key, p in moved.items()}


def decide(
    probabilities: Mapping[str, float],
    none_share: float,
    prior: float,
    *,
    found: bool,
    cut: bool,
    threshold: float = THRESHOLD,
    scarce: Mapping[str, int] = NOTHING_SCARCE,
    moved: Mapping[str, float] | None = None,
) -> Decision:
    """Propose the likeliest category where it is a cause and its moved probability reaches `threshold`.

    `found`: at least one word spoke for a cause; `cut`: only a part of the thread was read, which the reason says.
    `scarce` gives the number of examples of each category that has too few to be proposed. `moved` are the
    probabilities in the repository at hand, where more is known of it; `prior` is then its share of system-related
    issues, which a reason names.
    """
    if moved is None:
        moved = with_prior(probabilities, none_share, prior)
    category = max(probabilities, key=lambda key: probabilities[key])
    related = 1 - moved[NONE]
    if category != NONE and moved[category] >= threshold and category not in scarce:
        return Decision(related, proposed=True, reason=None)
    has, needed = _apart(moved[category], threshold)
    missing = f"{category} is {has} likely if {percent(prior)} of issues are system-related; a proposal needs {needed}"
    if not found:
        reason = "no word of the text points to a cause"
    elif category == NONE:
        reason = f"probably not system-related ({percent(moved[NONE])})"
    elif moved[category] < threshold and moved[NONE] >= moved[category]:
        reason = f"probably not system-related ({percent(moved[NONE])}): {missing}"
    elif moved[category] < threshold:
        reason = f"not sure enough: {missing}"
    else:
        reason = f"too few examples of {category} to propose it: {scarce[category]}, {LEAST_EXAMPLES} are needed"
    if cut:
        reason += f"; only {LONGEST_THREAD:,} characters of the thread were read"
    return Decision(related, proposed=False, reason=reason)


def percent(share: float) -> str:
    """Return a share (0 to 1) in whole percent; what would be rounded to none is said to be under one."""
    return f"{round(100 * share)} %" if share >= 0.005 else "under 1 %"


def _apart(has: float, needed: float) -> tuple[str, str]:
    """Write a share and the greater one that it falls short of, with a decimal where whole percent look the same."""
    if percent(has) != percent(needed):
        return percent(has), percent(needed)
    down, up = math.floor(round(1000 * has, 6)) / 10, math.ceil(round(1000 * needed, 6)) / 10
    return f"{down:g} %", f"{up:g} %"
