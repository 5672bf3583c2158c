"""Boxes ticked in the inbox.

Purpose: confirming takes one click. Trigger: a person edited the inbox issue; or the inbox is about to be rewritten
and holds a tick whose event has not arrived. Effects: decisions; the inbox is brought up to date.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from sqlmodel import col, select

from bot.commands.rights import Rights
from bot.features.event import IssueEvent, is_bot_account
from bot.github.edits import TextVersion, read_versions
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


def who_ticked(versions: Sequence[TextVersion], wanted: Collection[int]) -> dict[int, TextVersion]:
    """Return the last version, of a text's versions in order, that ticked each of the wanted issues' boxes."""
    found = {}
    for before, after in pairwise(versions):
        for issue_id in newly_ticked(before.text, after.text):
            if issue_id in wanted:
                found[issue_id] = after
    return found


async def on_tick(services: Services, event: IssueEvent) -> None:
    """Confirm what was ticked; a box of a question that is decided, or asked blind, says nothing new."""
    issue_ids = newly_ticked(event.body_before, event.body_after)
    edited_at = datetime.fromisoformat(event.payload["issue"]["updated_at"])
    await _confirm(services, event.repository, event.payload["sender"], issue_ids, edited_at)
    await defer_inbox(event.repository.id, services.settings.inbox_delay_seconds)


async def take_ticks(services: Services, repository: Repository, body: str) -> bool:
    """Confirm what is ticked in the inbox as it stands, as whoever ticked it; return whether anything was.

    GitHub keeps every version of a text with its editor, so a tick counts even where its event was lost. The rights
    are those the editor has now.
    """
    issue_ids = ticked(body)
    async with services.database.sessions() as session:
        undecided = select(Record.issue_id).where(
            Record.repository_id == repository.id, col(Record.issue_id).in_(issue_ids), col(Record.decided_at).is_(None)
        )
        wanted = set((await session.execute(undecided)).scalars())
    if not wanted or repository.inbox_number is None:
        return False
    client = services.client(repository.installation_id or 0)
    versions = await read_versions(client, repository.full_name, repository.inbox_number)
    confirmed = False
    for issue_id, version in sorted(who_ticked(versions, wanted).items()):
        if version.editor is not None:
            confirmed |= await _confirm(services, repository, version.editor, (issue_id,), version.edited_at)
    return confirmed


async def _confirm(
    services: Services, repository: Repository, person: Mapping[str, Any], issue_ids: Sequence[int], edited_at: datetime
) -> bool:
    """Store the ticks of one edit as decisions; return whether any counted.

    A tick that a decision came after is done with, even where that decision was taken back.
    """
    if not issue_ids or is_bot_account(person, services.settings.bot_logins):
        return False
    lookup = services.rights(repository.installation_id or 0)
    if await lookup.of(repository.id, repository.full_name, person["id"], person["login"]) < Rights.WRITE:
        return False
    now, confirmed = services.clock.now(), False
    async with services.database.sessions.begin() as session:
        await see_person(session, person, now)
        wanted = (
            select(Record)
            .where(Record.repository_id == repository.id, col(Record.issue_id).in_(issue_ids))
            .order_by(col(Record.issue_id))
            .with_for_update()
        )
        records = (await session.execute(wanted)).scalars().all()
        proposals = await newest_proposals(session, issue_ids)
        dealt_with = select(Decision.issue_id).where(
            col(Decision.issue_id).in_(issue_ids), Decision.decided_at >= edited_at
        )
        done = set((await session.execute(dealt_with)).scalars())
        for record in records:
            proposal = proposals.get(record.issue_id)
            if proposal is None or record.blind or record.decided_at is not None or record.issue_id in done:
                continue
            await add_decision(
                session,
                Decision(
                    issue_id=record.issue_id,
                    repository_id=repository.id,
                    person_id=person["id"],
                    category=proposal.category,
                    via="tick",
                    source=f"tick:{record.issue_id}:{person['id']}:{edited_at.isoformat()}",
                    decided_at=now,
                ),
            )
            await settle_record(session, record)
            confirmed = True
    return confirmed
