"""One issue as it is known when what we show on it is brought up to date, and what is remembered of that.

Purpose: what is shown is decided from one moment's facts, and nothing that changes meanwhile is missed. Trigger: an
issue is due to be looked at. Effects: the row of what is shown on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.features import sticky_comment
from bot.features.labelling import Facts
from bot.services import Services
from bot.store.left_alone import left_alone
from bot.store.proposals import newest_proposals
from bot.store.shown import commented_since, shown_on
from bot.store.tables import Proposal, Record, Repository, Shown
from bot.texts.proposal import Guess
from classifier.taxonomy import NONE


@dataclass(frozen=True)
class Seen:
    """One issue as it is known now."""

    shown: Shown
    record: Record
    facts: Facts
    guess: Guess | None
    today: int


async def look(services: Services, repository: Repository, issue_id: int, now: datetime) -> Seen | None:
    """Read what is known of an issue; one that people asked to leave alone is not looked at before it changes."""
    async with services.database.sessions.begin() as session:
        shown = await shown_on(session, issue_id, lock=True)
        record = await session.get(Record, issue_id)
        if shown is None or record is None:
            return None
        if await left_alone(session, repository.id, [record.number]):
            shown.due = False
            return None
        proposal = (await newest_proposals(session, [issue_id])).get(issue_id)
        today = await commented_since(session, repository.id, now - sticky_comment.DAY)
    return Seen(shown, record, facts_of(repository, record, proposal), _guess(proposal), today)


def facts_of(repository: Repository, record: Record, proposal: Proposal | None) -> Facts:
    """Return what is known of an issue; only what the inbox could ask about is proposed, and nothing that is blind."""
    may_be_seen = (record.eligible_system or record.eligible_bug) and not record.blind and not record.backfilled
    is_proposed = proposal is not None and proposal.proposed and proposal.category != NONE
    return Facts(
        repository_id=repository.id,
        repository=repository.full_name,
        number=record.number,
        state=record.state,
        decided=record.decided_at is not None,
        category=record.category,
        guess=proposal.category if proposal is not None and is_proposed and may_be_seen else None,
        rests=record.is_open or record.category_source == "study",
    )


def _guess(proposal: Proposal | None) -> Guess | None:
    if proposal is None:
        return None
    return Guess(
        category=proposal.category,
        probability=proposal.probability,
        second=proposal.second,
        second_probability=proposal.second_probability,
        words=proposal.words[:5],
        facts=proposal.facts[:2],
        model=proposal.model,
    )


async def remember(services: Services, issue_id: int, values: dict[str, Any]) -> None:
    """Remember a write at once, so that nothing is written twice whatever becomes of this process."""
    async with services.database.sessions.begin() as session:
        shown = await shown_on(session, issue_id, lock=True)
        if shown is not None:
            _set(shown, values)


async def note(services: Services, issue_id: int, values: dict[str, Any], seen: Seen, repository: Repository) -> None:
    """Remember what came of an issue; it stays due where something changed since it was looked at."""
    async with services.database.sessions.begin() as session:
        shown = await shown_on(session, issue_id, lock=True)
        record = await session.get(Record, issue_id)
        if shown is None or record is None:
            return
        proposal = (await newest_proposals(session, [issue_id])).get(issue_id)
        is_same = facts_of(repository, record, proposal) == seen.facts and _guess(proposal) == seen.guess
        _set(shown, {"due": not is_same} | values)


def _set(shown: Shown, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(shown, name, value)
