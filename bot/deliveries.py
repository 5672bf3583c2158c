"""What a delivery is and whether it is kept: pure decisions at the door, from the event's name and its payload."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.commands.grammar import mentions

ISSUE_ACTIONS = frozenset({"closed", "reopened", "edited", "deleted", "transferred", "locked", "unlocked"})
COMMENT_ACTIONS = frozenset({"created", "edited"})
REPOSITORY_ACTIONS = frozenset(
    {"renamed", "transferred", "archived", "unarchived", "privatized", "publicized", "deleted"}
)
INSTALLATION_EVENTS = frozenset({"installation", "installation_repositories"})


@dataclass(frozen=True)
class Arrival:
    """A delivery worth keeping: the unit of work it belongs to, and whether that work waits for GitHub to settle.

    `settles` is true for closings only: the link to the closing change appears some seconds after the event.
    """

    guid: str
    event: str
    action: str | None
    unit: str
    installation_id: int | None
    repository_id: int | None
    number: int | None
    sender_id: int | None
    payload: str
    settles: bool


class MalformedPayloadError(ValueError):
    """The payload lacks what every event of its kind has."""


def issue_unit(repository_id: int, number: int) -> str:
    """Name the unit of work of one issue; it is also the lock of its jobs."""
    return f"issue:{repository_id}:{number}"


def arrival(
    guid: str, event: str, payload: Mapping[str, Any], raw: str, *, bot_id: int | None, slug: str
) -> Arrival | None:
    """Return what to store of a delivery, or None where it is not for us.

    Dropped are: our own events (by the sender's numeric id, `bot_id`), pull requests and comments on them, comments
    that cannot hold a command, and every event or action nobody here acts on. Raises `MalformedPayloadError` where a
    field that the event always has is missing or of the wrong type.
    """
    sender_id = _number(payload, "sender", "id", required=False)
    if bot_id is not None and sender_id == bot_id:
        return None
    action = payload.get("action")
    if not isinstance(action, str):
        return None
    installation_id = _number(payload, "installation", "id", required=False)
    number: int | None = None
    repository_id: int | None = None
    if event in INSTALLATION_EVENTS:
        installation_id = _number(payload, "installation", "id")
        unit = f"installation:{installation_id}"
    elif event == "repository" and action in REPOSITORY_ACTIONS:
        repository_id = _number(payload, "repository", "id")
        unit = f"repository:{repository_id}"
    elif _is_wanted_issue_event(event, action, payload, slug):
        repository_id = _number(payload, "repository", "id")
        number = _number(payload, "issue", "number")
        if repository_id is None or number is None:
            raise MalformedPayloadError("repository.id and issue.number are needed")
        unit = issue_unit(repository_id, number)
    else:
        return None
    settles = event == "issues" and action == "closed"
    return Arrival(guid, event, action, unit, installation_id, repository_id, number, sender_id, raw, settles)


def _is_wanted_issue_event(event: str, action: str, payload: Mapping[str, Any], slug: str) -> bool:
    if event not in {"issues", "issue_comment"}:
        return False
    issue = payload.get("issue")
    if not isinstance(issue, Mapping):
        raise MalformedPayloadError("issue is needed")
    if issue.get("pull_request"):
        return False
    if event == "issues":
        return action in ISSUE_ACTIONS
    comment = payload.get("comment")
    if not isinstance(comment, Mapping):
        raise MalformedPayloadError("comment is needed")
    body = comment.get("body")
    return action in COMMENT_ACTIONS and isinstance(body, str) and mentions(body, slug)


def _number(payload: Mapping[str, Any], outer: str, inner: str, *, required: bool = True) -> int | None:
    part = payload.get(outer)
    value = part.get(inner) if isinstance(part, Mapping) else None
    # GitHub's ids fit into 63 bits; anything else would only fail later, in the database.
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63:
        return value
    if required or value is not None:
        raise MalformedPayloadError(f"{outer}.{inner} is not a number GitHub gives")
    return None
