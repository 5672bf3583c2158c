"""What becomes of a stored delivery: its place is known again, then the features that are for its event run."""

from __future__ import annotations

from datetime import datetime

from bot.features.event import IssueEvent, Payload
from bot.features.installations import on_installation
from bot.features.lifecycle import follow_closing, on_repository
from bot.features.registration import handlers, modules
from bot.features.waking import wake
from bot.github.errors import NotFound
from bot.log_context import name_repository
from bot.secrecy import SECRECY
from bot.services import Services
from bot.store.moved import moved_to
from bot.store.repositories import gathers, is_crowded, see_gone, see_installation, see_repository
from bot.store.tables import Delivery, Repository

ISSUE_HANDLERS = handlers(modules())


async def handle(services: Services, delivery: Delivery, payload: Payload) -> str | None:
    """Handle one delivery: first its installation and repository are known again, then its feature runs.

    Returns why it is ignored, None where it was handled.
    """
    _hide_private_names(payload)
    name_repository(payload)
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
    reasons = [await handler(services, event) for handler in ISSUE_HANDLERS[delivery.event, delivery.action or ""]]
    return reasons[0] if all(reasons) else None


def _hide_private_names(payload: Payload) -> None:
    """Keep the names of private repositories out of the logs from the first request about them on."""
    lists = ("repositories", "repositories_added", "repositories_removed")
    for facts in (payload.get("repository"), *(one for name in lists for one in payload.get(name) or ())):
        if facts and facts.get("private"):
            SECRECY.hide_repository(facts["id"], facts["full_name"])


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
