"""Which feature handles which event: the whole table in one place."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.features.conversation import on_comment
from bot.features.event import IssueEvent, Payload
from bot.features.lifecycle import (
    on_installation,
    on_issue_closed,
    on_issue_deleted,
    on_issue_edited,
    on_issue_locked,
    on_issue_reopened,
    on_issue_transferred,
    on_repository,
)
from bot.services import Services
from bot.store.repositories import gathers, see_installation, see_repository
from bot.store.tables import Delivery, Installation, Repository

ISSUE_HANDLERS: dict[tuple[str, str], Callable[[Services, IssueEvent], Awaitable[None]]] = {
    ("issues", "closed"): on_issue_closed,
    ("issues", "reopened"): on_issue_reopened,
    ("issues", "edited"): on_issue_edited,
    ("issues", "deleted"): on_issue_deleted,
    ("issues", "transferred"): on_issue_transferred,
    ("issues", "locked"): on_issue_locked,
    ("issues", "unlocked"): on_issue_locked,
    ("issue_comment", "created"): on_comment,
    ("issue_comment", "edited"): on_comment,
}


async def handle(services: Services, delivery: Delivery, payload: Payload) -> None:
    """Handle one delivery: first its installation and repository are known again, then its feature runs."""
    if delivery.event in {"installation", "installation_repositories"}:
        await on_installation(services, payload)
        return
    repository = await _see(services, payload)
    if delivery.event == "repository":
        await on_repository(services, repository, payload)
        return
    bot_id = await services.github.bot_user_id()
    if delivery.sender_id == bot_id or not gathers(repository):
        return
    handler = ISSUE_HANDLERS[delivery.event, delivery.action or ""]
    await handler(services, IssueEvent(delivery.guid, repository, payload))


async def _see(services: Services, payload: Payload) -> Repository:
    """Store what the payload says of its installation and repository; an installation seen first is asked about."""
    now = services.clock.now()
    facts = payload.get("installation")
    async with services.database.sessions() as session:
        known = facts is not None and await session.get(Installation, facts["id"]) is not None
    if facts is not None and not known:
        facts = await services.github.app_get(f"/app/installations/{facts['id']}")
    async with services.database.sessions.begin() as session:
        installation = await see_installation(session, facts, now) if facts is not None else None
        await session.flush()
        return await see_repository(session, payload["repository"], installation, now, services.settings.observe_days)
