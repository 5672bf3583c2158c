"""Putting one label of our own on an issue, taking it off, and making it at the set-up; no other label is touched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from bot.github.actions import AddLabel, CreateLabel, LabelAction, RemoveLabel, Status
from bot.github.client import GitHubClient
from bot.github.errors import Invalid, Moved, NotFound
from bot.github.labels import existing_labels
from bot.github.readback import is_at_home
from bot.github.sender import Sender
from classifier import CATEGORIES

NO_LABEL = "the label does not exist"
"""Why a label was not put on: GitHub itself would make it in passing, the App only does at the set-up."""

LONGEST_NAME = 50
"""Characters of a label's name (GitHub's own limit)."""


def check_label(action: LabelAction) -> None:
    """Refuse a label outside of our namespace, which is a prefix with a category behind it; raises ValueError."""
    is_ours = action.prefix.strip() and action.category in CATEGORIES and len(action.name) <= LONGEST_NAME
    if not is_ours:
        raise ValueError(f"{action.name!r} is no label of ours, so it is neither added, removed nor made")


async def change_label(client: GitHubClient, sender: Sender, action: LabelAction) -> tuple[Status, str | None]:
    """Make the change where GitHub does not show it already; return what became of it, and why where it was not done.

    A locked issue takes labels. Raises `Moved` for a transferred issue, and what a write raises while GitHub is away.
    """
    if isinstance(action, CreateLabel):
        return await _create(client, sender, action), None
    issue = f"/repos/{action.repository}/issues/{action.number}"
    current = await client.get(issue)
    if not await is_at_home(client, current, action):
        raise Moved("the issue was transferred", current["html_url"])
    if _has(current, action.name) == isinstance(action, AddLabel):
        return "unchanged", None
    if isinstance(action, AddLabel):
        return await _add(client, sender, action, issue)
    await _remove(client, sender, action, issue)
    return "done", None


async def _add(client: GitHubClient, sender: Sender, action: AddLabel, issue: str) -> tuple[Status, str | None]:
    if not await existing_labels(client, action.repository, (action.name,)):
        return "skipped", NO_LABEL

    async def send() -> bool:
        await sender.send("POST", f"{issue}/labels", {"labels": [action.name]}, action.repository_id)
        return True

    async def find() -> bool | None:
        return _has(await client.get(issue), action.name) or None

    await sender.send_surely(send, find)
    return "done", None


async def _remove(client: GitHubClient, sender: Sender, action: RemoveLabel, issue: str) -> None:
    async def send() -> bool:
        await sender.send("DELETE", f"{issue}/labels/{quote(action.name, safe='')}", None, action.repository_id)
        return True

    async def find() -> bool | None:
        return not _has(await client.get(issue), action.name) or None

    try:
        await sender.send_surely(send, find)
    except NotFound:
        # aiohttp repeats a DELETE whose answer was lost, and is then told that there is no such label.
        if await find() is None:
            raise


async def _create(client: GitHubClient, sender: Sender, action: CreateLabel) -> Status:
    async def find() -> bool | None:
        return bool(await existing_labels(client, action.repository, (action.name,))) or None

    async def send() -> bool:
        data = {"name": action.name, "color": action.color, "description": action.description}
        await sender.send("POST", f"/repos/{action.repository}/labels", data, action.repository_id)
        return True

    if await find():
        return "unchanged"
    try:
        await sender.send_surely(send, find)
    except Invalid as error:
        if any(isinstance(one, Mapping) and one.get("code") == "already_exists" for one in error.errors):
            return "unchanged"
        raise
    return "done"


def _has(issue: Mapping[str, Any], name: str) -> bool:
    return any(label["name"].casefold() == name.casefold() for label in issue["labels"])
