"""What commits and pull requests say of themselves: what they close, whether they landed and stayed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from bot.github.answers import Node, moment, nodes

REVERT_TITLE = 'Revert "'
"""How GitHub's revert button begins a title; what reverts a revert begins with two of them."""

_KEYWORD = r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?\s+"
_SUBJECT = re.compile(r"(?:Merge pull request|PR) #(\d+)\b|.*\(#(\d+)\)$")
_TRAILER = re.compile(
    r"(?:^Pull Request resolved:|^Imported from GitHub PR|\bcloses)\s+https?://[^\s/]+/([\w.-]+/[\w.-]+)/pull/(\d+)",
    re.IGNORECASE | re.MULTILINE,
)
_REVERTS = re.compile(r"\bThis reverts commit ([0-9a-f]{7,40})\b", re.IGNORECASE)
_QUOTED = 40
"""Characters of a title that a revert must quote; GitHub cuts the rest of a long one."""


def says_it_closes(message: str, number: int, repository: str) -> bool:
    """Tell whether a text holds one of GitHub's closing keywords with a reference to this issue of `repository`."""
    reference = rf"(?:(?:{re.escape(repository)})?#|GH-|https?://[^\s/]+/{re.escape(repository)}/issues/){number}\b"
    return re.search(_KEYWORD + reference, message, re.IGNORECASE) is not None


def pull_requests_named(message: str, repository: str) -> list[int]:
    """Return the pull requests of `repository` a commit says it is: by its subject, then by trailers of merge bots.

    Known trailers: PyTorch's "Pull Request resolved: <address>", and what TensorFlow's mirror writes.
    """
    subject = _SUBJECT.match(message.partition("\n")[0].rstrip())
    found = [int(subject.group(1) or subject.group(2))] if subject else []
    return found + [int(number) for name, number in _TRAILER.findall(message) if name.lower() == repository.lower()]


def reverted_shas(commits: Iterable[Node], closed_at: datetime | None) -> tuple[str, ...]:
    """Return the shas, some cut short, of what these commits reverted before the closing."""
    return tuple(
        sha.lower()
        for commit in commits
        if closed_at is None or moment(commit["committedDate"]) <= closed_at
        for sha in _REVERTS.findall(commit["message"])
    )


def pull_request_landed_at(node: Node, closed_at: datetime | None, commit: Node | None = None) -> datetime | None:
    """Return when a pull request landed on the default branch, or None where it did not, or was reverted in time.

    `commit` is a commit that landed and names this pull request, where one is known.
    """
    default = (node["repository"]["defaultBranchRef"] or {}).get("name")
    history = nodes(node["history"])
    closers = [event["closer"] for event in history if event["__typename"] == "ClosedEvent"]
    landed, sha = None, (node["mergeCommit"] or {}).get("oid")
    if node["merged"]:
        if default is None or node["baseRefName"] == default:
            landed = moment(node["mergedAt"])
    elif commit is not None:
        landed, sha = moment(commit["committedDate"]), commit["oid"]
    elif node["state"] == "CLOSED" and closers and closers[-1] and closers[-1]["__typename"] == "Commit":
        landed, sha = moment(closers[-1]["committedDate"]), closers[-1]["oid"]
    return None if landed is None or is_reverted(node, sha, landed, closed_at) else landed


def is_reverted(node: Node, sha: str | None, landed: datetime, closed_at: datetime | None) -> bool:
    """Tell whether a pull request that landed as the commit `sha` was reverted before the closing."""
    return any(_reverts(event, node["title"], sha, landed, closed_at) for event in nodes(node["history"]))


def _reverts(event: Node, title: str, sha: str | None, landed: datetime, closed_at: datetime | None) -> bool:
    """Tell whether an event in a pull request's history is its being reverted before the closing."""
    if event.get("isCrossRepository", True):
        return False
    if event["__typename"] == "ReferencedEvent":
        commit = event["commit"]
        return bool(commit and sha) and str(sha).startswith(reverted_shas([commit], closed_at))
    source = event["source"]
    if source["__typename"] != "PullRequest" or not source["merged"]:
        return False
    when = moment(source["mergedAt"])
    in_time = landed <= when and (closed_at is None or when <= closed_at)
    return in_time and str(source["title"]).startswith(REVERT_TITLE + title[:_QUOTED])
