"""Which closed issues maintainers are asked about: a seeded random sample a week, and a few that teach the model.

Purpose: keep questions few, and the sample of decisions a probability sample (product.md, "Which issues are asked
about"). Trigger: every refresh of an inbox. Effects: none; `choose` is pure.

Every eligible closing of a week draws a number from its own identity; the sample is the `size` lowest of them. So it is
a simple random sample of the week whatever the order of arrival, it is known at once, and nobody's answer can change
it. While a week is going on a later closing may take the place of an earlier one.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

MOST_TARGETED = 5
"""Issues a week chosen for what they teach (product.md)."""

BLIND_SHARE = 0.15
"""Share of the sample asked without showing the proposal, to measure agreement without anchoring (product.md)."""


@dataclass(frozen=True)
class Candidate:
    """An eligible closing of one week: the category its proposal shows, and the distance to the second one, `margin`.

    `guess_seen` is true where people could see the proposal already, or decided before they were asked.
    """

    issue_id: int
    category: str
    margin: float
    decided: bool
    guess_seen: bool
    selection: str | None


@dataclass(frozen=True)
class Choice:
    """What became of a candidate: `random`, `targeted`, `volunteered` or None, and whether it is asked blind.

    `probability` is that of being in the random sample, None outside of it.
    """

    selection: str | None
    probability: float | None
    blind: bool


def week_of(closed_at: datetime) -> str:
    """Return the ISO week of a closing in UTC, such as `2026-W48`; databases answer in the zone they are set to."""
    year, week, _ = closed_at.astimezone(UTC).isocalendar()
    return f"{year}-W{week:02d}"


def draw(repository_id: int, week: str, issue_id: int, purpose: str) -> float:
    """Return a number in [0, 1) that is the same on every machine and looks random over issues."""
    digest = hashlib.sha256(f"{purpose}:{repository_id}:{week}:{issue_id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def choose(repository_id: int, week: str, candidates: Sequence[Candidate], size: int) -> dict[int, Choice]:
    """Return the choice for each candidate of one repository's week; `size` is that of the random sample.

    A candidate that was decided without being in the sample is `volunteered`: it trains and enters difficulty
    tables, but no share is computed from it.
    """
    ranked = sorted(candidates, key=lambda one: (draw(repository_id, week, one.issue_id, "sample"), one.issue_id))
    sample = {one.issue_id for one in ranked[:size]}
    probability = min(1.0, size / len(candidates)) if candidates else None
    rest = [one for one in ranked if one.issue_id not in sample and not _answered_unasked(one)]
    targeted = _targeted(rest, Counter(one.category for one in candidates))
    choices = {}
    for one in candidates:
        if one.issue_id in sample:
            blind = not one.guess_seen and draw(repository_id, week, one.issue_id, "blind") < BLIND_SHARE
            choices[one.issue_id] = Choice("random", probability, blind)
        elif one.issue_id in targeted:
            choices[one.issue_id] = Choice("targeted", None, blind=False)
        else:
            choices[one.issue_id] = Choice("volunteered" if one.decided else None, None, blind=False)
    return choices


def _targeted(rest: Sequence[Candidate], predicted: Counter[str]) -> set[int]:
    """Return the lines that teach most: the closest calls, spread over the predicted categories.

    Class-balanced margin (classifier.md, section 5): one after the other, the next line is of the category that has the
    fewest so far, of these the one predicted least often in the whole week, and in it the smallest margin. Questions
    that stand already come first and are not taken away.
    """
    nearest = sorted(rest, key=lambda one: (one.margin, one.issue_id))
    chosen = [one for one in nearest if one.selection == "targeted"][:MOST_TARGETED]
    waiting = [one for one in nearest if one.selection != "targeted"]
    taken = Counter(one.category for one in chosen)
    while waiting and len(chosen) < MOST_TARGETED:
        following = min(waiting, key=lambda one: (taken[one.category], predicted[one.category], one.category))
        waiting.remove(following)  # `min` gives the first of equals: the smallest margin of its category
        chosen.append(following)
        taken[following.category] += 1
    return {one.issue_id for one in chosen}


def _answered_unasked(candidate: Candidate) -> bool:
    return candidate.decided and candidate.selection != "targeted"
