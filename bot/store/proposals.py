"""The model's predictions of issues: stored when they change, read newest first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, select

from bot.store.tables import ModelVersion, Proposal
from bot.text import storable
from classifier import Prediction


def guess_of(prediction: Prediction) -> tuple[tuple[str, float], tuple[str, float]]:
    """Return the first and second category to show, each with its probability.

    Where the issue is more likely not system-related, at the share of system-related issues that is met in practice,
    `none` is shown first: the classifier's own order is that of a corpus in which such issues are frequent.
    """
    best, second = prediction.top[0], prediction.top[1]
    if prediction.proposed or best[0] == "none" or prediction.system_related >= 0.5:
        return best, second
    return ("none", 1.0 - prediction.system_related), best


async def store_proposal(session: AsyncSession, issue_id: int, prediction: Prediction, now: datetime) -> Proposal:
    """Store a prediction unless the newest one of the issue says the same; return the one that counts."""
    newest = (await newest_proposals(session, [issue_id])).get(issue_id)
    (category, probability), (second, second_probability) = guess_of(prediction)
    if newest is not None and newest.model == prediction.model and newest.probabilities == prediction.probabilities:
        return newest
    await session.execute(
        insert(ModelVersion).values(version=prediction.model, state="champion", created_at=now).on_conflict_do_nothing()
    )
    proposal = Proposal(
        issue_id=issue_id,
        model=prediction.model,
        category=category,
        probability=probability,
        second=second,
        second_probability=second_probability,
        system_related=prediction.system_related,
        proposed=prediction.proposed,
        reason=prediction.reason,
        words=[storable(word) for word in prediction.words],
        probabilities=dict(prediction.probabilities),
        created_at=now,
    )
    session.add(proposal)
    return proposal


async def newest_proposals(session: AsyncSession, issue_ids: Sequence[int]) -> dict[int, Proposal]:
    """Return the newest proposal of each issue that has one, by issue id."""
    last = (
        select(func.max(col(Proposal.id))).where(col(Proposal.issue_id).in_(issue_ids)).group_by(col(Proposal.issue_id))
    )
    newest = select(Proposal).where(col(Proposal.id).in_(last))
    return {proposal.issue_id: proposal for proposal in (await session.execute(newest)).scalars()}
