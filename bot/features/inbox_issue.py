"""The inbox: one issue per repository in which maintainers decide in a glance.

Purpose: show the questions that are open, and nothing else. Trigger: a closing was recorded, a decision was made,
a box was ticked; requests within a short delay are one. Effects: the week's choice is stored; the inbox issue is
created at first need and rewritten in place; it is never closed or reopened by the App.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.features.links import quiet_link
from bot.features.selection import Candidate, choose, week_of
from bot.github.actions import Action, CreateIssue, UpdateIssue
from bot.services import Services
from bot.store.proposals import newest_proposals
from bot.store.repositories import gathers, writes
from bot.store.tables import Proposal, Record, Repository
from bot.texts.inbox import TITLE, Inbox, Line, inbox_marker, render_inbox, ticked
from reports.markdown import plain

log = structlog.get_logger(__name__)

EXPIRES_AFTER = timedelta(days=30)
"""How long a question stays without an answer (product.md)."""


@dataclass(frozen=True)
class InboxFacts:
    """What the inbox of one repository is made from."""

    repository: Repository
    records: Sequence[Record]
    proposals: dict[int, Proposal]
    now: datetime


def decide(facts: InboxFacts) -> list[Action]:
    """Return the one action that makes the inbox say what is open now, or none where there is nothing to say yet."""
    repository = facts.repository
    if repository.inbox_closed:
        return []
    inbox = _inbox(facts)
    if repository.inbox_number is None:
        if not inbox.sample and not inbox.targeted:
            return []
        marker = inbox_marker(repository.id)
        return [CreateIssue(repository.id, repository.full_name, TITLE, render_inbox(inbox), marker)]
    body = render_inbox(inbox)
    if repository.inbox_body_digest == digest(body):
        return []
    return [UpdateIssue(repository.id, repository.full_name, repository.inbox_number, body=body)]


async def refresh(services: Services, repository_id: int) -> None:
    """Choose the questions of each week anew, then bring the issue up to date where the repository is written to."""
    now = services.clock.now()
    async with services.database.sessions.begin() as session:
        repository = await session.get(Repository, repository_id)
        if repository is None or not gathers(repository):
            return
        facts = await _facts(session, repository, now)
        _choose(facts)
    if not writes(repository, now) or repository.installation_id is None:
        return
    if repository.inbox_number is not None and await _is_someone_elses_turn(services, repository, facts):
        return
    for action in decide(facts):
        await _perform(services, repository, action)


async def _perform(services: Services, repository: Repository, action: Action) -> None:
    installation_id = repository.installation_id
    if installation_id is None or not isinstance(action, CreateIssue | UpdateIssue) or action.body is None:
        return
    writer = await services.writer(installation_id, repository.id, observe=False)
    outcome = await writer.perform(action)
    if outcome.status not in {"done", "unchanged"}:
        log.info("inbox not written", repository=repository.full_name, reason=outcome.reason)
        return
    async with services.database.sessions.begin() as session:
        stored = await session.get_one(Repository, repository.id)
        if isinstance(action, CreateIssue):
            stored.inbox_number = outcome.number
            stored.inbox_issue_id = outcome.github_id
        stored.inbox_body_digest = digest(action.body)


async def _is_someone_elses_turn(services: Services, repository: Repository, facts: InboxFacts) -> bool:
    """Look at the inbox before it is rewritten: a closed one is left alone, a new tick is read first.

    The tick's own delivery names who ticked, and brings the inbox up to date afterwards.
    """
    client = services.client(repository.installation_id or 0)
    issue = await client.get(f"/repos/{repository.full_name}/issues/{repository.inbox_number}")
    if issue["state"] == "closed":
        async with services.database.sessions.begin() as session:
            (await session.get_one(Repository, repository.id)).inbox_closed = True
        log.info("inbox closed by a person", repository=repository.full_name)
        return True
    undecided = {record.issue_id for record in facts.records if record.category is None}
    return any(issue_id in undecided for issue_id in ticked(issue["body"] or ""))


def digest(body: str) -> str:
    """Return what stands for an inbox body in the database."""
    return hashlib.sha256(body.encode()).hexdigest()


async def _facts(session: AsyncSession, repository: Repository, now: datetime) -> InboxFacts:
    eligible = (
        select(Record)
        .where(Record.repository_id == repository.id, col(Record.is_open).is_(False))
        .where(col(Record.eligible_system) | col(Record.eligible_bug))
        .order_by(col(Record.closed_at).desc(), col(Record.number).desc())
        .with_for_update()
    )
    records = (await session.execute(eligible)).scalars().all()
    proposals = await newest_proposals(session, [record.issue_id for record in records])
    return InboxFacts(repository, records, proposals, now)


def _choose(facts: InboxFacts) -> None:
    """Write each week's choice into its records."""
    weeks: dict[str, list[Record]] = {}
    for record in facts.records:
        if record.issue_id in facts.proposals:
            weeks.setdefault(week_of(record.closed_at), []).append(record)
    for week, records in weeks.items():
        candidates = [_candidate(record, facts.proposals[record.issue_id]) for record in records]
        choices = choose(facts.repository.id, week, candidates)
        for record in records:
            choice = choices[record.issue_id]
            record.selection = choice.selection
            record.selection_probability = choice.probability
            record.blind = choice.blind
            if choice.selection in {"random", "targeted"} and record.asked_at is None:
                record.asked_at = facts.now


def _candidate(record: Record, proposal: Proposal) -> Candidate:
    margin = proposal.probability - proposal.second_probability
    return Candidate(record.issue_id, margin, record.decided_at is not None, record.selection)


def _inbox(facts: InboxFacts) -> Inbox:
    asked = [record for record in facts.records if record.selection in {"random", "targeted"}]
    waiting = [record for record in asked if record.decided_at is None]
    fresh = [record for record in waiting if not _expired(record, facts.now)]
    lines = {record.issue_id: _line(record, facts.proposals[record.issue_id]) for record in fresh}
    models = sorted({proposal.model for proposal in facts.proposals.values()})
    return Inbox(
        repository_id=facts.repository.id,
        sample=[lines[record.issue_id] for record in fresh if record.selection == "random"],
        targeted=[lines[record.issue_id] for record in fresh if record.selection == "targeted"],
        decided=sum(record.decided_at is not None for record in facts.records),
        expired=len(waiting) - len(fresh),
        model=models[-1] if models else "no model yet",
    )


def _expired(record: Record, now: datetime) -> bool:
    return record.asked_at is not None and record.asked_at + EXPIRES_AFTER <= now


def _line(record: Record, proposal: Proposal) -> Line:
    return Line(
        issue_id=record.issue_id,
        number=record.number,
        url=quiet_link(record.html_url or ""),
        title=plain(record.title),
        open_days=record.open_days,
        guess=None if record.blind else (proposal.category, proposal.probability),
        second=(proposal.second, proposal.second_probability),
        unsure=not proposal.proposed and proposal.category != "none",
        words=tuple(f"*{plain(word, 30)}*" for word in proposal.words[:3]),
    )
