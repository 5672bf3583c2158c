"""What happens to issues, repositories and installations besides being closed.

Purpose: records follow their issues, and nothing is gathered or written where the App is not wanted. Trigger:
`issues`, `repository` and `installation` events. Effects: rows are updated, moved or deleted; nothing is written to
GitHub but what an inbox's tick asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import structlog
from sqlalchemy import case
from sqlmodel import col, delete, select, update

from bot.features.backfill import begin_after_installation
from bot.features.collect import collect
from bot.features.event import IssueEvent, Payload
from bot.features.ticks import on_tick
from bot.jobs import defer_inbox
from bot.services import Services
from bot.store.records import delete_record, find_record
from bot.store.repositories import is_crowded, lose_inbox, see_installation, see_repository, set_inbox_closed
from bot.store.tables import EvidenceText, LaterComments, Repository
from bot.text import storable

log = structlog.get_logger(__name__)


async def on_issue_closed(services: Services, event: IssueEvent) -> None:
    """Record the issue, unless it is one of our own."""
    if event.is_about_inbox:
        async with services.database.sessions.begin() as session:
            await set_inbox_closed(session, event.repository.id, closed=True)
        return
    author = event.payload["issue"].get("user") or {}
    if author.get("id") == await services.github.bot_user_id():
        return
    await collect(services, event.repository, event.number, at_closing=True)


async def on_issue_reopened(services: Services, event: IssueEvent) -> None:
    """Note that the issue is open again; its record stays, and the next closing adds a span."""
    async with services.database.sessions.begin() as session:
        if event.is_about_inbox:
            await set_inbox_closed(session, event.repository.id, closed=False)
        record = await find_record(session, event.repository.id, event.number, lock=True)
        if record is not None:
            record.is_open = True
    await defer_inbox(event.repository.id, services.settings.inbox_delay_seconds)


async def on_issue_edited(services: Services, event: IssueEvent) -> None:
    """Take a ticked box of the inbox as a decision; elsewhere follow a changed title."""
    if event.is_about_inbox:
        await on_tick(services, event)
        return
    async with services.database.sessions.begin() as session:
        record = await find_record(session, event.repository.id, event.number, lock=True)
        if record is not None:
            record.title = storable(event.payload["issue"]["title"])


async def on_issue_locked(services: Services, event: IssueEvent) -> None:
    """Note whether the issue's conversation is locked."""
    async with services.database.sessions.begin() as session:
        record = await find_record(session, event.repository.id, event.number, lock=True)
        if record is not None:
            record.locked = event.payload["action"] == "locked"


async def on_issue_deleted(services: Services, event: IssueEvent) -> None:
    """Delete the issue's record with everything that belongs to it; an inbox that was deleted is not made again."""
    async with services.database.sessions.begin() as session:
        if event.is_about_inbox:
            await lose_inbox(session, event.repository.id)
        await delete_record(session, event.repository.id, event.number, event.payload["issue"]["id"])
    await defer_inbox(event.repository.id, services.settings.inbox_delay_seconds)


async def on_issue_transferred(services: Services, event: IssueEvent) -> None:
    """Drop the record: the issue has a new number and a new id elsewhere, and its next closing records it there."""
    await on_issue_deleted(services, event)


async def on_repository(services: Services, repository: Repository, payload: Payload) -> None:
    """Follow a repository: names and flags are already stored from the payload; a deleted one is forgotten."""
    if payload["action"] == "deleted":
        await _leave(services, [repository.id])


async def on_installation(services: Services, payload: Payload, received_at: datetime) -> None:
    """Follow an installation: its state, and the repositories that were added to it or taken away."""
    now = services.clock.now()
    action = payload["action"]
    async with services.database.sessions.begin() as session:
        installation = await see_installation(session, payload["installation"], now)
        if action == "deleted":
            installation.state, installation.removed_at = "removed", now
        elif action in {"created", "suspend", "unsuspend"}:
            installation.state = "suspended" if action == "suspend" else "active"
        await session.flush()
        chosen = [*(payload.get("repositories") or []), *(payload.get("repositories_added") or [])]
        if action != "deleted":
            crowded = await is_crowded(session, installation.id, [facts["id"] for facts in chosen])
            for facts in chosen:
                days = services.settings.observe_days
                await see_repository(session, facts, installation, received_at, days, crowded=crowded)
    covered = select(Repository.id).where(Repository.installation_id == payload["installation"]["id"])
    if action != "deleted":
        gone = [facts["id"] for facts in payload.get("repositories_removed") or []]
        covered = covered.where(col(Repository.id).in_(gone))
    async with services.database.sessions() as session:
        left = list((await session.execute(covered)).scalars())
    await _leave(services, left)
    if action != "deleted":
        await begin_after_installation(services, [facts["id"] for facts in chosen])


async def _leave(services: Services, repository_ids: Sequence[int]) -> None:
    """Stop gathering and writing there, and delete the texts that were kept for predictions.

    Nobody names them any more; those that shared nothing go on sharing nothing.
    """
    if not repository_ids:
        return
    share = case((col(Repository.share) == "off", "off"), else_="group")
    async with services.database.sessions.begin() as session:
        await session.execute(
            update(Repository)
            .where(col(Repository.id).in_(repository_ids))
            .values(state="removed", installation_id=None, share=share)
        )
        for texts in (EvidenceText, LaterComments):
            await session.execute(delete(texts).where(col(texts.repository_id).in_(repository_ids)))
    log.info("repositories left", repositories=len(repository_ids))
