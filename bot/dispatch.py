"""Which feature handles which event: the whole table in one place."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime

from bot.features.conversation import on_comment
from bot.features.event import IssueEvent, Payload
from bot.features.installations import on_installation
from bot.features.label_decisions import on_label
from bot.features.lifecycle import (
    follow_closing,
    on_issue_closed,
    on_issue_deleted,
    on_issue_edited,
    on_issue_locked,
    on_issue_reopened,
    on_issue_transferred,
    on_repository,
)
from bot.features.waking import wake
from bot.github.errors import NotFound
from bot.services import Services
from bot.store.moved import moved_to
from bot.store.repositories import gathers, is_crowded, see_gone, see_installation, see_repository
from bot.store.tables import Delivery, Repository

ISSUE_HANDLERS: dict[tuple[str, str], Callable[[Services, IssueEvent], Awaitable[None]]] = {
    ("issues", "closed"): on_issue_closed,
    ("issues", "reopened"): on_issue_reopened,
    ("issues", "edited"): on_issue_edited,
    ("issues", "deleted"): on_issue_deleted,
    ("issues", "transferred"): on_issue_transferred,
    ("issues", "locked"): on_issue_locked,
    ("issues", "unlocked"): on_issue_locked,
    ("issues", "labeled"): on_label,
    ("issues", "unlabeled"): on_label,
    ("issue_comment", "created"): on_comment,
    ("issue_comment", "edited"): on_comment,
}


async def handle(services: Services, delivery: Delivery, payload: Payload) -> str | None:
    """Handle one delivery: first its installation and repository are known again, then its feature runs.

    Returns why it is ignored, None where it was handled.
    """
    if delivery.event in {"installation", "installation_repositories"}:
        return await on_installation(services, payload, delivery.received_at)
    repository = await _see(services, payload, delivery.received_at)
    if repository is None:
        async with services.database.sessions.begin() as session:
            await see_gone(session, [payload["repository"]], delivery.received_at)
        return "the App is not installed there any more"
    if delivery.event == "repository":
        await on_repository(services, repository, payload)
        return None
    if delivery.sender_id == await services.github.bot_user_id():
        return "the App did this itself"
    repository = await wake(services, repository)
    if not gathers(repository):
        return f"nothing is gathered in this repository, it is {repository.state}"
    event = IssueEvent(delivery.guid, repository, payload)
    async with services.database.sessions() as session:
        moved = await moved_to(session, repository.id, event.number)
    if moved is not None:
        if (delivery.event, delivery.action) == ("issues", "closed"):
            return await follow_closing(services, event, moved.to_repository_id, moved.to_number)
        return f"the issue was transferred, it is #{moved.to_number} of repository {moved.to_repository_id} now"
    await ISSUE_HANDLERS[delivery.event, delivery.action or ""](services, event)
    return None


async def _see(services: Services, payload: Payload, received_at: datetime) -> Repository | None:
    """Store what the payload says of its repository; return None where the App is not installed there any more.

    Deliveries may arrive after the App was taken away, or before the event that says it was installed: where a
    repository is not known as covered, GitHub is asked.
    """
    facts = payload.get("installation")
    if facts is not None and not await _is_covered(services, facts["id"], payload["repository"]["id"]):
        try:
            facts = await services.github.app_get(f"/repos/{payload['repository']['full_name']}/installation")
        except NotFound:
            return None
    async with services.database.sessions.begin() as session:
        installation = await see_installation(session, facts, received_at) if facts is not None else None
        await session.flush()
        seen = payload["repository"]
        crowded = installation is not None and await is_crowded(session, installation.id, [seen["id"]])
        days = services.settings.observe_days
        return await see_repository(session, seen, installation, received_at, days, crowded=crowded)


async def _is_covered(services: Services, installation_id: int, repository_id: int) -> bool:
    """Say whether the repository is known to be covered by this installation."""
    async with services.database.sessions() as session:
        repository = await session.get(Repository, repository_id)
    return repository is not None and repository.state != "removed" and repository.installation_id == installation_id
