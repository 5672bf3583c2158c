"""Boxes ticked in the inbox.

Purpose: confirming takes one click. Trigger: a person edited the inbox issue; or the inbox is about to be rewritten.
Effects: decisions; the inbox is brought up to date.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.commands.rights import Rights
from bot.features.event import IssueEvent
from bot.features.questions import is_asked
from bot.features.tick_history import Tick, last_edit, standing_ticks, unread_of
from bot.github.edits import TextVersion, read_versions
from bot.github.readback import holds
from bot.jobs import defer_inbox
from bot.services import Services
from bot.store.configurations import configuration_of
from bot.store.decisions import add_decision, see_person, settle_record
from bot.store.proposals import newest_proposals
from bot.store.tables import Decision, Record, Repository

_FEW_VERSIONS = 5


@dataclass(frozen=True)
class Taken:
    """What reading an inbox's history brought: whether anything was decided, and when a person edited it last."""

    confirmed: bool
    edited_at: datetime | None


async def on_tick(services: Services, event: IssueEvent) -> None:
    """Confirm what was ticked; a box of a question that is decided, expired, or asked blind, says nothing new."""
    if event.body_before != event.body_after:
        edited_at = datetime.fromisoformat(event.payload["issue"]["updated_at"])
        before = TextVersion(None, edited_at, event.body_before, None)
        after = TextVersion(None, edited_at, event.body_after, event.payload["sender"])
        await take_ticks(services, event.repository, (before, after))
    await defer_inbox(event.repository.id, services.settings.inbox_delay_seconds)


async def take_ticks(services: Services, repository: Repository, told: Sequence[TextVersion] = ()) -> Taken:
    """Confirm what people ticked in the inbox since it was read last and did not take back, as whoever ticked it.

    GitHub keeps every version of a text with its editor, so a tick counts even where its event was lost, or another
    person's text or ours wrote over it. `told` is the text before and after an edit that an event tells of: it counts
    by itself where GitHub's history does not show it.
    """
    if repository.inbox_number is None:
        return Taken(confirmed=False, edited_at=None)
    async with services.database.sessions() as session:
        bots = services.bots(await configuration_of(session, repository.id))
    versions = await _versions(services, repository, repository.inbox_number)
    unread, newest = unread_of(versions, repository.inbox_read_edit), versions[-1].id if versions else None
    ticks = [tick for tick in standing_ticks(versions, bots) if tick.version in unread]
    if told and not any(holds({"body": version.text}, {"body": told[-1].text}) for version in versions):
        ticks += standing_ticks(told, bots)
    confirmed = False
    for tick in ticks:
        editor = tick.version.editor
        rights = Rights.NONE if editor is None else await services.rights_of(repository, editor)
        if rights is Rights.UNKNOWN:
            newest = None  # it is asked again the next time
        elif rights >= Rights.WRITE:
            confirmed |= await _confirm(services, repository, tick)
    if newest is not None:
        async with services.database.sessions.begin() as session:
            (await session.get_one(Repository, repository.id)).inbox_read_edit = newest
    return Taken(confirmed, last_edit(versions, bots))


async def _versions(services: Services, repository: Repository, number: int) -> list[TextVersion]:
    """Return the inbox's last versions: a few, where the one that was read last is among them, since each is long."""
    client = services.client(repository.installation_id or 0)
    few = await read_versions(client, repository.full_name, number, _FEW_VERSIONS)
    if len(few) < _FEW_VERSIONS or any(version.id == repository.inbox_read_edit for version in few):
        return few
    return await read_versions(client, repository.full_name, number)


async def _confirm(services: Services, repository: Repository, tick: Tick) -> bool:
    """Store a tick as a decision; return whether it counted."""
    editor, edited_at, now = tick.version.editor or {}, tick.version.edited_at, services.clock.now()
    async with services.database.sessions.begin() as session:
        record = await session.get(Record, tick.issue_id, with_for_update=True)
        if record is None or record.repository_id != repository.id or record.blind or record.is_open:
            return False
        proposal = (await newest_proposals(session, [tick.issue_id])).get(tick.issue_id)
        if proposal is None or not is_asked(record, now) or await _is_dealt_with(session, tick):
            return False
        await see_person(session, editor, now)
        await add_decision(
            session,
            Decision(
                issue_id=record.issue_id,
                repository_id=repository.id,
                person_id=editor["id"],
                category=proposal.category,
                via="tick",
                source=f"tick:{record.issue_id}:{editor['id']}:{edited_at.isoformat()}",
                decided_at=now,
            ),
        )
        await settle_record(session, record)
    return True


async def _is_dealt_with(session: AsyncSession, tick: Tick) -> bool:
    """Say whether a decision came after the tick, even one that was taken back: the tick is done with."""
    later = select(Decision.id).where(
        Decision.issue_id == tick.issue_id, col(Decision.decided_at) >= tick.version.edited_at
    )
    return (await session.execute(later.limit(1))).first() is not None
