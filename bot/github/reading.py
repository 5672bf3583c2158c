"""Read what one answer could not hold: further pages, and the change that fixed an issue in full."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal, Protocol

from bot.evidence.model import Fix
from bot.github import queries
from bot.github.answers import Node, commit_fix, moment, nodes, pull_request_fix
from bot.github.errors import Forbidden, Gone, GraphQLError, Invalid, NotFound
from bot.github.landing import is_reverted, pull_request_landed_at, pull_requests_named
from bot.github.linking import FoundFix
from bot.secrecy import SECRECY

_FILES_PER_PAGE = 300
_FILE_PAGES = 10
"""GitHub lists 300 files of a commit a page and 3,000 in all (REST documentation, "Get a commit")."""

_UNREADABLE = (NotFound, Forbidden, Gone, Invalid)


class EvidenceClient(Protocol):
    """What gathering needs of a GitHub client; both raise its errors (`bot.github.errors`)."""

    async def graphql(self, query: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the data of a query."""
        ...

    async def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        """Return the decoded JSON of a REST path."""
        ...


async def follow(
    client: EvidenceClient,
    query: str,
    variables: Mapping[str, Any],
    kind: Literal["issue", "pullRequest"],
    connections: Mapping[str, Node],
) -> dict[str, list[Node]]:
    """Return the nodes of all pages of `connections`; each further request continues all that are unfinished."""
    complete = {name: nodes(connection) for name, connection in connections.items()}
    open_pages = {name: page["pageInfo"] for name, page in connections.items()}
    while any(page["hasNextPage"] for page in open_pages.values()):
        wanted: dict[str, Any] = {}
        for name, page in open_pages.items():
            wanted |= {name: page["hasNextPage"], f"{name}After": page["endCursor"] if page["hasNextPage"] else None}
        data = await client.graphql(query, {**variables, **wanted})
        answer = data["repository"][kind]
        for name in [name for name, page in open_pages.items() if page["hasNextPage"]]:
            complete[name] += nodes(answer[name])
            open_pages[name] = answer[name]["pageInfo"]
    return complete


async def is_private(client: EvidenceClient, repository: str) -> bool:
    """Tell whether a repository is private; one that cannot be read is, as far as anybody can tell."""
    try:
        facts = await client.get(f"/repos/{repository}")
    except _UNREADABLE:
        return True
    if facts["private"]:
        SECRECY.hide_repository(facts["id"], repository)
    return bool(facts["private"])


async def read_fix(
    client: EvidenceClient, found: FoundFix, closed_at: datetime | None, bots: frozenset[str]
) -> Fix | None:
    """Read a change in full; a pull request that cannot be read is replaced by its commit. None: nothing readable."""
    if found.kind == "pull_request":
        try:
            return await _read_pull_request(client, found, closed_at, bots)
        except _UNREADABLE:
            if found.commit_sha is None:
                return None
    try:
        return await _read_commit(client, found, closed_at, bots)
    except _UNREADABLE:
        return None


async def _read_pull_request(
    client: EvidenceClient, found: FoundFix, closed_at: datetime | None, bots: frozenset[str]
) -> Fix:
    owner, _, name = found.repository.partition("/")
    variables = {"owner": owner, "name": name, "number": found.number}
    node = found.node
    if node is None or "files" not in node:
        node = await _read_linked(client, found, variables)
    pages = {part: node[part] for part in ("files", "comments", "reviews")}
    complete = await follow(client, queries.PULL_REQUEST_PAGE, variables, "pullRequest", pages)
    whole = {**node, **{part: {"nodes": read} for part, read in complete.items()}}
    landed_at = found.landed_at or pull_request_landed_at(node, closed_at)
    return pull_request_fix(whole, found.link, landed_at=landed_at, until=closed_at, bots=bots)


async def _read_linked(client: EvidenceClient, found: FoundFix, variables: Mapping[str, Any]) -> Node:
    absent = f"{found.repository} has no pull request {variables['number']} that can be read"
    try:
        data = await client.graphql(queries.PULL_REQUEST, variables)
    except GraphQLError as error:
        if {"NOT_FOUND", "FORBIDDEN"} & error.types:
            raise NotFound(absent, status=error.status) from error
        raise
    node: Node | None = (data.get("repository") or {}).get("pullRequest")
    if node is None:
        raise NotFound(absent)
    return node


async def _read_commit(
    client: EvidenceClient, found: FoundFix, closed_at: datetime | None, bots: frozenset[str]
) -> Fix:
    path = f"/repos/{found.repository}/commits/{found.commit_sha}"
    answer = await client.get(path)
    files = list(answer["files"])
    page = 1
    while len(files) == page * _FILES_PER_PAGE and page < _FILE_PAGES:
        page += 1
        files += (await client.get(path, {"page": page}))["files"]
    fix = commit_fix(answer, files, found.link, found.repository, bots)
    if found.link == "manual" and found.landed_at is None:
        # Whatever else leads to a commit says that it landed; a person's word does not.
        landed_at = await _commit_landed_at(client, found, answer, closed_at)
        return replace(fix, landed=landed_at is not None, merged_at=landed_at)
    return fix


async def _commit_landed_at(
    client: EvidenceClient, found: FoundFix, answer: Node, closed_at: datetime | None
) -> datetime | None:
    """Return when a commit landed on the default branch, or None where it did not, or was reverted before the closing.

    A revert is known from commits that mention the issue, and from the pull request that the commit says it is.
    """
    sha, landed_at = str(answer["sha"]), moment(answer["commit"]["committer"]["date"])
    branch = (await client.get(f"/repos/{found.repository}"))["default_branch"]
    try:
        compared = await client.get(f"/repos/{found.repository}/compare/{branch}...{sha}", {"per_page": 1})
    except _UNREADABLE:  # as where the two have no commit in common
        return None
    if compared["status"] not in ("behind", "identical") or sha.startswith(found.reverted):
        return None
    owner, _, name = found.repository.partition("/")
    for number in pull_requests_named(answer["commit"]["message"], found.repository)[:1]:
        try:
            node = await _read_linked(client, found, {"owner": owner, "name": name, "number": number})
        except NotFound:
            continue
        if is_reverted(node, sha, landed_at, closed_at):
            return None
    return landed_at
