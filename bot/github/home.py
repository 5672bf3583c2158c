"""Where a repository is now, by its number: its name may have become another repository's since we heard of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from bot.github.actions import Action
from bot.github.client import GitHubClient
from bot.github.errors import NotFound

A = TypeVar("A", bound=Action)


class Homes:
    """Asks GitHub for the names of repositories, each once in the life of a writer; unchanged answers are free."""

    def __init__(self, client: GitHubClient) -> None:
        self._client = client
        self._names: dict[int, str | None] = {}

    async def at_home(self, action: A) -> A | None:
        """Return the action for the name that its repository has now; None where it is gone, or not ours to see."""
        key = action.repository_id
        if key not in self._names:
            self._names[key] = await self._name(key)
        name = self._names[key]
        if name is None or name.lower() == action.repository.lower():
            return None if name is None else action
        return replace(action, repository=name)

    async def _name(self, repository_id: int) -> str | None:
        try:
            return str((await self._client.get(f"/repositories/{repository_id}"))["full_name"])
        except NotFound:
            return None
