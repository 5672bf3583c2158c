"""Boxes ticked in the inbox.

Purpose: confirming takes one click. Trigger: a person edited the inbox issue. Effects: decisions; the inbox is
brought up to date.
"""

from __future__ import annotations

from sqlmodel import col, select

from bot.commands.rights import Rights
from bot.features.event import IssueEvent
from bot.jobs import defer_inbox
from bot.services import Services
from bot.store.decisions import add_decision, see_person, settle_record
from bot.store.proposals import newest_proposals
from bot.store.tables import Decision, Record, Repository
from bot.texts.inbox import ticked


def newly_ticked(before: str, after: str) -> tuple[int, ...]:
    """Return the ids of the issues whose boxes an edit ticked."""
    earlier = set(ticked(before))
    return tuple(issue_id for issue_id in ticked(after) if issue_id not in earlier)


async def on_tick(services: Services, event: IssueEvent) -> None:
    """Confirm what was ticked; a box of a question that is decided, or asked blind, says nothing new."""
    repository, sender = event.repository, event.payload["sender"]
    issue_ids = newly_ticked(event.body_before, event.payload["issue"].get("body") or "")
    if issue_ids and sender.get("type") != "Bot":
        lookup = services.rights(repository.installation_id or 0)
        rights = await lookup.of(repository.id, repository.full_name, sender["id"], sender["login"])
        if rights >= Rights.TRIAGE:
            await _confirm(services, event, issue_ids)
    await _forget_body(services, repository)
    await defer_inbox(repository.id, services.settings.inbox_delay_seconds)


async def _confirm(services: Services, event: IssueEvent, issue_ids: tuple[int, ...]) -> None:
    repository, sender, now = event.repository, event.payload["sender"], services.clock.now()
    async with services.database.sessions.begin() as session:
        await see_person(session, sender, now)
        wanted = (
            select(Record)
            .where(Record.repository_id == repository.id, col(Record.issue_id).in_(issue_ids))
            .order_by(col(Record.issue_id))
            .with_for_update()
        )
        records = (await session.execute(wanted)).scalars().all()
        proposals = await newest_proposals(session, issue_ids)
        for record in records:
            proposal = proposals.get(record.issue_id)
            if proposal is None or record.blind or record.decided_at is not None:
                continue
            await add_decision(
                session,
                Decision(
                    issue_id=record.issue_id,
                    repository_id=repository.id,
                    person_id=sender["id"],
                    category=proposal.category,
                    via="tick",
                    source=f"tick:{event.guid}:{record.issue_id}",
                    decided_at=now,
                ),
            )
            await settle_record(session, record)


async def _forget_body(services: Services, repository: Repository) -> None:
    """Make the next refresh rewrite the issue, which no longer holds what we wrote, even if nothing else changed."""
    async with services.database.sessions.begin() as session:
        (await session.get_one(Repository, repository.id)).inbox_body_digest = None
