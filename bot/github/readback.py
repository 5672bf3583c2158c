"""Looking on GitHub for what the App itself wrote there: by hidden marker, by reaction, by text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bot.github.actions import AddLabel, CreateComment, CreateIssue, React, RemoveLabel
from bot.github.client import GitHubClient

_PAGE = 100
_LINK_TO_COMMENT = re.compile(r"\(#issuecomment-[0-9]+\)", re.ASCII)


async def find_issue(client: GitHubClient, action: CreateIssue, slug: str, bot_user_id: int) -> dict[str, Any] | None:
    """Return the issue of ours that holds the action's marker, among our newest 100 in the repository."""
    issues = await client.get_all(
        f"/repos/{action.repository}/issues",
        {"creator": f"{slug}[bot]", "state": "all", "sort": "created", "direction": "desc"},
        limit=_PAGE,
    )
    return next(
        (issue for issue in issues if "pull_request" not in issue and _is_ours(issue, action.marker, bot_user_id)), None
    )


async def find_comment(
    client: GitHubClient, action: CreateComment, comments: int, bot_user_id: int
) -> dict[str, Any] | None:
    """Return the comment of ours that holds the action's marker, among the newest 100 to 200 of the issue.

    GitHub lists comments from the oldest, so the last page is found from the issue's own number of comments.
    """
    last = comments // _PAGE + 1
    for page in range(last, max(last - 2, 0), -1):
        listed = await client.get(
            f"/repos/{action.repository}/issues/{action.number}/comments", {"per_page": _PAGE, "page": page}
        )
        for comment in reversed(listed):
            if _is_ours(comment, action.marker, bot_user_id):
                found: dict[str, Any] = comment
                return found
    return None


async def find_reaction(client: GitHubClient, action: React, bot_user_id: int) -> dict[str, Any] | None:
    """Return the same reaction where we gave it already."""
    reactions = await client.get_all(reactions_path(action), {"content": action.content})
    return next((given for given in reactions if is_by(given, bot_user_id)), None)


async def is_at_home(
    client: GitHubClient, issue: Mapping[str, Any], action: CreateComment | AddLabel | RemoveLabel
) -> bool:
    """Tell whether an issue is still in the action's repository.

    Reads are led from a transferred issue to where it went, just as from a renamed repository to its new name.
    """
    path = issue["repository_url"].partition("/repos/")[2]
    if path.lower() == action.repository.lower():
        return True
    return bool((await client.get(f"/repos/{path}"))["id"] == action.repository_id)


def reactions_path(action: React) -> str:
    """Return the address of the reactions to an issue's description or to one of its comments."""
    what = f"{action.number}" if action.comment_id is None else f"comments/{action.comment_id}"
    return f"/repos/{action.repository}/issues/{what}/reactions"


def holds(current: Mapping[str, Any], wanted: Mapping[str, str]) -> bool:
    """Tell whether GitHub holds these texts already.

    Line ends and space at the end of a text do not count, nor which comment of its own issue a link leads to: the same
    answer to a second comment need not be written again.
    """
    return all(_normal(current.get(name)) == _normal(value) for name, value in wanted.items())


def is_by(item: Mapping[str, Any], user_id: int) -> bool:
    """Tell whether an issue, comment or reaction was made by this account; a deleted account made none."""
    return bool((item.get("user") or {}).get("id") == user_id)


def _is_ours(item: Mapping[str, Any], marker: str, bot_user_id: int) -> bool:
    return marker in (item.get("body") or "") and is_by(item, bot_user_id)


def _normal(text: Any) -> str:
    return _LINK_TO_COMMENT.sub("", text or "").replace("\r\n", "\n").rstrip()
