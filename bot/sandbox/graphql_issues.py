"""Resolvers of issues, their comments and their timelines."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graphql import GraphQLResolveInfo

from bot.sandbox.graphql_context import (
    EVENT_TYPES,
    EditOf,
    Resolvers,
    actor,
    context,
    may_see,
    visible,
)
from bot.sandbox.graphql_pages import Page, cut
from bot.sandbox.identifiers import node_id
from bot.sandbox.rights import association
from bot.sandbox.shapes import stamp, stamp_or_none
from bot.sandbox.shapes_issue import issue_page
from bot.sandbox.shapes_repository import html_url
from bot.sandbox.state import Comment, Commit, Issue, Label, PullRequest, TimelineEvent

_ITEM_TYPES = {kind.upper().replace("-", "_") + "_EVENT": kind for kind in EVENT_TYPES} | {
    "RENAMED_TITLE_EVENT": "renamed",
    "CROSS_REFERENCED_EVENT": "cross-referenced",
}


def standing(source: Issue | PullRequest | Comment, info: GraphQLResolveInfo) -> str:
    """Return `authorAssociation`."""
    world = context(info).world
    return association(world, world.repositories[source.repository_id], source.author_id)


def comments(source: Issue | PullRequest, info: GraphQLResolveInfo, **page: Any) -> Page:
    """Return the comments of an issue or pull request, the oldest first."""
    return cut(context(info).world.comments_on.get((source.repository_id, source.number), ()), **page)


def labels(source: Issue, info: GraphQLResolveInfo, **page: Any) -> Page:
    """Return the labels of an issue."""
    return cut([context(info).world.labels[label_id] for label_id in source.label_ids], **page)


def timeline(
    source: Issue | PullRequest,
    info: GraphQLResolveInfo,
    itemTypes: Sequence[str] | None = None,  # noqa: N803 - GitHub's name
    since: str | None = None,
    skip: int = 0,
    **page: Any,
) -> Page:
    """Return the events of the types asked for, the oldest first; what points into the unreadable is left out."""
    rows = sorted(context(info).world.events_on.get((source.repository_id, source.number), ()), key=_when)
    if itemTypes is not None:
        kinds = {_ITEM_TYPES[name] for name in itemTypes}
        rows = [row for row in rows if row.kind in kinds]
    if since is not None:
        rows = [row for row in rows if row.created_at >= datetime.fromisoformat(since)]
    rows = [row for row in rows if (other := _source(row, info)) is None or may_see(info, other)]
    return cut(rows[skip:], **page)


def state_reason(source: Issue, _: GraphQLResolveInfo, enableDuplicate: bool = False) -> str | None:  # noqa: N803
    """Return the reason; `duplicate` is told only to those who ask for it."""
    reason = source.state_reason
    if reason == "duplicate" and not enableDuplicate:
        return "NOT_PLANNED"
    return reason.upper() if reason else None


def closing_pull_requests(
    source: Issue,
    info: GraphQLResolveInfo,
    includeClosedPrs: bool = False,  # noqa: N803 - GitHub's name
    userLinkedOnly: bool = False,  # noqa: N803 - GitHub's name
    **page: Any,
) -> Page:
    """Return the linked pull requests, by default only the open ones, as on GitHub."""
    rows = [
        pull
        for pull in context(info).world.closing.get(source.id, ())
        if (includeClosedPrs or pull.closed_at is None)
        and (not userLinkedOnly or source.id in pull.linked_by_hand)
        and may_see(info, pull)
    ]
    return cut(rows, **page)


def closer(source: TimelineEvent, info: GraphQLResolveInfo) -> PullRequest | Commit | None:
    """Return what closed the issue; refuse where the caller may not read it."""
    world = context(info).world
    found: PullRequest | Commit | None = None
    if source.closer_pull_request_id is not None:
        found = world.pull_requests[source.closer_pull_request_id]
    elif source.closer_commit_id is not None:
        found = world.commits[source.closer_commit_id]
    return found if visible(info, found) else None


def _when(row: TimelineEvent) -> tuple[datetime, int]:
    return row.created_at, row.id


def _source(event: TimelineEvent, info: GraphQLResolveInfo) -> Issue | PullRequest | Commit | None:
    """Find what a cross-reference, connection or reference comes from."""
    world = context(info).world
    if event.source_pull_request_id is not None:
        return world.pull_requests[event.source_pull_request_id]
    if event.source_issue_id is not None:
        return world.issues[event.source_issue_id]
    return world.commits[event.commit_id] if event.commit_id is not None else None


def _target(event: TimelineEvent, info: GraphQLResolveInfo) -> Issue | PullRequest:
    world = context(info).world
    pull = world.pulls_of[event.repository_id].get(event.number)
    return pull if pull is not None else world.issues_of[event.repository_id][event.number]


def _crosses(event: TimelineEvent, info: GraphQLResolveInfo) -> bool:
    other = _source(event, info)
    return other is not None and other.repository_id != event.repository_id


def _label(event: TimelineEvent, info: GraphQLResolveInfo) -> Label:
    name = event.label or ""
    known = context(info).world.labels_of[event.repository_id].get(name.lower())
    return known or Label(event.id, event.repository_id, name, event.color or "ededed")


def _edits(source: Issue, _: GraphQLResolveInfo, **page: Any) -> Page:
    rows = [EditOf(source, position, edit) for position, edit in enumerate(source.edits)]
    return cut(rows[::-1], **page)


def _issue_type(source: Issue, _: GraphQLResolveInfo) -> dict[str, Any] | None:
    if source.issue_type is None:
        return None
    identity = node_id("issue_type", source.repository_id, source.issue_type)
    return {"id": identity, "name": source.issue_type, "description": None, "isEnabled": True}


def _comment_url(source: Comment, info: GraphQLResolveInfo) -> str:
    world = context(info).world
    kind = "issues" if source.number in world.issues_of[source.repository_id] else "pull"
    page = f"{html_url(world, world.repositories[source.repository_id])}/{kind}/{source.number}"
    return f"{page}#issuecomment-{source.id}"


def _edited_at(source: Comment, _: GraphQLResolveInfo) -> str | None:
    return stamp(source.updated_at) if source.updated_at != source.created_at else None


ISSUE: Resolvers = {
    "id": lambda source, _: node_id("issue", source.id),
    "databaseId": lambda source, _: source.id if source.id < 2**31 else None,
    "fullDatabaseId": lambda source, _: str(source.id),
    "number": lambda source, _: source.number,
    "title": lambda source, _: source.title,
    "body": lambda source, _: source.body or "",
    "bodyText": lambda source, _: source.body or "",
    "url": lambda source, info: issue_page(context(info).world, source),
    "createdAt": lambda source, _: stamp(source.created_at),
    "updatedAt": lambda source, _: stamp(source.updated_at),
    "closedAt": lambda source, _: stamp_or_none(source.closed_at),
    "closed": lambda source, _: source.closed_at is not None,
    "state": lambda source, _: "CLOSED" if source.closed_at else "OPEN",
    "stateReason": state_reason,
    "locked": lambda source, _: source.locked,
    "isPinned": lambda source, _: source.pinned_at is not None,
    "author": lambda source, info: actor(info, source.author_id),
    "authorAssociation": standing,
    "lastEditedAt": lambda source, _: stamp(source.edits[-1].at) if source.edits else None,
    "includesCreatedEdit": lambda source, _: bool(source.edits),
    "userContentEdits": _edits,
    "labels": labels,
    "issueType": _issue_type,
    "comments": comments,
    "timelineItems": timeline,
    "closedByPullRequestsReferences": closing_pull_requests,
    "repository": lambda source, info: context(info).world.repositories[source.repository_id],
}
EDIT: Resolvers = {
    "id": lambda source, _: node_id("edit", source.issue.id, str(source.position)),
    "createdAt": lambda source, _: stamp(source.edit.at),
    "editedAt": lambda source, _: stamp(source.edit.at),
    "updatedAt": lambda source, _: stamp(source.edit.at),
    "deletedAt": lambda _source, _: None,
    "diff": lambda source, _: source.edit.body,
    "editor": lambda source, info: actor(info, source.edit.editor_id),
}
COMMENT: Resolvers = {
    "id": lambda source, _: node_id("comment", source.id),
    "databaseId": lambda source, _: source.id if source.id < 2**31 else None,
    "fullDatabaseId": lambda source, _: str(source.id),
    "body": lambda source, _: source.body,
    "bodyText": lambda source, _: source.body,
    "createdAt": lambda source, _: stamp(source.created_at),
    "updatedAt": lambda source, _: stamp(source.updated_at),
    "lastEditedAt": _edited_at,
    "author": lambda source, info: actor(info, source.author_id),
    "authorAssociation": standing,
    "url": _comment_url,
    "viewerDidAuthor": lambda source, info: source.author_id == getattr(context(info).caller.account, "id", -1),
    "isMinimized": lambda _source, _: False,
}
_EVENT: Resolvers = {
    "id": lambda source, _: node_id("event", source.id),
    "createdAt": lambda source, _: stamp(source.created_at),
    "actor": lambda source, info: actor(info, source.actor_id),
}
_LINK: Resolvers = _EVENT | {
    "source": _source,
    "isCrossRepository": _crosses,
}
EVENTS: dict[str, Resolvers] = {
    "ClosedEvent": _EVENT
    | {"closer": closer, "stateReason": lambda source, _: (source.state_reason or "completed").upper()},
    "ReopenedEvent": _EVENT | {"stateReason": lambda _source, _: "REOPENED"},
    "LabeledEvent": _EVENT | {"label": _label},
    "UnlabeledEvent": _EVENT | {"label": _label},
    "LockedEvent": _EVENT
    | {"lockReason": lambda source, _: (source.lock_reason or "").upper().replace(" ", "_").replace("-", "_") or None},
    "UnlockedEvent": _EVENT,
    "RenamedTitleEvent": _EVENT
    | {
        "previousTitle": lambda source, _: source.title_before or "",
        "currentTitle": lambda source, _: source.title_after or "",
    },
    "CrossReferencedEvent": _LINK
    | {
        "referencedAt": lambda source, _: stamp(source.created_at),
        "target": _target,
        "willCloseTarget": lambda source, _: source.will_close,
    },
    "ConnectedEvent": _EVENT | {"source": _target, "subject": _source, "isCrossRepository": _crosses},
    "MarkedAsDuplicateEvent": _EVENT | {"canonical": _source, "duplicate": _target, "isCrossRepository": _crosses},
    "TransferredEvent": _EVENT
    | {
        "issue": _target,
        "fromRepository": lambda source, info: context(info).world.repositories.get(source.from_repository_id or 0),
    },
    "ReferencedEvent": _EVENT
    | {
        "commit": _source,
        "commitRepository": lambda source, info: context(info).world.repositories[source.repository_id],
        "subject": _target,
        "isCrossRepository": _crosses,
        "isDirectReference": lambda _source, _: True,
    },
}
