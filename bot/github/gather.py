"""Gather the evidence of one issue: one GraphQL query, and more only for long threads and changes that need it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.evidence.model import Evidence
from bot.github import queries
from bot.github.answers import (
    Node,
    actor,
    body_at,
    comments,
    first_body,
    labellings,
    labels_at,
    lower,
    moment,
    spans,
    title_at,
)
from bot.github.edits import MOST_VERSIONS
from bot.github.errors import GraphQLError, NotFound
from bot.github.linking import FoundFix, ManualFix, find_fix, manual_fix
from bot.github.reading import EvidenceClient, follow, is_private, read_fix

MAY_BE_HIDDEN = frozenset({"closing", "closedByPullRequestsReferences", "references"})
"""Places of the query where something of another repository may stand that we cannot read."""


async def gather(
    client: EvidenceClient,
    repository: str,
    number: int,
    fix: ManualFix | None = None,
    bots: frozenset[str] = frozenset(),
) -> Evidence:
    """Read everything about issue `number` of `repository` ("owner/name").

    `fix` is the change a person named, where one did. `bots` are logins that count as bots besides those GitHub marks.
    One request for most issues; one more where the fix is a commit or a pull request that did not close the issue
    itself, and for each page beyond 100 comments, 100 events, 100 files or 10 reviews. Raises `NotFound` where the
    issue is gone, hidden or moved elsewhere, and the client's other errors as they are.
    """
    owner, _, name = repository.partition("/")
    variables = {"owner": owner, "name": name, "number": number}
    where, issue, hidden = await _read_issue(client, repository, variables)
    return await complete(client, where, issue, hidden=hidden, fix=fix, bots=bots)


async def complete(
    client: EvidenceClient,
    where: Node,
    issue: Node,
    *,
    hidden: bool,
    fix: ManualFix | None = None,
    bots: frozenset[str] = frozenset(),
) -> Evidence:
    """Turn the answer about one issue of the repository `where` into evidence, reading what it could not hold.

    `hidden` says that the answer's errors told of a possible fix that may not be read.
    """
    owner, _, name = where["nameWithOwner"].partition("/")
    variables = {"owner": owner, "name": name, "number": issue["number"]}
    found_comments, events = await _read_pages(client, issue, variables)
    periods = spans(issue, events, bots)
    closed_at = periods[-1].closed_at
    body = await _body_at(client, issue, variables, closed_at)
    found, link = find_fix(issue, where["nameWithOwner"], closed_at, hidden=hidden)
    if fix is not None:
        found, link = manual_fix(fix, issue, found, closed_at), "manual"
    readable = found is not None and (where["isPrivate"] or not await _is_private_elsewhere(client, found, where))
    change = await read_fix(client, found, closed_at, bots) if found is not None and readable else None
    if found is not None and change is None:
        link = "private"
    return Evidence(
        repository_id=where["databaseId"],
        repository=where["nameWithOwner"],
        issue_id=int(issue["fullDatabaseId"]),
        number=issue["number"],
        title=title_at(issue, events, closed_at),
        present_title=issue["title"],
        body=body,
        first_body=first_body(issue),
        author=actor(issue["author"], bots),
        author_association=issue["authorAssociation"],
        created_at=periods[0].opened_at,
        state="closed" if issue["state"] == "CLOSED" else "open",
        state_reason=lower(issue["stateReason"]),
        locked=issue["locked"],
        labels=labels_at(issue, events, closed_at),
        issue_type=(issue["issueType"] or {}).get("name"),
        is_pull_request=False,
        spans=periods,
        comments=comments(found_comments, bots),
        fix=change,
        fix_link=link,
        labellings=labellings(events, bots),
        html_url=issue["url"],
    )


async def _is_private_elsewhere(client: EvidenceClient, found: FoundFix, where: Node) -> bool:
    """Tell whether a change lies in another repository that is private: a public issue must not show its paths."""
    if found.repository.lower() == where["nameWithOwner"].lower():
        return False
    if found.node is not None:
        return bool(found.node["repository"]["isPrivate"])
    return await is_private(client, found.repository)


async def _read_issue(client: EvidenceClient, repository: str, variables: Mapping[str, Any]) -> tuple[Node, Node, bool]:
    """Return repository and issue, and whether something that may have fixed the issue was hidden from us.

    GitHub answers a query in part when one place in it may not be read. Where only the possible fixes are concerned
    the rest is used; an issue that is not there is told as `NotFound`, since the repository itself came.
    """
    hidden = False
    try:
        data = await client.graphql(queries.ISSUE_EVIDENCE, variables)
    except GraphQLError as error:
        data = error.data or {}
        paths = [item.get("path") or () for item in error.errors if isinstance(item, Mapping)]
        if not (data.get("repository") or {}).get("issue"):
            if "NOT_FOUND" in error.types:
                raise NotFound(str(error), status=error.status) from error
            raise
        if len(paths) < len(error.errors) or not all(MAY_BE_HIDDEN.intersection(map(str, path)) for path in paths):
            raise
        hidden = True
    where = data.get("repository")
    if not where or not where.get("issue"):
        raise NotFound(f"{repository} has no issue {variables['number']} that can be read")
    return where, where["issue"], hidden


async def _body_at(
    client: EvidenceClient, issue: Node, variables: Mapping[str, Any], closed_at: datetime | None
) -> str:
    """Return the description as it was at the closing; only where it was edited later does that take a request."""
    body: str = issue["body"]
    edited = issue["lastEditedAt"]
    if edited is None or closed_at is None or moment(edited) <= closed_at:
        return body
    data = await client.graphql(queries.ISSUE_EDITS, {**variables, "most": MOST_VERSIONS})
    before = body_at(data["repository"]["issue"], closed_at)
    return before if before is not None else first_body(issue) or body


async def _read_pages(
    client: EvidenceClient, issue: Node, variables: Mapping[str, Any]
) -> tuple[list[Node], list[Node]]:
    """Return all comments and all events of an issue."""
    pages = {"comments": issue["comments"], "events": issue["events"]}
    whole = await follow(client, queries.ISSUE_PAGE, variables, "issue", pages)
    return whole["comments"], whole["events"]
