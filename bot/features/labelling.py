"""Which label of ours an issue is to carry: pure decisions from what is proposed, decided and on it already.

Purpose: a proposal is one label, and a decision replaces it; what people did with labels is final. Trigger: what is
known of an issue changed. Effects: none; `decide` is pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from bot.github.actions import AddLabel, RemoveLabel
from classifier.taxonomy import NONE

MOST_CHANGES = 3
"""Changes of our label on one issue, after which it is never touched again: nobody watches two sides fight.

One label put in another's place is one change.
"""


class _OwnLabel(TypedDict):
    repository_id: int
    repository: str
    prefix: str
    category: str


@dataclass(frozen=True)
class Facts:
    """What is known of an issue: `guess` is the category proposed, None where none is or where it may not be seen.

    `decided` is true for a disputed record as well, which then has no category. What is shown `rests` as it is while
    the issue is open again, or where researchers coded it: their word is nothing for the maintainers' issues.
    """

    repository_id: int
    repository: str
    number: int
    state: str
    decided: bool
    category: str | None
    guess: str | None
    rests: bool


@dataclass(frozen=True)
class Labelled:
    """Our label on an issue, its category, how often we changed it, and whether it is left alone for good."""

    prefix: str
    label: str | None
    changes: int
    left_alone: bool


def wanted_label(facts: Facts, labelled: Labelled) -> str | None:
    """Return the category whose label the issue is to carry.

    While it rests, or people disagree, nothing changes. A decision is shown only where a proposal was.
    """
    if facts.rests or facts.state == "disputed":
        return labelled.label
    if not facts.decided:
        return facts.guess
    if facts.category in (None, NONE) or (labelled.label is None and labelled.changes == 0):
        return None
    return facts.category


def decide(facts: Facts, labelled: Labelled) -> list[AddLabel | RemoveLabel]:
    """Return the actions of one change, the wrong label first; none where all is well or the label is left alone."""
    wanted = wanted_label(facts, labelled)
    if labelled.left_alone or labelled.changes >= MOST_CHANGES or wanted == labelled.label:
        return []
    actions: list[AddLabel | RemoveLabel] = []
    if labelled.label is not None:
        actions.append(RemoveLabel(**_own(facts, labelled, labelled.label), number=facts.number))
    if wanted is not None:
        actions.append(AddLabel(**_own(facts, labelled, wanted), number=facts.number))
    return actions


def _own(facts: Facts, labelled: Labelled, category: str) -> _OwnLabel:
    return {
        "repository_id": facts.repository_id,
        "repository": facts.repository,
        "prefix": labelled.prefix,
        "category": category,
    }
