"""Resolvers of what people did: their contributions, the history of a branch by author, and searches by author."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from graphql import GraphQLError, GraphQLResolveInfo

from bot.sandbox.graphql_context import Resolvers, context
from bot.sandbox.graphql_cost import QueryError
from bot.sandbox.graphql_pages import Page, cut
from bot.sandbox.identifiers import read_node_id
from bot.sandbox.shapes import stamp
from bot.sandbox.state import Account, Commit, Issue, PullRequest, Repository

LONGEST_SPAN = timedelta(days=366)
"""GitHub refuses contributions over more than a year."""


@dataclass(frozen=True)
class Contributions:
    """What one account did within a stretch of time."""

    account: Account
    since: datetime
    until: datetime


def contributions(source: Account, info: GraphQLResolveInfo, **span: str) -> Contributions:
    """Return an account's contributions: of the stretch asked for, of a year from its start, or of the last year."""
    start = datetime.fromisoformat(span["from"]) if "from" in span else None
    end = datetime.fromisoformat(span["to"]) if "to" in span else None
    if start is None:
        start = (end or context(info).world.now()) - timedelta(days=365)
    if end is None:
        end = start + timedelta(days=365)
    if not timedelta(0) <= end - start <= LONGEST_SPAN:
        raise QueryError("INVALID", "The total time spanned by 'from' and 'to' must not exceed 1 year")
    return Contributions(source, start, end)


def _total(source: Contributions, info: GraphQLResolveInfo, kind: str | None, **_: Any) -> int:
    """Count contributions to public repositories of one kind; None counts those to private ones, of all kinds."""
    world = context(info).world
    count = 0
    for done, repository_id, moment in world.work_of.get(source.account.id, ()):
        repository = world.repositories.get(repository_id)
        if repository is None or not source.since <= moment <= source.until:
            continue
        count += repository.private if kind is None else done == kind and not repository.private
    return count


def tip(source: Repository, info: GraphQLResolveInfo) -> Commit | None:
    """Return the newest commit of the default branch; None where there is none."""
    return context(info).world.tip(source)


def history(
    source: Commit,
    info: GraphQLResolveInfo,
    author: dict[str, Any] | None = None,
    since: str | None = None,
    until: str | None = None,
    path: str | None = None,
    **page: Any,
) -> Page:
    """Return a commit with those before it, the newest first, by author, time and a path they change."""
    rows = [row for row in context(info).world.commits_of[source.repository_id].values() if not _later(row, source)]
    if author is not None and author.get("id") is not None:
        named = read_node_id(author["id"])
        rows = [row for row in rows if named == ("account", row.author_id)]
    elif author is not None and author.get("emails") is not None:
        rows = [row for row in rows if row.author_email in author["emails"]]
    if since is not None:
        rows = [row for row in rows if row.committed_at >= datetime.fromisoformat(since)]
    if until is not None:
        rows = [row for row in rows if row.committed_at <= datetime.fromisoformat(until)]
    if path is not None:
        rows = [row for row in rows if any(f"{file.path}/".startswith(f"{path}/") for file in row.files)]
    return cut(sorted(rows, key=lambda row: (row.committed_at, row.id), reverse=True), **page)


def _later(row: Commit, than: Commit) -> bool:
    return (row.committed_at, row.id) > (than.committed_at, than.id)


def search(_: None, info: GraphQLResolveInfo, query: str, type: str, **page: Any) -> Page:  # noqa: A002 - GitHub's name
    """Return issues or pull requests by `repo:`, `is:`, `author:` and `created:`; hidden ones are silently left out.

    Any other word is refused, since it could not be taken into account.
    """
    world, wanted = context(info).world, _read_search(query)
    found = world.find_repository(wanted.repository)
    author = world.account(wanted.author)
    if type != "ISSUE" or found is None or not context(info).readable(found[0]) or author is None:
        return cut([], **page)
    numbered: dict[int, Any] = (world.pulls_of if wanted.pulls else world.issues_of)[found[0].id]
    rows: list[Issue | PullRequest] = [
        row
        for row in numbered.values()
        if row.author_id == author.id and wanted.since <= row.created_at.date() <= wanted.until
    ]
    return cut(rows, **page)


@dataclass(frozen=True)
class _Search:
    repository: str
    author: str
    pulls: bool
    since: date
    until: date


def _read_search(query: str) -> _Search:
    words = dict(word.partition(":")[::2] for word in query.split())
    kind, (since, between, until) = words.pop("is", None), words.pop("created", "").partition("..")
    repository, author = words.pop("repo", None), words.pop("author", None)
    if words or kind not in ("pr", "issue") or repository is None or author is None or not between:
        raise GraphQLError(f"The local GitHub cannot search for {query!r}.")
    return _Search(repository, author, kind == "pr", _day(since), _day(until))


def _day(text: str) -> date:
    return datetime.fromisoformat(text).astimezone(UTC).date() if "T" in text else date.fromisoformat(text)


CONTRIBUTIONS: Resolvers = {
    "user": lambda source, _: source.account,
    "startedAt": lambda source, _: stamp(source.since),
    "endedAt": lambda source, _: stamp(source.until),
    "totalCommitContributions": lambda source, info: _total(source, info, "commit"),
    "totalIssueContributions": lambda source, info, **excluded: _total(source, info, "issue", **excluded),
    "totalPullRequestContributions": lambda source, info, **excluded: _total(source, info, "pull_request", **excluded),
    "totalPullRequestReviewContributions": lambda source, info: _total(source, info, "review"),
    "restrictedContributionsCount": lambda source, info: _total(source, info, None),
}
