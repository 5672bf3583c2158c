"""Which change fixed an issue, and how that is known: the decision, from GitHub's answer alone.

Order: the change a person named > what closed the issue (`ClosedEvent.closer` of the last closing) > a linked pull
request that landed > a commit of the repository whose message says it closes the issue. A mere mention is no fix.
Landed means: merged into the default branch, or closed by a commit that landed (merge bots and mirrored repositories
close a pull request without merging it), and not reverted before the last closing. Whether a commit is on the default
branch is not told in this answer; a commit that closed an issue is, since only such a commit does, and one that says
so in the issue's own repository is taken to be, unless it names a pull request: then that decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from bot.evidence.model import FixKind, FixLink
from bot.github.answers import Node, moment, nodes
from bot.github.landing import (
    REVERT_TITLE,
    pull_request_landed_at,
    pull_requests_named,
    reverted_shas,
    says_it_closes,
)


@dataclass(frozen=True)
class ManualFix:
    """A change a person named: a pull request by its number or a commit by its sha, in `repository`."""

    repository: str
    number: int | None = None
    sha: str | None = None


@dataclass(frozen=True)
class FoundFix:
    """A change that was found: what kind, by which link, its name in `repository`, and what is known of it so far.

    `node` is the pull request's part of the answer, None where only its number was found: then it has to be read.
    `landed_at` is None where it did not land, or where the pull request itself will tell. `commit_sha` is the commit,
    or the one through which a pull request was found, which stands in for it where it cannot be read. `reverted` are
    beginnings of hashes that commits of the issue say they reverted before its closing.
    """

    kind: FixKind
    link: FixLink
    repository: str
    number: int | None = None
    commit_sha: str | None = None
    node: Node | None = None
    landed_at: datetime | None = None
    reverted: tuple[str, ...] = ()


def manual_fix(named: ManualFix, issue: Node, found: FoundFix | None, closed_at: datetime | None) -> FoundFix:
    """Take the change a person named, who knows better than any rule; whether it landed is found out all the same.

    `found` is what was found without the person's word: where it is the same change, what is known of it is used.
    """
    if found is not None and _is_same(found, named):
        return replace(found, link="manual")
    events = nodes(issue["references"])
    commits = [event["commit"] for event in events if event["commit"] and not event["isCrossRepository"]]
    if named.number is None:
        reverted = reverted_shas(commits, closed_at)
        return FoundFix("commit", "manual", named.repository, commit_sha=named.sha, reverted=reverted)
    for node in nodes(issue["closedByPullRequestsReferences"]):
        where = node["repository"]["nameWithOwner"]
        if node["number"] == named.number and where.lower() == named.repository.lower():
            commit = _named_by(commits).get((where, named.number))
            return _pull_request(node, "manual", pull_request_landed_at(node, closed_at, commit))
    return FoundFix("pull_request", "manual", named.repository, named.number)


def find_fix(
    issue: Node, repository: str, closed_at: datetime | None, *, hidden: bool = False
) -> tuple[FoundFix | None, FixLink | None]:
    """Find the fix of an issue of `repository` whose last span ended at `closed_at`, and how it was found.

    The link is `private`, without a fix, where something that cannot be read closed the issue or is linked to it and
    nothing else was found; `hidden` says that the answer's errors told of such a thing. Both are None for no fix.
    """
    number = issue["number"]
    closer = next((event.get("closer") for event in nodes(issue["closing"])), None)
    events = nodes(issue["references"])
    commits = [event["commit"] for event in events if event["commit"] and not event["isCrossRepository"]]
    linked = nodes(issue["closedByPullRequestsReferences"])
    found = (
        _by_closer(closer, linked, number, closed_at)
        or _by_link(linked, commits, closed_at)
        or _by_keyword(commits, number, repository, closed_at)
    )
    if found is not None:
        return found, found.link
    all_linked = (issue["closedByPullRequestsReferences"] or {}).get("nodes") or ()
    unreadable = hidden or len(linked) < len(all_linked) or _hidden_commit(events, closed_at)
    return None, "private" if unreadable else None


def _by_closer(closer: Node | None, linked: Iterable[Node], number: int, closed_at: datetime | None) -> FoundFix | None:
    """Take what closed the issue; a commit that stands for a pull request leads to it, where the discussion was."""
    if closer is None or closer["__typename"] not in ("PullRequest", "Commit"):
        return None
    repository = closer["repository"]["nameWithOwner"]
    if closer["__typename"] == "PullRequest":
        return _pull_request(closer, "closer_pr", pull_request_landed_at(closer, closed_at))
    landed_at, sha = moment(closer["committedDate"]), closer["oid"]
    names = [other for other in pull_requests_named(closer["message"], repository) if other != number]
    for node in linked:
        if node["number"] in names and node["repository"]["nameWithOwner"] == repository:
            return _pull_request(node, "closer_commit", landed_at, sha)
    for node in nodes(closer["associatedPullRequests"]):
        if pull_request_landed_at(node, closed_at) is not None:
            return _pull_request(node, "closer_commit", landed_at, sha)
    if names:
        return FoundFix("pull_request", "closer_commit", repository, names[-1], sha, landed_at=landed_at)
    return FoundFix("commit", "closer_commit", repository, commit_sha=sha, landed_at=landed_at)


def _by_link(linked: Iterable[Node], commits: Iterable[Node], closed_at: datetime | None) -> FoundFix | None:
    """Take the linked pull request that landed last before the closing, else the one that landed first after it."""
    named = _named_by(commits)
    landed: list[FoundFix] = []
    for node in linked:
        commit = named.get((node["repository"]["nameWithOwner"], node["number"]))
        landed_at = pull_request_landed_at(node, closed_at, commit)
        if landed_at is not None:
            landed.append(_pull_request(node, "linked_pr", landed_at))
    before = [fix for fix in landed if closed_at is None or _landing(fix) <= closed_at]
    return max(before, key=_landing) if before else min(landed, key=_landing, default=None)


def _named_by(commits: Iterable[Node]) -> dict[tuple[str, int], Node]:
    """Return the commits by the pull requests, in their repository, that they say they are."""
    return {
        (where, number): commit
        for commit in commits
        for where in [commit["repository"]["nameWithOwner"]]
        for number in pull_requests_named(commit["message"], where)
    }


def _is_same(found: FoundFix, named: ManualFix) -> bool:
    if found.repository.lower() != named.repository.lower():
        return False
    if named.number is not None:
        return found.number == named.number
    return found.kind == "commit" and (found.commit_sha or "").startswith(named.sha or " ")


def _by_keyword(commits: list[Node], number: int, repository: str, closed_at: datetime | None) -> FoundFix | None:
    """Take the last commit that says it closes the issue, was not reverted and does not itself revert anything."""
    reverted = reverted_shas(commits, closed_at)
    for commit in sorted(commits, key=lambda commit: moment(commit["committedDate"]), reverse=True):
        message, sha = commit["message"], commit["oid"]
        where = commit["repository"]["nameWithOwner"]
        if message.startswith(REVERT_TITLE) or sha.startswith(reverted):
            continue
        if not says_it_closes(message, number, repository):
            continue
        names = [other for other in pull_requests_named(message, where) if other != number]
        if names:
            return FoundFix("pull_request", "commit_keyword", where, names[-1], sha)
        return FoundFix("commit", "commit_keyword", where, commit_sha=sha, landed_at=moment(commit["committedDate"]))
    return None


def _pull_request(node: Node, link: FixLink, landed_at: datetime | None, commit_sha: str | None = None) -> FoundFix:
    repository = node["repository"]["nameWithOwner"]
    return FoundFix("pull_request", link, repository, node["number"], commit_sha, node, landed_at)


def _landing(fix: FoundFix) -> datetime:
    if fix.landed_at is None:
        raise ValueError("only changes that landed are compared by when they did")
    return fix.landed_at


def _hidden_commit(events: Iterable[Node], closed_at: datetime | None) -> bool:
    """Tell whether a commit that we cannot read mentioned the issue at the very moment it was closed."""
    return closed_at is not None and any(
        event["commit"] is None and abs((moment(event["createdAt"]) - closed_at).total_seconds()) <= 1
        for event in events
    )
