"""What people's decisions make of a record: one category per issue, or a dispute that is shown; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Said:
    """One decision that stands: who said it, what, and where; no category is a new code that the book lacks.

    By a label no category means that the guess was refused, without a word on what it is instead.

    `maintains` says that the person had maintain rights then, so that the word ends a disagreement.
    """

    person_id: int | None
    category: str | None
    category2: str | None
    none_kind: str | None
    via: str
    decided_at: datetime
    maintains: bool = False


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
    `rejected`, and so is a guess that was only refused; two people of different opinion make the record `disputed`. A
    new code decides nothing, but against a category it is another opinion. A `resolution` stands for all that was said
    up to it; so does what somebody with maintain rights says of a disagreement, a third person or one of the two once
    more.
    """
    standing = _standing(decisions, resolution)
    if all(said.category is None for said in standing):
        refused = [said.decided_at for said in standing if said.via == "label"]
        if refused:
            return Settled("rejected", decided_at=max(refused))
        return Settled("proposed" if proposed else "collected")
    newest = max(standing, key=lambda said: said.decided_at)
    if _differ(standing):
        return Settled("disputed", decided_at=newest.decided_at)
    source = {"label": "label", "study": "study"}.get(newest.via, "decision")
    if newest.category == guess:
        state = "confirmed"
    elif newest.category == "none" and guess is not None:
        state = "rejected"
    else:
        state = "corrected"
    return Settled(state, newest.category, newest.category2, newest.none_kind, source, newest.decided_at)


def answers_given(decisions: Sequence[Said], resolution: Said | None = None) -> tuple[str | None, ...]:
    """Return what people's last words say, in the order they were said; more than one answer is a disagreement.

    None stands for a word that names no category of the book.
    """
    return tuple(dict.fromkeys(said.category for said in _standing(decisions, resolution)))


def _standing(decisions: Sequence[Said], resolution: Said | None) -> list[Said]:
    """Return each person's last word, but for those that a resolution or a maintainer's word has ended."""
    if resolution is not None:
        decisions = [resolution, *(said for said in decisions if said.decided_at > resolution.decided_at)]
    standing: dict[int | None, Said] = {}
    for said in decisions:
        if said.maintains and _differ(standing.values()):
            standing.clear()
        standing[said.person_id] = said
    return list(standing.values())


def _differ(standing: Iterable[Said]) -> bool:
    return len({said.category for said in standing}) > 1
