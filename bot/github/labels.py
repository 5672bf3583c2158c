"""The labels of a repository, of which none is ever made in passing."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from bot.github.client import GitHubClient
from bot.github.errors import NotFound


async def existing_labels(client: GitHubClient, repository: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return those of these labels that the repository has, as it writes them; one request for each name."""
    found = []
    for name in names:
        try:
            found.append((await client.get(f"/repos/{repository}/labels/{quote(name, safe='')}"))["name"])
        except NotFound:
            continue
    return tuple(found)
