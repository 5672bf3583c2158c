"""REST: the labels of a repository and of an issue."""

from __future__ import annotations

import re
from typing import Any

from bot.sandbox.calls import Call, Reply, Routes
from bot.sandbox.errors import ApiError, forbidden, invalid, not_found
from bot.sandbox.shapes import label_json
from bot.sandbox.state import Issue, Label
from bot.sandbox.texts import LABEL_CHARACTERS

routes = Routes()
LABELS = "/repos/{owner}/{repo}/labels"
ISSUE_LABELS = "/repos/{owner}/{repo}/issues/{number}/labels"


@routes.add("GET", LABELS, "issues:read")
def list_labels(call: Call) -> Reply:
    """List the labels of a repository."""
    rows = list(call.world.labels_of[call.repository.id].values())
    return call.rows(rows, lambda row: label_json(call.world, call.repository, row))


@routes.add("POST", LABELS, "issues:write", content=True)
def create_label(call: Call) -> Reply:
    """Make a label; 422 `already_exists` for a name taken in any case."""
    name, color = call.body.get("name"), str(call.body.get("color") or "ededed").lower()
    if not isinstance(name, str) or not name.strip():
        raise invalid("Label", "name", "missing_field")
    if len(name) > LABEL_CHARACTERS:
        raise invalid("Label", "name", "custom", "name is too long (maximum is 50 characters)")
    if not re.fullmatch(r"[0-9a-f]{6}", color):
        raise invalid("Label", "color", "invalid")
    if name.lower() in call.world.labels_of[call.repository.id]:
        raise invalid("Label", "name", "already_exists")
    description = call.body.get("description")
    label = Label(call.world.new_id("label"), call.repository.id, name, color, description)
    return Reply(label_json(call.world, call.repository, call.world.add(label)), 201)


@routes.add("GET", LABELS + "/{name}", "issues:read")
def get_label(call: Call) -> Reply:
    """Return one label."""
    return Reply(label_json(call.world, call.repository, _label(call)))


@routes.add("GET", ISSUE_LABELS, "issues:read")
def list_issue_labels(call: Call) -> Reply:
    """List the labels of an issue."""
    return _labels_of(call, call.issue())


@routes.add("POST", ISSUE_LABELS, "issues:write")
def add_issue_labels(call: Call) -> Reply:
    """Put existing labels on an issue."""
    issue = call.issue()
    for label in existing_labels(call, call.body.get("labels") or []):
        call.services.issues.label(issue, label, call.account, via_app=True)
    return _labels_of(call, issue)


@routes.add("DELETE", ISSUE_LABELS + "/{name}", "issues:write")
def remove_issue_label(call: Call) -> Reply:
    """Take a label off an issue."""
    issue, label = call.issue(), _label(call)
    if label.id not in issue.label_ids:
        raise ApiError(404, "Label does not exist")
    call.services.issues.unlabel(issue, label, call.account, via_app=True)
    return _labels_of(call, issue)


def existing_labels(call: Call, names: list[Any]) -> list[Label]:
    """Return the labels of a request; an unknown one is 403, since the App has no right to make it in passing."""
    found = []
    for entry in names:
        name = entry.get("name") if isinstance(entry, dict) else entry
        if not isinstance(name, str):
            raise invalid("Issue", "labels", "invalid")
        label = call.world.labels_of[call.repository.id].get(name.lower())
        if label is None:
            raise forbidden("You do not have permission to create labels on this repository.")
        if label not in found:
            found.append(label)
    return found


def _label(call: Call) -> Label:
    label = call.world.labels_of[call.repository.id].get(call.params["name"].lower())
    if label is None:
        raise not_found()
    return label


def _labels_of(call: Call, issue: Issue) -> Reply:
    rows = [call.world.labels[label_id] for label_id in issue.label_ids]
    return Reply([label_json(call.world, call.repository, row) for row in rows])
