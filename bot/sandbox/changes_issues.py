"""Everything that can happen to an issue: each change keeps the timeline and queues its webhook."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from bot.sandbox.outbox import Outbox
from bot.sandbox.shapes import Json, label_json
from bot.sandbox.state import (
    Account,
    Commit,
    Edit,
    EventKind,
    Issue,
    Label,
    PullRequest,
    Repository,
    StateReason,
    TimelineEvent,
)
from bot.sandbox.world import World


class IssueChanges:
    """Opens, edits, closes and reopens issues and puts labels on them; `emit` False makes a change silently."""

    def __init__(self, world: World, outbox: Outbox) -> None:
        self._world = world
        self._outbox = outbox

    def open(
        self,
        repository: Repository,
        author: Account,
        title: str,
        body: str | None,
        labels: list[Label],
        *,
        number: int | None = None,
        at: datetime | None = None,
        assignees: list[Account] | None = None,
        via_app: bool = False,
        emit: bool = True,
    ) -> Issue:
        """Open an issue; `number` is only for history that already has one."""
        moment = at or self._world.now()
        number = number or repository.last_number + 1
        repository.last_number = max(repository.last_number, number)
        self._world.touch(repository)
        issue = self._world.add(
            Issue(
                id=self._world.new_id("issue"),
                repository_id=repository.id,
                number=number,
                title=title,
                body=body,
                author_id=author.id,
                created_at=moment,
                updated_at=moment,
                label_ids=[label.id for label in labels],
                assignee_ids=[account.id for account in assignees or ()],
                via_app=via_app,
            )
        )
        for label in labels:
            self.note(issue, "labeled", author, moment, label=label.name, color=label.color, via_app=via_app)
        if emit:
            self._outbox.issue("opened", issue, author)
            for label in labels:
                self._outbox.issue("labeled", issue, author, label=self._label(label))
        return issue

    def close(
        self,
        issue: Issue,
        actor: Account,
        reason: StateReason = "completed",
        closer: PullRequest | Commit | None = None,
        *,
        at: datetime | None = None,
        via_app: bool = False,
        emit: bool = True,
    ) -> None:
        """Close an open issue, by hand or through a merged pull request or a pushed commit."""
        moment = at or self._world.now()
        issue.closed_at, issue.closed_by_id, issue.state_reason = moment, actor.id, reason
        self._changed(issue, moment)
        event = self.note(issue, "closed", actor, moment, state_reason=reason, via_app=via_app)
        if isinstance(closer, PullRequest):
            event.closer_pull_request_id = closer.id
        elif closer is not None:
            event.closer_commit_id = closer.id
        if emit:
            self._outbox.issue("closed", issue, actor)

    def reopen(
        self, issue: Issue, actor: Account, *, at: datetime | None = None, via_app: bool = False, emit: bool = True
    ) -> None:
        """Reopen a closed issue."""
        moment = at or self._world.now()
        issue.closed_at, issue.closed_by_id, issue.state_reason = None, None, "reopened"
        self._changed(issue, moment)
        self.note(issue, "reopened", actor, moment, via_app=via_app)
        if emit:
            self._outbox.issue("reopened", issue, actor)

    def edit(
        self,
        issue: Issue,
        actor: Account,
        *,
        title: str | None = None,
        body: str | None = None,
        at: datetime | None = None,
        emit: bool = True,
    ) -> None:
        """Change title or body; every version of the body is kept."""
        moment = at or self._world.now()
        changes = {}
        if title is not None and title != issue.title:
            changes["title"] = {"from": issue.title}
            self.note(issue, "renamed", actor, moment, title_before=issue.title, title_after=title)
            issue.title = title
        if body is not None and body != issue.body:
            changes["body"] = {"from": issue.body or ""}
            if not issue.edits:
                issue.edits.append(Edit(issue.created_at, issue.author_id, issue.body or ""))
            issue.edits.append(Edit(moment, actor.id, body))
            issue.body = body
        if changes:
            self._changed(issue, moment)
            if emit:
                self._outbox.issue("edited", issue, actor, changes=changes)

    def lock(self, issue: Issue, actor: Account, reason: str | None = None, *, emit: bool = True) -> None:
        """Lock the conversation."""
        issue.locked, issue.lock_reason = True, reason
        self._changed(issue, self._world.now())
        self.note(issue, "locked", actor, self._world.now(), lock_reason=reason)
        if emit:
            self._outbox.issue("locked", issue, actor)

    def unlock(self, issue: Issue, actor: Account, *, emit: bool = True) -> None:
        """Unlock the conversation."""
        issue.locked, issue.lock_reason = False, None
        self._changed(issue, self._world.now())
        self.note(issue, "unlocked", actor, self._world.now())
        if emit:
            self._outbox.issue("unlocked", issue, actor)

    def label(self, issue: Issue, label: Label, actor: Account, *, via_app: bool = False, emit: bool = True) -> None:
        """Put a label on an issue, if it is not there yet."""
        if label.id in issue.label_ids:
            return
        issue.label_ids.append(label.id)
        self._changed(issue, self._world.now())
        self.note(issue, "labeled", actor, self._world.now(), label=label.name, color=label.color, via_app=via_app)
        if emit:
            self._outbox.issue("labeled", issue, actor, label=self._label(label))

    def unlabel(self, issue: Issue, label: Label, actor: Account, *, via_app: bool = False, emit: bool = True) -> None:
        """Take a label off an issue."""
        issue.label_ids.remove(label.id)
        self._changed(issue, self._world.now())
        self.note(issue, "unlabeled", actor, self._world.now(), label=label.name, color=label.color, via_app=via_app)
        if emit:
            self._outbox.issue("unlabeled", issue, actor, label=self._label(label))

    def delete(self, issue: Issue, actor: Account, *, emit: bool = True) -> None:
        """Delete an issue; its number is never used again."""
        if emit:
            self._outbox.issue("deleted", issue, actor)
        issue.deleted = True
        self._world.touch(issue)

    def note(
        self, issue: Issue | PullRequest, kind: EventKind, actor: Account, at: datetime, **facts: Any
    ) -> TimelineEvent:
        """Add an event to the timeline; `facts` are optional fields of the event."""
        return self._world.add(
            TimelineEvent(
                id=self._world.new_id("event"),
                repository_id=issue.repository_id,
                number=issue.number,
                kind=kind,
                actor_id=actor.id,
                created_at=at,
                **facts,
            )
        )

    def _changed(self, issue: Issue, at: datetime) -> None:
        issue.updated_at = max(issue.updated_at, at)
        self._world.touch(issue)

    def _label(self, label: Label) -> Json:
        return label_json(self._world, self._world.repositories[label.repository_id], label)
