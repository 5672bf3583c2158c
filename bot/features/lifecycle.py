"""What happens to issues besides being closed, and to repositories.

Purpose: records follow their issues, and names and flags their repositories. Trigger: `issues` and `repository` events.
Effects: rows are updated, moved or deleted; nothing is written to GitHub but what an inbox's tick asks for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import structlog

from bot.features.collect import collect
from bot.features.event import IssueEvent, Payload
from bot.features.installations import leave
from bot.features.missed_closings import is_found_here
from bot.features.registration import Handles
from bot.features.ticks import on_tick
from bot.jobs import defer_inbox
from bot.services import Services
from bot.store.moments import github_moment
from bot.store.moved import move_issue
from bot.store.records import delete_record, find_record
from bot.store.repositories import gathers, lose_inbox, set_inbox_closed
from bot.store.tables import Repository
from bot.text import storable

log = structlog.get_logger(__name__)


async def on_issue_closed(services: Services, event: IssueEvent) -> str | None:
    """Record the issue, unless it is one of our own."""
    if event.is_about_inbox:
        async with services.database.sessions.begin() as session:
            await set_inbox_closed(session, event.repository.id, closed=True)
        return None
    author = event.payload["issue"].get("user") or {}
    if author.get("id") == await services.github.bot_user_id():
        return "the App's own issues are not recorded"
    stored = await collect(
        services, event.repository, event.number, at_closing=True, old_news=is_found_here(event.guid)
    )
    return None if stored else "GitHub had no such closed issue any more"


async def on_issue_reopened(services: Services, event: IssueEvent) -> None:
    """Note that the issue is open again; its record stays, and the next closing adds a span.

    An event that is older than the closing that is recorded tells nothing new.
    """
    happened = github_moment(event.payload["issue"].get("updated_at"))
    async with services.database.sessions.begin() as session:
        if event.is_about_inbox:
            await set_inbox_closed(session, event.repository.id, closed=False)
        record = await find_record(session, event.repository.id, event.number, lock=True)
        if record is not None and (happened is None or happened >= record.closed_at):
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
    """Let the record, and what people decided, follow the issue to a repository where the App gathers.

    It has a new number and a new id there. Elsewhere nothing may be kept of it, as if it had been deleted.
    """
    changes = event.payload.get("changes") or {}
    issue: Mapping[str, Any] | None = changes.get("new_issue")
    to: Mapping[str, Any] | None = changes.get("new_repository")
    if event.is_about_inbox or issue is None or to is None:
        await on_issue_deleted(services, event)
        return
    now = services.clock.now()
    async with services.database.sessions.begin() as session:
        target = await session.get(Repository, to["id"], with_for_update={"read": True})
        if target is not None and gathers(target):
            await move_issue(session, event.payload["issue"], event.repository, issue, target, now)
        else:
            await delete_record(session, event.repository.id, event.number, event.payload["issue"]["id"])
            target = None
    log.info("issue transferred", repository=event.repository.full_name, number=event.number, followed=bool(target))
    for repository in (event.repository, target):
        if repository is not None:
            await defer_inbox(repository.id, services.settings.inbox_delay_seconds)


async def follow_closing(services: Services, event: IssueEvent, repository_id: int, number: int) -> str | None:
    """Record a closing whose issue was transferred meanwhile where it is now; return why it was not, if so."""
    async with services.database.sessions() as session:
        target = await session.get(Repository, repository_id)
        if await find_record(session, repository_id, number) is not None:
            return "the issue was transferred, and its record with it"
    if target is None or not gathers(target):
        return "the issue was transferred to where nothing is gathered"
    issue = {**event.payload["issue"], "number": number}
    return await on_issue_closed(services, replace(event, repository=target, payload={**event.payload, "issue": issue}))


async def on_repository(services: Services, repository: Repository, payload: Payload) -> None:
    """Follow a repository: names and flags are already stored from the payload; a deleted one is left."""
    if payload["action"] == "deleted":
        await leave(services, [repository.id])
    elif gathers(repository):
        await defer_inbox(repository.id, services.settings.inbox_delay_seconds)


HANDLES: Handles = {
    ("issues", "closed"): on_issue_closed,
    ("issues", "reopened"): on_issue_reopened,
    ("issues", "edited"): on_issue_edited,
    ("issues", "deleted"): on_issue_deleted,
    ("issues", "transferred"): on_issue_transferred,
    ("issues", "locked"): on_issue_locked,
    ("issues", "unlocked"): on_issue_locked,
}
