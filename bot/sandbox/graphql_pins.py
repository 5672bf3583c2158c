"""GraphQL: the up to three issues that a repository shows above its list, and the mutations that pin and unpin one."""

from __future__ import annotations

from typing import Any

from graphql import GraphQLResolveInfo

from bot.sandbox.graphql_context import Context, Resolvers, context
from bot.sandbox.graphql_cost import QueryError
from bot.sandbox.graphql_pages import Page, cut
from bot.sandbox.identifiers import node_id, read_node_id
from bot.sandbox.rights import at_least, role_of
from bot.sandbox.state import Issue, Repository

MOST_PINNED = 3
"""Of a repository (GitHub's documentation, "Pinning an issue to your repository")."""


def pinned_issues(source: Repository, info: GraphQLResolveInfo, **page: Any) -> Page:
    """Return a page of a repository's pinned issues, the one that was pinned first before the others."""
    return cut(context(info).world.pinned(source), **page)


def _pin(_: None, info: GraphQLResolveInfo, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002 - GitHub's name
    here, issue = context(info), _issue(info, input["issueId"])
    pinned = here.world.pinned(here.world.repositories[issue.repository_id])
    if issue not in pinned and len(pinned) >= MOST_PINNED:
        raise QueryError("UNPROCESSABLE", f"Maximum {MOST_PINNED} pinned issues per repository")
    if issue not in pinned:
        account = here.caller.account
        issue.pinned_at, issue.pinned_by_id = here.world.now(), account.id if account else None
        here.world.touch(issue)
    return {"clientMutationId": input.get("clientMutationId"), "issue": issue}


def _unpin(_: None, info: GraphQLResolveInfo, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002 - GitHub's name
    issue = _issue(info, input["issueId"])
    if issue.pinned_at is None:
        raise QueryError("UNPROCESSABLE", "The issue is not pinned.")
    issue.pinned_at = issue.pinned_by_id = None
    context(info).world.touch(issue)
    return {
        "clientMutationId": input.get("clientMutationId"),
        "id": node_id("pinned_issue", issue.id),
        "issue": issue,
    }


def _issue(info: GraphQLResolveInfo, named: str) -> Issue:
    """Return an issue that the caller may pin, which takes the right to write."""
    here, read = context(info), read_node_id(named)
    issue = here.world.issues.get(read[1]) if read is not None and read[0] == "issue" else None
    repository = here.world.repositories.get(issue.repository_id) if issue is not None else None
    if issue is None or issue.deleted or repository is None or not here.readable(repository):
        raise QueryError("NOT_FOUND", f"Could not resolve to a node with the global id of '{named}'")
    if not _may_write(here, repository):
        raise QueryError("FORBIDDEN", "Resource not accessible by integration")
    if repository.archived:
        raise QueryError("FORBIDDEN", "Repository was archived so is read-only.")
    return issue


def _may_write(here: Context, repository: Repository) -> bool:
    caller = here.caller
    if caller.kind == "installation":
        granted = caller.token.permissions if caller.token is not None else {}
        return caller.covers(repository) and granted.get("issues") == "write"
    return caller.account is not None and at_least(role_of(here.world, repository, caller.account), "write")


PINNED: Resolvers = {
    "id": lambda source, _: node_id("pinned_issue", source.id),
    "databaseId": lambda source, _: source.id if source.id < 2**31 else None,
    "fullDatabaseId": lambda source, _: str(source.id),
    "issue": lambda source, _: source,
    "pinnedBy": lambda source, info: context(info).world.accounts[source.pinned_by_id],
    "repository": lambda source, info: context(info).world.repositories[source.repository_id],
}
MUTATIONS: Resolvers = {"pinIssue": _pin, "unpinIssue": _unpin}
