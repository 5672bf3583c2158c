"""What a delivery is and whether it is kept: pure decisions at the door, from the event's name and its payload."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.commands.grammar import mentions
from bot.trimming import trimmed

ACTIONS: dict[str, frozenset[str]] = {
    "issues": frozenset(
        {"closed", "reopened", "edited", "deleted", "transferred", "locked", "unlocked", "labeled", "unlabeled"}
    ),
    "issue_comment": frozenset({"created", "edited"}),
    "repository": frozenset(
        {"renamed", "transferred", "archived", "unarchived", "privatized", "publicized", "deleted"}
    ),
    "installation": frozenset({"created", "deleted", "suspend", "unsuspend", "new_permissions_accepted"}),
    "installation_repositories": frozenset({"added", "removed"}),
}
"""The actions of each event that something here acts on; all others are dropped."""

_MOST_ID = 2**63 - 1
_MOST_NUMBER = 2**31 - 1


@dataclass(frozen=True)
class Arrival:
    """A delivery worth keeping: the unit of work it belongs to, and whether that work waits for GitHub to settle.

    `settles` is true for closings only: the link to the closing change appears some seconds after the event. `payload`
    is what is kept of it (`bot.trimming`), as JSON text.
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


def arrival(guid: str, event: str, payload: Mapping[str, Any], *, bot_id: int | None, slug: str) -> Arrival | None:
    """Return what to store of a delivery, or None where it is not for us.

    Dropped are: our own events (by the sender's numeric id, `bot_id`), pull requests and comments on them, comments
    that cannot hold a command, and every event or action nobody here acts on. Raises `MalformedPayloadError` where a
    field that the event always has is missing or of the wrong type.
    """
    action = payload.get("action")
    if not isinstance(action, str) or action not in ACTIONS.get(event, ()):
        return None
    sender_id = _optional(payload, "sender", "id")
    if bot_id is not None and sender_id == bot_id:
        return None
    installation_id = _optional(payload, "installation", "id")
    repository_id: int | None = None
    number: int | None = None
    if event in {"installation", "installation_repositories"}:
        unit = f"installation:{_number(payload, 'installation', 'id')}"
    elif event == "repository":
        repository_id = _number(payload, "repository", "id")
        unit = f"repository:{repository_id}"
    elif _is_about_an_issue(event, payload, slug):
        repository_id = _number(payload, "repository", "id")
        number = _number(payload, "issue", "number", most=_MOST_NUMBER)
        unit = issue_unit(repository_id, number)
    else:
        return None
    settles = event == "issues" and action == "closed"
    kept = trimmed(event, payload)
    return Arrival(guid, event, action, unit, installation_id, repository_id, number, sender_id, kept, settles)


def _is_about_an_issue(event: str, payload: Mapping[str, Any], slug: str) -> bool:
    """Tell whether it is an issue, not a pull request, and, of a comment, whether it may hold a command."""
    issue = payload.get("issue")
    if not isinstance(issue, Mapping):
        raise MalformedPayloadError("issue is needed")
    if issue.get("pull_request") is not None:
        return False
    if event == "issues":
        return True
    comment = payload.get("comment")
    if not isinstance(comment, Mapping):
        raise MalformedPayloadError("comment is needed")
    _number(payload, "comment", "id")
    body = comment.get("body")
    return isinstance(body, str) and mentions(body, slug)


def _number(payload: Mapping[str, Any], outer: str, inner: str, *, most: int = _MOST_ID) -> int:
    value = _optional(payload, outer, inner, most=most)
    if value is None:
        raise MalformedPayloadError(f"{outer}.{inner} is needed")
    return value


def _optional(payload: Mapping[str, Any], outer: str, inner: str, *, most: int = _MOST_ID) -> int | None:
    part = payload.get(outer)
    value = part.get(inner) if isinstance(part, Mapping) else None
    if value is None:
        return None
    # What does not fit its column would only fail later, in the database.
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= most:
        return value
    raise MalformedPayloadError(f"{outer}.{inner} is not a number GitHub gives")
