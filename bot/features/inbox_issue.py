"""The inbox: one issue per repository in which maintainers decide in a glance.

Purpose: show the questions that are open, and nothing else. Trigger: a closing was recorded, a decision was made,
a box was ticked, the first days of watching are over; requests within a short delay are one. Effects: the week's
choice is stored; the inbox issue is created at first need and rewritten in place; it is never closed by the App, and
opened again only for a person who asks for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from bot.config import DEFAULTS, Configuration
from bot.features.configuration import heed
from bot.features.configuration_issue import show_mistakes
from bot.features.questions import Questions, choose_questions, note_asked
from bot.features.ticks import take_ticks
from bot.github.actions import CreateIssue, UpdateIssue
from bot.github.errors import Gone, IssuesDisabled, NotFound
from bot.github.labels import existing_labels
from bot.github.links import quiet_link
from bot.github.readback import holds
from bot.jobs import defer_inbox
from bot.services import Services
from bot.store.repositories import gathers, lose_inbox, set_inbox_closed, writes
from bot.store.tables import Proposal, Record, Repository
from bot.texts.inbox import TITLE, Inbox, Line, Rendered, inbox_marker, render_inbox
from reports.markdown import plain

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Decided:
    """What the inbox is to say, and the action that makes it say so: None where it does already, or need not yet."""

    rendered: Rendered
    action: CreateIssue | UpdateIssue | None


def decide(
    questions: Questions,
    body: str | None,
    configuration: Configuration = DEFAULTS,
    public_url: str | None = None,
) -> Decided:
    """Return what the inbox is to say; `body` is what it says on GitHub now, None where there is none.

    Nothing is asked where the repository switched proposals off.
    """
    if configuration.propose == "off":
        questions = replace(questions, records=(), is_disputed=False)
    repository, inbox = questions.repository, _inbox(questions, public_url)
    rendered = render_inbox(inbox)
    if body is None:
        if not inbox.sample and not inbox.targeted and not questions.is_disputed:
            return Decided(rendered, None)
        marker = inbox_marker(repository.id)
        labels = configuration.inbox.labels
        create = CreateIssue(repository.id, repository.full_name, TITLE, rendered.body, marker, labels)
        return Decided(rendered, create)
    if repository.inbox_number is None or holds({"body": body}, {"body": rendered.body}):
        return Decided(rendered, None)
    return Decided(
        rendered, UpdateIssue(repository.id, repository.full_name, repository.inbox_number, body=rendered.body)
    )


async def refresh(services: Services, repository_id: int) -> None:
    """Choose the questions of each week anew, then bring the issue up to date where the repository is written to.

    Before a text is rewritten the ticks in it are taken; where a person edited it just now the rewriting waits.
    """
    now = services.clock.now()
    configuration = await heed(services, repository_id)
    await show_mistakes(services, repository_id)
    async with services.database.sessions.begin() as session:
        repository = await session.get(Repository, repository_id)
        if repository is None or not gathers(repository):
            return
        questions = await choose_questions(session, repository, now)
    if not writes(repository, now):
        if (wait := seconds_of_observing(repository, now)) is not None:
            await defer_inbox(repository_id, wait)
        return
    body = await _read(services, repository)
    if repository.inbox_closed:
        return
    decided = decide(questions, body, configuration, services.settings.public_url)
    if isinstance(decided.action, UpdateIssue):
        taken = await take_ticks(services, repository)
        if taken.confirmed:
            async with services.database.sessions.begin() as session:
                questions = await choose_questions(session, repository, now)
            decided = decide(questions, body, configuration, services.settings.public_url)
        wait = seconds_of_quiet(taken.edited_at, now, services.settings.inbox_quiet_seconds)
        if decided.action is not None and wait > 0:
            await defer_inbox(repository_id, wait)
            return
    if decided.action is not None and not await _perform(services, repository, decided.action):
        return
    async with services.database.sessions.begin() as session:
        await note_asked(session, decided.rendered.issue_ids, now)


def seconds_of_quiet(edited_at: datetime | None, now: datetime, quiet_seconds: float) -> float:
    """Return for how many seconds a person's last edit is still left alone, however wrong their clock is."""
    if edited_at is None:
        return 0.0
    return min(max(0.0, quiet_seconds - (now - edited_at).total_seconds()), quiet_seconds)


def seconds_of_observing(repository: Repository, now: datetime) -> float | None:
    """Return in how many seconds the first days of watching are over; None where they do not end by themselves."""
    if repository.archived or repository.observe_until is None or repository.observe_until <= now:
        return None
    return (repository.observe_until - now).total_seconds()


async def switch_on(services: Services, repository: Repository) -> None:
    """Go on with an inbox that was closed, because a person said `on` there.

    To open it again is that person's word carried out; without one the App never does it. Nothing happens where the
    inbox is gone, or where nothing may be written.
    """
    if repository.inbox_number is None or not writes(repository, services.clock.now()):
        return
    action = UpdateIssue(repository.id, repository.full_name, repository.inbox_number, state="open")
    if await _perform(services, repository, action):
        async with services.database.sessions.begin() as session:
            await set_inbox_closed(session, repository.id, closed=False)
        await defer_inbox(repository.id, services.settings.inbox_delay_seconds)


async def _read(services: Services, repository: Repository) -> str | None:
    """Return what the inbox says on GitHub, and note on `repository` and in the database where people closed it.

    None where there is none: it was not needed yet, or it was deleted or moved elsewhere, and then none is made again.
    """
    if repository.inbox_number is None:
        return None
    path = f"/repos/{repository.full_name}/issues/{repository.inbox_number}"
    try:
        issue = await services.client(repository.installation_id or 0).get(path)
    except IssuesDisabled:
        log.info("inbox not readable, issues are switched off", repository=repository.full_name)
        repository.inbox_closed = True  # for now: what is stored stays
        return None
    except (NotFound, Gone):
        issue = None
    lost = issue is None or issue["id"] != repository.inbox_issue_id
    closed = lost or issue["state"] == "closed"
    if closed != repository.inbox_closed:
        log.info("inbox closed or reopened by a person", repository=repository.full_name, closed=closed, lost=lost)
        async with services.database.sessions.begin() as session:
            await (lose_inbox(session, repository.id) if lost else set_inbox_closed(session, repository.id, closed))
        repository.inbox_closed = closed
    return None if lost else issue["body"] or ""


async def _perform(services: Services, repository: Repository, action: CreateIssue | UpdateIssue) -> bool:
    """Write the inbox, with those of its labels that there are; return whether it now says what was meant."""
    if isinstance(action, CreateIssue) and action.labels:
        client = services.client(repository.installation_id or 0)
        action = replace(action, labels=await existing_labels(client, repository.full_name, action.labels))
    writer = await services.writer(repository.installation_id or 0, repository.id, observe=False)
    outcome = await writer.perform(action)
    if outcome.status not in {"done", "unchanged"}:
        log.info("inbox not written", repository=repository.full_name, reason=outcome.reason)
        return False
    if isinstance(action, CreateIssue):
        async with services.database.sessions.begin() as session:
            stored = await session.get_one(Repository, repository.id)
            stored.inbox_number, stored.inbox_issue_id = outcome.number, outcome.github_id
    return True


def _inbox(questions: Questions, public_url: str | None) -> Inbox:
    lines = [(record, _line(record, questions.proposals[record.issue_id])) for record in questions.open]
    models = sorted({proposal.model for proposal in questions.proposals.values()})
    return Inbox(
        repository_id=questions.repository.id,
        sample=[line for record, line in lines if record.selection == "random"],
        targeted=[line for record, line in lines if record.selection == "targeted"],
        decided=questions.decided,
        expired=len(questions.waiting) - len(lines),
        model=models[-1] if models else "no model yet",
        watched_until=questions.repository.observe_until if questions.repository.state == "observe" else None,
        public_url=public_url,
        notes=questions.notes,
    )


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
        words=tuple(f"*{plain(word, 30)}*" for word in proposal.words[:3]) or tuple(map(plain, proposal.facts[:1])),
    )
