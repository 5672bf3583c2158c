"""Proposals on the issues themselves: one label, or one comment, where a repository asked for that.

Purpose: what is shown on a closed issue follows what is proposed and decided. Trigger: an inbox was brought up to date,
that is, a closing was recorded or a decision made. Effects: our label is put on, replaced or taken off; our comment is
written or edited; nothing where nothing may be written, and never on an issue that was read as history.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import structlog

from bot.features import labelling, sticky_comment
from bot.features.labelling import Labelled
from bot.features.shown_issue import Seen, look, note, remember
from bot.features.sticky_comment import Commented
from bot.github.actions import AddLabel, CreateComment, RemoveLabel, UpdateComment
from bot.github.breaker import OPEN
from bot.github.errors import GitHubError, RateLimited, Transient
from bot.github.label_writes import NO_LABEL
from bot.github.writer import Outcome, Writer
from bot.jobs import defer_inbox
from bot.services import Services
from bot.store.configurations import configuration_of
from bot.store.repositories import gathers, writes
from bot.store.shown import GONE, due_issues, note_labels_missing
from bot.store.tables import Repository, Shown

log = structlog.get_logger(__name__)

OBSERVED = "nothing could be written there"


async def show(services: Services, repository_id: int) -> None:
    """Bring label and comment of every issue of a repository up to date of which something may have changed.

    An issue that GitHub refuses is put aside; raises `RateLimited` and `Transient`, and then the rest is still due.
    """
    now = services.clock.now()
    async with services.database.sessions() as session:
        repository = await session.get(Repository, repository_id)
        due = await due_issues(session, repository_id)
        propose = (await configuration_of(session, repository_id)).propose
    if repository is None or not due or not gathers(repository) or repository.installation_id is None:
        return
    observe = not writes(repository, now)
    writer = await services.writer(repository.installation_id, repository.id, observe=observe)
    for issue_id in due:
        seen = await look(services, repository, issue_id, now)
        if seen is None:
            continue
        if seen.shown.mode != propose and _is_untouched(seen.shown):
            await note(services, issue_id, {}, seen, repository)  # the repository asks for it no more
            continue
        try:
            values = await _show_one(services, writer, repository, seen, now, observe=observe)
        except (RateLimited, Transient):
            raise
        except GitHubError as error:
            log.warning("nothing shown on an issue", number=seen.record.number, error=str(error))
            values = {}
        await note(services, issue_id, values, seen, repository)


async def _show_one(
    services: Services, writer: Writer, repository: Repository, seen: Seen, now: datetime, *, observe: bool
) -> dict[str, Any]:
    """Show one issue's label or comment and return what is to be remembered of it."""
    shown = seen.shown
    if observe and not _is_untouched(shown):
        return {"due": True}  # it was written to once; it is brought up to date when that is allowed again
    if shown.mode == "label":
        return await _label(services, writer, repository, seen, now)
    return await _comment(services, writer, seen, now)


def _is_untouched(shown: Shown) -> bool:
    return not shown.label_changes and shown.label is None and shown.comment_id is None


async def _label(
    services: Services, writer: Writer, repository: Repository, seen: Seen, now: datetime
) -> dict[str, Any]:
    shown, values = seen.shown, dict[str, Any]()
    if shown.passed_over is not None:
        return values
    label, changes = shown.label, shown.label_changes
    labelled = Labelled(shown.prefix, label, changes, shown.left_alone is not None)
    actions, done = labelling.decide(seen.facts, labelled), False
    for action in actions:
        outcome = await writer.perform(action)
        if isinstance(action, RemoveLabel) and outcome.status == "unchanged" and not seen.facts.decided:
            return values  # a person took it off just now: what that says is still to come, and is final
        if outcome.status == "observed":
            return values | {"passed_over": OBSERVED}
        if outcome.reason == NO_LABEL:
            await _report_missing(services, repository, action.name)
            return values | ({"passed_over": NO_LABEL} if not changes else {})
        if outcome.status == "skipped":
            return values | ({"due": True} if outcome.reason == OPEN else {})
        done = done or outcome.status == "done"
        changes += done and action is actions[-1]
        values |= {"label": action.category if isinstance(action, AddLabel) else None, "label_changes": changes}
        await remember(services, shown.issue_id, values)
    if changes >= labelling.MOST_CHANGES and shown.left_alone is None:
        log.warning("labels left alone: changed too often", repository=repository.full_name, number=shown.number)
        values |= {"left_alone": "flapping", "left_alone_at": now}
        await defer_inbox(repository.id, services.settings.inbox_delay_seconds)
    return values


async def _report_missing(services: Services, repository: Repository, name: str) -> None:
    """Say that a label does not exist: in the log, and once in the inbox."""
    log.warning("label not set up", repository=repository.full_name, label=name)
    async with services.database.sessions.begin() as session:
        is_news = await note_labels_missing(session, repository.id, missing=True)
    if is_news:
        await defer_inbox(repository.id, services.settings.inbox_delay_seconds)


async def _comment(services: Services, writer: Writer, seen: Seen, now: datetime) -> dict[str, Any]:
    shown, record = seen.shown, seen.record
    decided = sticky_comment.decide(
        seen.facts,
        seen.guess,
        record.none_kind,
        Commented(shown.comment_id, shown.comment_digest, shown.passed_over, seen.today),
        locked=record.locked,
        closed_at=record.closed_at,
        now=now,
        public_url=services.settings.public_url,
    )
    if decided.waits:
        return {"due": True}
    if decided.action is None:
        return {"passed_over": decided.passed_over} if decided.passed_over is not None else {}
    outcome = await writer.perform(decided.action)
    if isinstance(decided.action, CreateComment) and outcome.status == "unchanged" and outcome.github_id is not None:
        # It was written before and could not be remembered, so what it says is not known.
        place = decided.action
        await writer.perform(
            UpdateComment(place.repository_id, place.repository, outcome.github_id, place.body, place.number)
        )
    return _commented(decided.action, outcome, now)


def _commented(action: CreateComment | UpdateComment, outcome: Outcome, now: datetime) -> dict[str, Any]:
    if outcome.status == "observed":
        return {"passed_over": OBSERVED}
    if outcome.reason == OPEN:
        return {"due": True}
    if outcome.status == "skipped":
        if isinstance(action, UpdateComment) and outcome.reason == "deleted":
            return {"comment_id": None, "comment_digest": None, "passed_over": GONE}
        return {"passed_over": outcome.reason} if isinstance(action, CreateComment) else {}
    values: dict[str, Any] = {"comment_digest": sticky_comment.digest(action.body)}
    if isinstance(action, CreateComment):
        values |= {"comment_id": outcome.github_id, "commented_at": now}
    return values
