"""Resolvers of repositories, pull requests, commits and accounts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

from graphql import GraphQLResolveInfo

from bot.sandbox.graphql_context import RemarkOf, Resolvers, ReviewOf, ThreadOf, actor, context
from bot.sandbox.graphql_cost import QueryError
from bot.sandbox.graphql_issues import comments, standing, timeline
from bot.sandbox.graphql_pages import Page, cut, cut_by_key
from bot.sandbox.graphql_people import history, tip
from bot.sandbox.graphql_pins import pinned_issues
from bot.sandbox.identifiers import node_id, small_id
from bot.sandbox.rights import association
from bot.sandbox.shapes import stamp, stamp_or_none
from bot.sandbox.shapes_repository import html_url
from bot.sandbox.state import Commit, Issue, PullRequest, Repository

_STATUSES = {"added": "ADDED", "removed": "DELETED", "modified": "MODIFIED", "renamed": "RENAMED"}


def issue(source: Repository, info: GraphQLResolveInfo, number: int) -> Issue:
    """Return an issue of a repository."""
    found = context(info).world.issues_of[source.id].get(number)
    if found is None or found.deleted or found.transferred_to is not None:
        raise QueryError("NOT_FOUND", f"Could not resolve to an Issue with the number of {number}.")
    return found


def pull_request(source: Repository, info: GraphQLResolveInfo, number: int) -> PullRequest:
    """Return a pull request of a repository."""
    found = context(info).world.pulls_of[source.id].get(number)
    if found is None:
        raise QueryError("NOT_FOUND", f"Could not resolve to a PullRequest with the number of {number}.")
    return found


def issues(
    source: Repository,
    info: GraphQLResolveInfo,
    states: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    orderBy: dict[str, str] | None = None,  # noqa: N803 - GitHub's name
    filterBy: dict[str, str] | None = None,  # noqa: N803 - GitHub's name
    **page: Any,
) -> Page:
    """Return the issues of a repository by state and labels (any of them), in the order asked for.

    `filterBy.since` leaves out issues not changed since. A cursor names an issue, so a page goes on behind it whatever
    was closed or reopened meanwhile.
    """
    world = context(info).world
    rows = [row for row in world.issues_of[source.id].values() if not row.deleted and row.transferred_to is None]
    if states is not None:
        rows = [row for row in rows if ("CLOSED" if row.closed_at else "OPEN") in states]
    if labels is not None:
        wanted = {name.lower() for name in labels}
        rows = [row for row in rows if wanted & {world.labels[label_id].name.lower() for label_id in row.label_ids}]
    since = (filterBy or {}).get("since")
    if since is not None:
        rows = [row for row in rows if row.updated_at >= datetime.fromisoformat(since)]
    order = orderBy or {"field": "CREATED_AT", "direction": "ASC"}
    if order["field"] == "COMMENTS":
        rows.sort(key=lambda row: len(world.comments_on.get((row.repository_id, row.number), ())))
    elif order["field"] == "UPDATED_AT":
        rows.sort(key=lambda row: row.updated_at)
    else:
        rows.sort(key=lambda row: (row.created_at, row.id))
        if order["direction"] == "ASC":
            return cut_by_key(rows, lambda row: (row.created_at.isoformat(), row.id), **page)
    return cut(rows[::-1] if order["direction"] == "DESC" else rows, **page)


def _branch(source: Repository, _: GraphQLResolveInfo) -> dict[str, Any]:
    """Return the default branch; its newest commit is looked for only where it is asked for."""
    return {"id": node_id("branch", source.id), "name": source.default_branch, "target": partial(tip, source)}


def _commit(pull: PullRequest, sha: str, info: GraphQLResolveInfo) -> Commit:
    """Find a commit of a pull request; one that was never pushed here is made up from the pull request."""
    known = context(info).world.commits_of[pull.repository_id].get(sha)
    return known or Commit(pull.id, pull.repository_id, sha, pull.title, pull.created_at, pull.author_id)


def _commits(source: PullRequest, info: GraphQLResolveInfo, **page: Any) -> Page:
    rows = [
        {"id": node_id("commit", source.id, sha), "commit": _commit(source, sha, info)} for sha in source.commit_shas
    ]
    return cut(rows, **page)


def _reviews(source: PullRequest, _: GraphQLResolveInfo, **page: Any) -> Page:
    return cut([ReviewOf(source, position, row) for position, row in enumerate(source.reviews)], **page)


def _remarks(source: ReviewOf, _: GraphQLResolveInfo, **page: Any) -> Page:
    first = sum(len(row.comments) for row in source.pull.reviews[: source.position])
    rows = [RemarkOf(source.pull, first + position, row) for position, row in enumerate(source.review.comments)]
    return cut(rows, **page)


def _threads(source: PullRequest, _: GraphQLResolveInfo, **page: Any) -> Page:
    threads: list[list[RemarkOf]] = []
    remarks = (row for review in source.reviews for row in review.comments)
    for position, row in enumerate(remarks):
        remark = RemarkOf(source, position, row)
        if row.reply and threads:
            threads[-1].append(remark)
        else:
            threads.append([remark])
    return cut([ThreadOf(source, position, tuple(rows)) for position, rows in enumerate(threads)], **page)


def _closed_issues(
    source: PullRequest,
    info: GraphQLResolveInfo,
    userLinkedOnly: bool = False,  # noqa: N803 - GitHub's name
    **page: Any,
) -> Page:
    ids = source.linked_by_hand if userLinkedOnly else [*source.closes, *source.linked_by_hand]
    return cut([context(info).world.issues[issue_id] for issue_id in ids], **page)


def _pull_url(source: PullRequest, info: GraphQLResolveInfo) -> str:
    world = context(info).world
    return f"{html_url(world, world.repositories[source.repository_id])}/pull/{source.number}"


def _repository(source: PullRequest | Commit, info: GraphQLResolveInfo) -> Repository:
    return context(info).world.repositories[source.repository_id]


def _signature(source: Commit, info: GraphQLResolveInfo) -> dict[str, Any]:
    account = actor(info, source.author_id)
    person = account if account is not None and account.kind == "User" else None
    moment = stamp(source.committed_at)
    return {"name": source.author_name, "email": source.author_email, "date": moment, "user": person}


def _commit_url(source: Commit, info: GraphQLResolveInfo) -> str:
    return f"{html_url(context(info).world, _repository(source, info))}/commit/{source.sha}"


def _pulls_of_commit(source: Commit, info: GraphQLResolveInfo, **page: Any) -> Page:
    return cut([context(info).world.pull_requests[pull_id] for pull_id in source.pull_request_ids], **page)


def _review_standing(source: ReviewOf, info: GraphQLResolveInfo) -> str:
    return association(context(info).world, _repository(source.pull, info), source.review.author_id)


def _merge_commit(source: PullRequest, info: GraphQLResolveInfo) -> Commit | None:
    return _commit(source, source.merge_commit_sha, info) if source.merge_commit_sha else None


def _pull_state(source: PullRequest, _: GraphQLResolveInfo) -> str:
    return "MERGED" if source.merged_at else "CLOSED" if source.closed_at else "OPEN"


REPOSITORY: Resolvers = {
    "id": lambda source, _: node_id("repository", source.id),
    "databaseId": lambda source, _: source.id,
    "name": lambda source, _: source.name,
    "nameWithOwner": lambda source, info: context(info).world.full_name(source),
    "owner": lambda source, info: context(info).world.accounts[source.owner_id],
    "url": lambda source, info: html_url(context(info).world, source),
    "isPrivate": lambda source, _: source.private,
    "isArchived": lambda source, _: source.archived,
    "isFork": lambda source, _: source.fork,
    "hasIssuesEnabled": lambda source, _: source.has_issues,
    "createdAt": lambda source, _: stamp(source.created_at),
    "description": lambda source, _: source.description,
    "stargazerCount": lambda source, _: source.stars,
    "forkCount": lambda source, _: source.forks,
    "watchers": lambda source, _, **_page: {"totalCount": source.watches},
    "defaultBranchRef": _branch,
    "issue": issue,
    "issues": issues,
    "pinnedIssues": pinned_issues,
    "pullRequest": pull_request,
    "labels": lambda source, info, **page: cut(list(context(info).world.labels_of[source.id].values()), **page),
}
PULL_REQUEST: Resolvers = {
    "id": lambda source, _: node_id("pull_request", source.id),
    "databaseId": lambda source, _: source.id,
    "fullDatabaseId": lambda source, _: str(source.id),
    "number": lambda source, _: source.number,
    "title": lambda source, _: source.title,
    "body": lambda source, _: source.body,
    "bodyText": lambda source, _: source.body,
    "url": _pull_url,
    "author": lambda source, info: actor(info, source.author_id),
    "authorAssociation": standing,
    "createdAt": lambda source, _: stamp(source.created_at),
    "updatedAt": lambda source, _: stamp(source.updated_at),
    "closedAt": lambda source, _: stamp_or_none(source.closed_at),
    "closed": lambda source, _: source.closed_at is not None,
    "merged": lambda source, _: source.merged_at is not None,
    "mergedAt": lambda source, _: stamp_or_none(source.merged_at),
    "mergedBy": lambda source, info: actor(info, source.merged_by_id),
    "state": _pull_state,
    "locked": lambda _source, _: False,
    "isDraft": lambda _source, _: False,
    "baseRefName": lambda source, _: source.base_branch,
    "headRefName": lambda source, _: source.head_branch,
    "additions": lambda source, _: source.additions,
    "deletions": lambda source, _: source.deletions,
    "changedFiles": lambda source, _: source.changed_files,
    "files": lambda source, _, **page: cut(source.files, **page),
    "comments": comments,
    "reviews": _reviews,
    "reviewThreads": _threads,
    "commits": _commits,
    "mergeCommit": _merge_commit,
    "repository": _repository,
    "baseRepository": _repository,
    "labels": lambda _source, _, **page: cut([], **page),
    "closingIssuesReferences": _closed_issues,
    "timelineItems": timeline,
}
COMMIT: Resolvers = {
    "id": lambda source, _: node_id("commit", source.id),
    "oid": lambda source, _: source.sha,
    "abbreviatedOid": lambda source, _: source.sha[:7],
    "message": lambda source, _: source.message,
    "messageHeadline": lambda source, _: source.message.partition("\n")[0],
    "messageBody": lambda source, _: source.message.partition("\n")[2].strip(),
    "committedDate": lambda source, _: stamp(source.committed_at),
    "authoredDate": lambda source, _: stamp(source.committed_at),
    "author": _signature,
    "committer": _signature,
    "additions": lambda source, _: source.additions,
    "deletions": lambda source, _: source.deletions,
    "changedFiles": lambda source, _: len(source.files),
    "changedFilesIfAvailable": lambda source, _: len(source.files),
    "associatedPullRequests": _pulls_of_commit,
    "history": history,
    "repository": _repository,
    "url": _commit_url,
}
REVIEW: Resolvers = {
    "id": lambda source, _: node_id("review", source.pull.id, str(source.position)),
    "databaseId": lambda source, _: small_id("review", source.pull.id, source.position),
    "fullDatabaseId": lambda source, _: str(small_id("review", source.pull.id, source.position)),
    "author": lambda source, info: actor(info, source.review.author_id),
    "authorAssociation": _review_standing,
    "body": lambda source, _: source.review.body,
    "bodyText": lambda source, _: source.review.body,
    "state": lambda source, _: source.review.state,
    "createdAt": lambda source, _: stamp(source.review.submitted_at),
    "submittedAt": lambda source, _: stamp(source.review.submitted_at),
    "comments": _remarks,
}
REMARK: Resolvers = {
    "id": lambda source, _: node_id("review_comment", source.pull.id, str(source.position)),
    "databaseId": lambda source, _: small_id("remark", source.pull.id, source.position),
    "fullDatabaseId": lambda source, _: str(small_id("remark", source.pull.id, source.position)),
    "author": lambda source, info: actor(info, source.comment.author_id),
    "body": lambda source, _: source.comment.body,
    "bodyText": lambda source, _: source.comment.body,
    "createdAt": lambda source, _: stamp(source.comment.created_at),
    "path": lambda source, _: source.comment.path,
}
THREAD: Resolvers = {
    "id": lambda source, _: node_id("thread", source.pull.id, str(source.position)),
    "isResolved": lambda _source, _: False,
    "path": lambda source, _: source.remarks[0].comment.path,
    "comments": lambda source, _, **page: cut(source.remarks, **page),
}
FILE: Resolvers = {
    "path": lambda source, _: source.path,
    "additions": lambda source, _: source.additions,
    "deletions": lambda source, _: source.deletions,
    "changeType": lambda source, _: _STATUSES[source.status],
}
