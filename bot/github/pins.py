"""Pinning an issue of our own above its repository's list, and unpinning it; nobody else's pin is ever touched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bot.github.actions import PinIssue, Status, UnpinIssue
from bot.github.client import GitHubClient
from bot.github.errors import Forbidden, GraphQLError, NotFound, NotOurs
from bot.github.sender import Sender

MOST_PINNED = 3
"""Issues that a repository can pin (GitHub's documentation, "Pinning an issue to your repository")."""

PINNED_ISSUES = """
query PinnedIssues($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    databaseId
    issue(number: $number) { id author { ... on Bot { databaseId } } }
    pinnedIssues(first: 3) { nodes { issue { id } pinnedBy { ... on Bot { databaseId } } } }
  }
}
"""
PIN = """
mutation PinIssue($issue: ID!) { pinIssue(input: {issueId: $issue}) { issue { id } } }
"""
UNPIN = """
mutation UnpinIssue($issue: ID!) { unpinIssue(input: {issueId: $issue}) { issue { id } } }
"""


@dataclass(frozen=True)
class Pins:
    """An issue's node id, how many issues its repository has pinned, and who pinned this one, if anybody."""

    issue: str
    pinned: int
    pinned_by: Literal["us", "others"] | None


async def change_pin(
    client: GitHubClient, sender: Sender, action: PinIssue | UnpinIssue, bot_user_id: int
) -> tuple[Status, str | None]:
    """Pin or unpin an issue; return what became of it, and why where it was not done.

    GitHub's refusal, as of an App that may not pin, is no failure: the pin is an ornament of the report. Raises
    `NotOurs` for an issue that somebody else wrote, and what a write raises while GitHub is away or asks to wait.
    """
    try:
        found = await _look(client, action, bot_user_id)
        answer = decide(action, found)
        if answer is not None:
            return answer
        mutation = PIN if isinstance(action, PinIssue) else UNPIN

        async def send() -> bool:
            await sender.mutate(mutation, {"issue": found.issue})
            return True

        async def find() -> bool | None:
            return decide(action, await _look(client, action, bot_user_id)) is not None or None

        await sender.send_surely(send, find)
    except NotFound:
        return "skipped", "deleted"
    except (Forbidden, GraphQLError) as refusal:
        missing = isinstance(refusal, GraphQLError) and "NOT_FOUND" in refusal.types
        return "skipped", "deleted" if missing else f"refused: {refusal}"
    return "done", None


def decide(action: PinIssue | UnpinIssue, found: Pins) -> tuple[Status, str | None] | None:
    """Return what is to be said without any change, or None where the pin is to be changed."""
    if isinstance(action, UnpinIssue):
        if found.pinned_by == "others":
            return "skipped", "pinned by somebody else"
        return ("unchanged", None) if found.pinned_by is None else None
    if found.pinned_by is not None:
        return "unchanged", None if found.pinned_by == "us" else "pinned by somebody else"
    return ("skipped", "three others are pinned") if found.pinned >= MOST_PINNED else None


async def _look(client: GitHubClient, action: PinIssue | UnpinIssue, bot_user_id: int) -> Pins:
    owner, _, name = action.repository.partition("/")
    data = await client.graphql(PINNED_ISSUES, {"owner": owner, "name": name, "number": action.number})
    repository = data["repository"]
    if repository is None or repository["databaseId"] != action.repository_id or repository["issue"] is None:
        raise NotFound(f"{action.repository} has no issue {action.number}")
    issue = repository["issue"]
    if not _is_by(issue["author"], bot_user_id):
        raise NotOurs(f"issue {action.number} in {action.repository} was written by somebody else")
    nodes = [one for one in (repository["pinnedIssues"] or {}).get("nodes") or () if one is not None]
    pinned = next((one for one in nodes if one["issue"]["id"] == issue["id"]), None)
    by: Literal["us", "others"] | None = None
    if pinned is not None:
        by = "us" if _is_by(pinned["pinnedBy"], bot_user_id) else "others"
    return Pins(issue["id"], len(nodes), by)


def _is_by(actor: Mapping[str, Any] | None, user_id: int) -> bool:
    return (actor or {}).get("databaseId") == user_id
