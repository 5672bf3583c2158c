"""From GitHub's GraphQL answers to the plain values of `bot.evidence.model`: people, times, spans, threads, fixes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.evidence.model import Actor, ActorKind, Comment, Fix, FixFile, FixLink, Labelling, Span
from bot.evidence.participants import distinct, is_bot_login

Node = Mapping[str, Any]
"""One object of a GraphQL answer."""


def moment(text: str) -> datetime:
    """Read a time as GitHub writes it (ISO 8601, UTC)."""
    return datetime.fromisoformat(text)


def actor(node: Node | None, bots: frozenset[str]) -> Actor:
    """Tell who it was: a human, a bot (by account type, by `[bot]` or by a configured login), or a deleted account."""
    if node is None or (node.get("login") or "").lower() == "ghost":
        return Actor(kind="ghost")
    login = str(node["login"])
    automatic = node.get("__typename") == "Bot" or is_bot_login(login, bots)
    kind: ActorKind = "bot" if automatic else "human"
    return Actor(kind=kind, id=node.get("databaseId"), login=login, node_id=node.get("id"))


def nodes(connection: Node | None) -> list[Node]:
    """Return what can be read of a connection; entries hidden from us are null and left out."""
    return [node for node in (connection or {}).get("nodes") or () if node]


def spans(issue: Node, events: Iterable[Node], bots: frozenset[str]) -> tuple[Span, ...]:
    """Cut the issue's life into spans of being open.

    A closing of an issue that is closed already changes nothing. The timeline may lag behind the issue itself: where
    the issue is closed and its last span is not, it ends at the issue's own `closedAt`.
    """
    found: list[Span] = []
    opened: datetime | None = moment(issue["createdAt"])
    for event in events:
        kind = event["__typename"]
        if kind == "ClosedEvent" and opened is not None:
            closed_by = actor(event["actor"], bots)
            found.append(Span(opened, moment(event["createdAt"]), closed_by, lower(event["stateReason"])))
            opened = None
        elif kind == "ReopenedEvent" and opened is None:
            opened = moment(event["createdAt"])
    if opened is not None:
        closed_at = issue["closedAt"] if issue["state"] == "CLOSED" else None
        reason = lower(issue["stateReason"]) if closed_at else None
        found.append(Span(opened, moment(closed_at) if closed_at else None, None, reason))
    return tuple(found)


def labellings(events: Iterable[Node], bots: frozenset[str]) -> tuple[Labelling, ...]:
    """Return when which label was put on, by whom, and until when."""
    found: list[Labelling] = []
    for event in events:
        if event["__typename"] == "LabeledEvent":
            by = actor(event.get("actor"), bots)
            found.append(Labelling(moment(event["createdAt"]), event["label"]["name"], by))
        elif event["__typename"] == "UnlabeledEvent":
            ended, name = moment(event["createdAt"]), event["label"]["name"]
            found = [replace(one, until=ended) if (one.label, one.until) == (name, None) else one for one in found]
    return tuple(found)


def labels_at(issue: Node, events: Sequence[Node], closed_at: datetime | None) -> tuple[str, ...]:
    """Return the labels on the issue when it was closed, or those on it now while it is open.

    What was put on or taken off after the closing is turned back, so that a record made at once and one made years
    later agree.
    """
    names = dict.fromkeys(label["name"] for label in nodes(issue["labels"]))
    later = [event for event in events if closed_at is not None and moment(event["createdAt"]) > closed_at]
    for event in reversed(later):
        if event["__typename"] == "LabeledEvent":
            names.pop(event["label"]["name"], None)
        elif event["__typename"] == "UnlabeledEvent":
            names[event["label"]["name"]] = None
    return tuple(names)


def title_at(issue: Node, events: Iterable[Node], closed_at: datetime | None) -> str:
    """Return the title the issue had when it was closed, or has now while it is open."""
    renamed = (event for event in events if event["__typename"] == "RenamedTitleEvent")
    later = (event for event in renamed if closed_at is not None and moment(event["createdAt"]) > closed_at)
    first = next(later, None)
    return str(issue["title"] if first is None else first["previousTitle"])


def comments(found: Iterable[Node], bots: frozenset[str]) -> tuple[Comment, ...]:
    """Return the issue's comments in the order in which they were written."""
    read = (
        Comment(
            id=int(node["fullDatabaseId"]),
            author=actor(node["author"], bots),
            association=node["authorAssociation"],
            created_at=moment(node["createdAt"]),
            body=node["body"],
        )
        for node in found
    )
    return tuple(sorted(read, key=lambda comment: (comment.created_at, comment.id)))


def first_body(issue: Node) -> str | None:
    """Return the description as first written, or None where it was edited and GitHub does not show that version."""
    if issue["lastEditedAt"] is None:
        return str(issue["body"])
    if not issue["includesCreatedEdit"]:
        return None
    edits = [*nodes(issue["editsFromOneEnd"]), *nodes(issue["editsFromTheOther"])]
    if not edits:
        return None
    first: str | None = min(edits, key=lambda edit: moment(edit["editedAt"]))["diff"]
    return first


def body_at(issue: Node, moment_of_closing: datetime) -> str | None:
    """Return the description's version at a moment from the edits of `ISSUE_EDITS`, or None where none is that old."""
    edits = {edit["id"]: edit for end in ("oneEnd", "theOther") for edit in nodes(issue[end])}
    older = [edit for edit in edits.values() if moment(edit["editedAt"]) <= moment_of_closing]
    if not older:
        return None
    text: str | None = max(older, key=lambda edit: moment(edit["editedAt"]))["diff"]
    return text


def lower(value: str | None) -> str | None:
    """Write an enum value as the REST API and the webhooks do."""
    return value.lower() if value else None


def pull_request_fix(
    node: Node, link: FixLink, *, landed_at: datetime | None, until: datetime | None, bots: frozenset[str]
) -> Fix:
    """Build the fix from a pull request with all pages of its files, comments and reviews.

    Remarks after `until` (the closing that ended the last open span) do not count, so that a record made at once and
    one made years later agree. `landed_at` is None where it did not land. Reviews nobody has sent yet do not count.
    """
    files = tuple(FixFile(file["path"], file["additions"], file["deletions"]) for file in nodes(node["files"]))
    author = actor(node["author"], bots)
    people = [author]
    remarks = 0
    for comment in nodes(node["comments"]):
        writer = actor(comment["author"], bots)
        if writer.kind != "bot" and _in_time(comment["createdAt"], until):
            remarks += 1
            people.append(writer)
    for review in nodes(node["reviews"]):
        writer = actor(review["author"], bots)
        if writer.kind != "bot" and review["submittedAt"] is not None and _in_time(review["submittedAt"], until):
            remarks += review["comments"]["totalCount"] + bool(review["bodyText"].strip())
            people.append(writer)
    return Fix(
        kind="pull_request",
        link=link,
        repository=node["repository"]["nameWithOwner"],
        number=node["number"],
        sha=(node["mergeCommit"] or {}).get("oid"),
        title=node["title"],
        author=author,
        landed=landed_at is not None,
        merged_at=landed_at,
        additions=node["additions"],
        deletions=node["deletions"],
        changed_files=node["changedFiles"],
        files=files,
        files_truncated=_is_cut(files, node["additions"], node["deletions"], node["changedFiles"]),
        comments=remarks,
        participants=distinct(person for person in people if person.kind != "bot"),
    )


def commit_fix(answer: Node, files: Sequence[Node], link: FixLink, repository: str, bots: frozenset[str]) -> Fix:
    """Build the fix from a commit as REST gives it (`GET /repos/{}/commits/{sha}`) and the files of all its pages.

    Its comments are counted by GitHub, humans and bots together: where there are none the number is known, else not.
    An author whose address belongs to no account is a person without a name.
    """
    stats = answer["stats"]
    changes = tuple(FixFile(file["filename"], file["additions"], file["deletions"]) for file in files)
    account = answer["author"]
    author = actor(_as_node(account) if account else None, bots)
    return Fix(
        kind="commit",
        link=link,
        repository=repository,
        sha=answer["sha"],
        title=answer["commit"]["message"].partition("\n")[0],
        author=author,
        landed=True,
        merged_at=moment(answer["commit"]["committer"]["date"]),
        additions=stats["additions"],
        deletions=stats["deletions"],
        changed_files=len(changes),
        files=changes,
        files_truncated=_is_cut(changes, stats["additions"], stats["deletions"], len(changes)),
        comments=None if answer["commit"]["comment_count"] else 0,
        participants=() if author.kind == "bot" else (author,),
    )


def _as_node(account: Node) -> Node:
    is_person = account.get("type") == "User"
    return {
        "__typename": account.get("type"),
        "login": account["login"],
        "databaseId": account["id"],
        "id": account.get("node_id") if is_person else None,
    }


def _in_time(text: str, until: datetime | None) -> bool:
    return until is None or moment(text) <= until


def _is_cut(files: Sequence[FixFile], additions: int, deletions: int, changed_files: int) -> bool:
    """Tell whether GitHub cut the list short: files missing, or rows past 20,000 patch lines that came back as 0."""
    listed = (sum(file.additions for file in files), sum(file.deletions for file in files), len(files))
    return listed != (additions, deletions, changed_files)
