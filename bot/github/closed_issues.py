"""The closed issues of a repository that changed since a moment, in as few requests as that takes: often none."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bot.github.client import GitHubClient

_PAGE = 100


@dataclass(frozen=True)
class ClosedIssue:
    """A closed issue as GitHub lists it, or a closed pull request; `author` is None for a ghost."""

    id: int
    number: int
    closed_at: datetime
    updated_at: datetime
    author: dict[str, Any] | None
    is_pull_request: bool


@dataclass(frozen=True)
class ClosedList:
    """What the list holds, the newest change first; `etag` names it where it is short enough to be named."""

    rows: tuple[ClosedIssue, ...]
    etag: str | None


async def read_closed(
    client: GitHubClient,
    repository_id: int,
    since: datetime,
    etag: str | None,
    seen_until: datetime | None,
    allow: Callable[[], Awaitable[None]],
) -> ClosedList | None:
    """Return the closed issues that changed at `since` or later; None where the list is still what `etag` names.

    Only the first page is read where nothing changed after `seen_until`. The repository is asked for by its number,
    since its name may be another's by now. The newest change comes first, so that an issue that changes while the pages
    are read is there twice and never left out. `allow` is awaited before each request. Raises the client's errors.
    """
    path = (
        f"/repositories/{repository_id}/issues?state=closed&sort=updated&direction=desc&per_page={_PAGE}"
        f"&since={since.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    )
    await allow()
    first = await client.get_tagged(path, etag)
    if first is None:
        return None
    page, named = first
    rows = [_row(one) for one in page]
    if seen_until is not None and all(one.updated_at <= seen_until for one in rows):
        return ClosedList(tuple(rows), named)
    if len(page) < _PAGE:
        return ClosedList(tuple(rows), named)
    # By GitHub's own links, since it refuses the numbers of later pages of a long list; the first page comes once more.
    pages = client.pages(path)
    while len(page) == _PAGE:
        await allow()
        page = await anext(pages, [])
        rows += [_row(one) for one in page]
    return ClosedList(tuple({one.id: one for one in rows}.values()), None)


def _row(issue: dict[str, Any]) -> ClosedIssue:
    return ClosedIssue(
        id=issue["id"],
        number=issue["number"],
        closed_at=datetime.fromisoformat(issue["closed_at"]),
        updated_at=datetime.fromisoformat(issue["updated_at"]),
        author=issue["user"],
        is_pull_request=issue.get("pull_request") is not None,
    )
