"""The model's predictions of issues: stored when they change, read newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import BigInteger, cast, true
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased
from sqlalchemy.sql.elements import SQLCoreOperations
from sqlmodel import col, func, select

from bot.store.left_alone import is_left_alone
from bot.store.tables import ModelVersion, Proposal, Record
from bot.text import storable
from classifier import Prediction
from classifier.taxonomy import NONE


def guess_of(prediction: Prediction) -> tuple[tuple[str, float], tuple[str, float]]:
    """Return the first and second category to show, each with its probability.

    The probabilities are those at the share of system-related issues that is met in practice: `system_related` is
    shared out over the 15 categories as the classifier weighs them, the rest is `none`. A category that is proposed
    stands first; where nothing is proposed the likeliest does, `none` included.
    """
    met = shares_met(prediction.probabilities, prediction.system_related)
    order = sorted(met, key=lambda key: (not (prediction.proposed and key == prediction.category), -met[key], key))
    return (order[0], met[order[0]]), (order[1], met[order[1]])


def shares_met(probabilities: Mapping[str, float], system_related: float) -> dict[str, float]:
    """Return the 16 probabilities at the share of system-related issues that is met in practice; they sum to 1."""
    of_system = {key: value for key, value in probabilities.items() if key != NONE}
    scale = system_related / (sum(of_system.values()) or 1.0)
    return {key: value * scale for key, value in of_system.items()} | {NONE: 1.0 - system_related}


async def store_proposal(
    session: AsyncSession, issue_id: int, prediction: Prediction, now: datetime
) -> Proposal | None:
    """Store a prediction unless the newest one of the issue says the same; return the one that counts.

    None where there is none, since the issue is left alone.
    """
    return (await store_proposals(session, {issue_id: prediction}, now)).get(issue_id)


async def store_proposals(
    session: AsyncSession, predictions: Mapping[int, Prediction], now: datetime
) -> dict[int, Proposal]:
    """Store the predictions of issues but for those that say the same as the newest one; return those that count.

    A decided issue keeps the proposal that it was decided with, or another model could turn what was confirmed into
    something corrected. One that is left alone gets none.
    """
    counting = await newest_proposals(session, list(predictions))
    as_it_is = select(Record.issue_id).where(
        col(Record.issue_id).in_(predictions),
        (col(Record.decided_at).is_not(None) & col(Record.issue_id).in_(counting)) | is_left_alone(),
    )
    kept = set((await session.execute(as_it_is)).scalars())
    for version in sorted({prediction.model for prediction in predictions.values()}):
        await session.execute(
            insert(ModelVersion).values(version=version, state="shipped", created_at=now).on_conflict_do_nothing()
        )
    for issue_id, prediction in predictions.items():
        if issue_id in kept:
            continue
        newest = counting.get(issue_id)
        if newest is None or (newest.model, newest.probabilities) != (prediction.model, prediction.probabilities):
            counting[issue_id] = _proposal(issue_id, prediction, now)
            session.add(counting[issue_id])
    return counting


def _proposal(issue_id: int, prediction: Prediction, now: datetime) -> Proposal:
    (category, probability), (second, second_probability) = guess_of(prediction)
    return Proposal(
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
        facts=[storable(fact) for fact in prediction.facts],
        probabilities=dict(prediction.probabilities),
        created_at=now,
    )


async def newest_proposals(session: AsyncSession, issue_ids: Sequence[int]) -> dict[int, Proposal]:
    """Return the newest proposal of each issue that has one, by issue id."""
    wanted = func.unnest(cast(list(issue_ids), ARRAY(BigInteger))).table_valued("issue_id").render_derived()
    newest = newest_proposal(wanted.c.issue_id)
    found = await session.execute(select(newest).join_from(wanted, newest, true()))
    return {proposal.issue_id: proposal for proposal in found.scalars()}


def newest_proposal(issue_id: SQLCoreOperations[int]) -> type[Proposal]:
    """Return the newest proposal of the issue that a statement is at, to be joined by `true()`."""
    of_one = select(Proposal).where(col(Proposal.issue_id) == issue_id)
    return aliased(Proposal, of_one.order_by(col(Proposal.id).desc()).limit(1).lateral())
