"""What is kept of a payload: those parts that some feature reads, and none of the rest; pure.

A closing of 12 KB, most of it addresses and the issue's text, becomes some 600 bytes. What is said is read again from
GitHub when it is needed, but for what GitHub does not show later: comments with commands, and an edited inbox, each as
it was before and after.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

Shape: TypeAlias = Mapping[str, "Shape | None"]
"""The names to keep of an object; None stands for a plain value, a shape for an object, or a list of objects."""

MOST_CHARACTERS = 65_536
"""Of one text that are kept: GitHub's own limit for the text of an issue or a comment."""

_PERSON: Shape = dict.fromkeys(("id", "login", "type"))
_PLACE: Shape = dict.fromkeys(("id", "full_name", "html_url", "private", "archived", "fork", "updated_at"))
_INSTALLATION: Shape = {
    "account": _PERSON,
    **dict.fromkeys(("id", "repository_selection", "suspended_at", "updated_at")),
}
_COMMON: Shape = {"action": None, "sender": _PERSON, "repository": _PLACE, "installation": _INSTALLATION}
_ISSUE: Shape = {"user": _PERSON, **dict.fromkeys(("id", "number", "state", "updated_at"))}
_TITLED: Shape = {**_ISSUE, "title": None}
_BEFORE: Shape = {"body": {"from": None}}
_MOVED: Shape = {"id": None, "number": None, "title": None, "html_url": None}

_EDITED: Shape = {**_COMMON, "issue": _TITLED}
_INBOX_EDITED: Shape = {**_COMMON, "issue": {**_TITLED, "body": None}, "changes": _BEFORE}
_COMMENT: Shape = {
    **_COMMON,
    "issue": _ISSUE,
    "comment": {"id": None, "user": _PERSON, "body": None},
    "changes": _BEFORE,
}
_INSTALLED: Shape = {
    **_COMMON,
    **dict.fromkeys(("repositories", "repositories_added", "repositories_removed"), _PLACE),
}
_OF_ISSUES: Mapping[str, Shape] = {
    "labeled": {**_COMMON, "issue": _ISSUE, "label": {"name": None}},
    "unlabeled": {**_COMMON, "issue": _ISSUE, "label": {"name": None}},
    "transferred": {**_COMMON, "issue": _ISSUE, "changes": {"new_issue": _MOVED, "new_repository": _PLACE}},
}
_OTHERS: Shape = {**_COMMON, "issue": _ISSUE}


_NOTHING = object()
_ENCODER = json.JSONEncoder(separators=(",", ":"))


def trimmed(event: str, payload: Mapping[str, Any]) -> str:
    """Return what is kept of a payload as JSON text in ASCII, so that whatever it spells can be stored and read again.

    A value that is neither text, number, truth value nor null where one of these belongs is left out, as is an object
    or a list in any other place than its own.
    """
    kept = _cut(payload, _shape(event, payload))
    return _ENCODER.encode(kept)


def _shape(event: str, payload: Mapping[str, Any]) -> Shape:
    if event == "issue_comment":
        return _COMMENT
    if event in {"installation", "installation_repositories"}:
        return _INSTALLED
    if event != "issues":
        return _COMMON
    action = payload["action"]
    if action == "edited":
        # The one text of an issue that is read from an event is the inbox's, which no person opened.
        user = payload["issue"].get("user")
        by_person = isinstance(user, Mapping) and user.get("type") == "User"
        return _EDITED if by_person else _INBOX_EDITED
    return _OF_ISSUES.get(action, _OTHERS)


def _cut(given: Mapping[str, Any], shape: Shape) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, inner in shape.items():
        value = given.get(name, _NOTHING)
        if isinstance(value, str):
            kept[name] = value[:MOST_CHARACTERS]
        elif value is None or isinstance(value, (int, float)):
            kept[name] = value
        elif inner is not None and isinstance(value, dict):
            kept[name] = _cut(value, inner)
        elif inner is not None and isinstance(value, list):
            kept[name] = [_cut(one, inner) for one in value if isinstance(one, dict)]
    return kept
