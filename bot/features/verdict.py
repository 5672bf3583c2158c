"""What people's decisions make of a record.

Purpose: one category per issue, or a dispute that is shown. Trigger: every decision, undo and new prediction.
Effects: none; `settle` is pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Said:
    """One decision that stands: who said it, what, and where; no category is a new code that the book lacks."""

    person_id: int | None
    category: str | None
    category2: str | None
    none_kind: str | None
    via: str
    decided_at: datetime


@dataclass(frozen=True)
class Settled:
    """The record's state and category; the category is None while nobody decided or two people disagree."""

    state: str
    category: str | None = None
    category2: str | None = None
    none_kind: str | None = None
    category_source: str | None = None
    decided_at: datetime | None = None


def settle(decisions: Sequence[Said], guess: str | None, *, proposed: bool, resolution: Said | None = None) -> Settled:
    """Fold the decisions that were not undone, oldest first, into the record's state.

    `guess` is the category the model names, `proposed` whether it was sure enough to propose it. Each person's last
    word counts. Agreement with the guess is `confirmed`, another category `corrected`, `none` against a category
    `rejected`; two people of different opinion make the record `disputed`. A new code decides nothing, but against a
    category it is another opinion. A `resolution` stands for all that was said up to it.
    """
    if resolution is not None:
        decisions = [resolution, *(said for said in decisions if said.decided_at > resolution.decided_at)]
    standing = list({said.person_id: said for said in decisions}.values())
    if all(said.category is None for said in standing):
        return Settled("proposed" if proposed else "collected")
    newest = max(standing, key=lambda said: said.decided_at)
    if len({said.category for said in standing}) > 1:
        return Settled("disputed", decided_at=newest.decided_at)
    source = {"label": "label", "study": "study"}.get(newest.via, "decision")
    if newest.category == guess:
        state = "confirmed"
    elif newest.category == "none" and guess is not None:
        state = "rejected"
    else:
        state = "corrected"
    return Settled(state, newest.category, newest.category2, newest.none_kind, source, newest.decided_at)
