"""What is wrong in a repository's configuration, shown in one issue that closes itself.

Purpose: a broken file is never ignored in silence. Trigger: an inbox is brought up to date or a report is built where
the App may write, and the clock, while there are mistakes. Effects: one issue a repository is created, rewritten in
place, closed when the file is mended, and opened again when it breaks anew; one that a person closed stays closed until
then, and one that a person deleted or moved is not made again.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import structlog
from apscheduler.triggers.cron import CronTrigger

from bot.config import OWNERS_REPOSITORY, Mistake
from bot.features.registration import Entry, Times
from bot.github.actions import CreateIssue, UpdateIssue
from bot.github.writer import Outcome
from bot.jobs import defer_inbox
from bot.services import Services
from bot.store.configurations import configuration_file, note_issue, repositories_with_mistakes
from bot.store.repositories import writes
from bot.store.tables import ConfigurationFile, Repository
from bot.texts.configuration import TITLE, Broken, configuration_marker, render_broken, render_mended

log = structlog.get_logger(__name__)

MISTAKES_MINUTES = "5-59/15"
"""Of every hour, at which configurations with mistakes are read again, so that the issues about them close."""


def decide(repository: Repository, file: ConfigurationFile) -> CreateIssue | UpdateIssue | None:
    """Return what makes the issue say how the file is, None where it does, or need not."""
    name, number, state = repository.full_name, file.issue_number, file.issue_state
    if state == "lost" or (not file.mistakes and state != "open"):
        return None
    if not file.mistakes:
        return UpdateIssue(repository.id, name, number or 0, body=render_mended(repository.id), state="closed")
    mistakes = [Mistake(*one) for one in file.mistakes]
    body = render_broken(Broken(repository.id, mistakes, holds_earlier=bool(file.document)))
    if state is None:
        return CreateIssue(repository.id, name, TITLE, body, configuration_marker(repository.id))
    if state == "closed":
        return UpdateIssue(repository.id, name, number or 0, body=body, state="open")
    return UpdateIssue(repository.id, name, number or 0, body=body) if file.issue_shows != _digest(body) else None


def may_show(repository: Repository, now: datetime) -> bool:
    """Say whether the issue may be there: where the repository is written to, or holds its owner's defaults.

    Those count for all of the owner's repositories, so a mistake in them is told even where nothing else is written.
    """
    name = repository.full_name.rpartition("/")[2]
    holds_defaults = name == OWNERS_REPOSITORY and repository.state == "silent" and not repository.fork
    return writes(repository, now) or (
        holds_defaults and not repository.archived and repository.installation_id is not None
    )


async def show_mistakes(services: Services, repository_id: int) -> None:
    """Bring the issue up to date, where the repository is written to."""
    async with services.database.sessions() as session:
        repository = await session.get(Repository, repository_id)
        file = await configuration_file(session, "repository", repository_id)
    if repository is None or file is None or not may_show(repository, services.clock.now()):
        return
    action = decide(repository, file)
    if action is None:
        return
    writer = await services.writer(repository.installation_id or 0, repository.id, observe=False)
    outcome = await writer.perform(action)
    if outcome.status == "skipped" and outcome.reason not in {"deleted", "transferred"}:
        log.info("mistakes in a configuration not shown", repository=repository.full_name, reason=outcome.reason)
        return
    async with services.database.sessions.begin() as session:
        await note_issue(session, repository_id, _left(action, outcome))


async def ask_again(services: Services) -> None:
    """Ask for another look at every repository whose file has mistakes, or had and still shows them."""
    async with services.database.sessions() as session:
        waiting = await repositories_with_mistakes(session)
    for repository_id in waiting:
        await defer_inbox(repository_id, services.settings.inbox_delay_seconds)


def _left(action: CreateIssue | UpdateIssue, outcome: Outcome) -> dict[str, object]:
    """Return how the issue was left, as it is stored."""
    if outcome.status == "skipped":
        return {"issue_state": "lost"}
    is_closed = isinstance(action, UpdateIssue) and action.state == "closed"
    return {
        "issue_number": outcome.number,
        "issue_state": "closed" if is_closed else "open",
        "issue_shows": _digest(action.body or ""),
    }


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


TIMES: Times = (Entry("mistakes", ask_again, CronTrigger(minute=MISTAKES_MINUTES, timezone=UTC)),)
