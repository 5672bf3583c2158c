"""A shadow run: what another model would say of the issues that nobody decided yet; it writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from bot.decisions.teaching import Tendency
from bot.learning.predicting import predict
from bot.store.proposals import guess_of
from bot.store.training import tendency, undecided_issues
from classifier import Classifier


@dataclass(frozen=True)
class Guess:
    """The category shown first, its probability, and whether the model is sure enough to propose it."""

    category: str
    probability: float
    proposed: bool


@dataclass(frozen=True)
class Change:
    """An issue of which the two models say something else: another category, or one of them stays silent."""

    repository: str
    number: int
    before: Guess | None
    after: Guess


@dataclass(frozen=True)
class ShadowRun:
    """How many undecided issues were looked at, and those of which something else would be said, the newest first."""

    issues: int
    changes: Sequence[Change]


async def run_in_shadow(session: AsyncSession, model: Classifier) -> ShadowRun:
    """Predict every undecided issue anew and compare with its newest proposal."""
    tendencies: dict[int, Tendency] = {}
    issues, changes = 0, []
    async for one in undecided_issues(session):
        if one.repository_id not in tendencies:
            tendencies[one.repository_id] = await tendency(session, one.repository_id)
        prediction = predict(model, one.text, tendencies[one.repository_id])
        (category, probability), _ = guess_of(prediction)
        after = Guess(category, probability, prediction.proposed)
        stored = one.proposal
        before = Guess(stored.category, stored.probability, stored.proposed) if stored else None
        issues += 1
        if before is None or (before.category, before.proposed) != (after.category, after.proposed):
            changes.append(Change(one.repository, one.number, before, after))
    return ShadowRun(issues, changes)
