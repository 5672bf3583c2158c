"""Asking GitHub what a person may do in a repository, at most once a minute for the same person."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

import structlog

from bot.clock import Clock
from bot.commands.rights import Rights
from bot.github.client import GitHubClient
from bot.github.errors import GitHubError, NotFound, RateLimited

_FRESH_FOR = timedelta(seconds=60)
_log = structlog.get_logger(__name__)


class RightsLookup:
    """The rights of people, as one installation's client sees them, remembered for 60 s."""

    def __init__(self, client: GitHubClient, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._known: dict[tuple[int, int], tuple[datetime, Rights]] = {}

    async def of(self, repository_id: int, repository: str, user_id: int, login: str) -> Rights:
        """Return a person's rights in `repository` (`owner/name`).

        Somebody GitHub does not know there has none. Where it cannot be told, the answer is `UNKNOWN` and is not
        remembered. A limit is raised as `RateLimited`, since the same question will be answered later.
        """
        now = self._clock.now()
        self._known = {key: known for key, known in self._known.items() if now - known[0] < _FRESH_FOR}
        key = (repository_id, user_id)
        if key in self._known:
            return self._known[key][1]
        rights = await self._ask(repository, user_id, login)
        if rights is not Rights.UNKNOWN:
            self._known[key] = (now, rights)
        return rights

    async def _ask(self, repository: str, user_id: int, login: str) -> Rights:
        try:
            answer = await self._client.get(f"/repos/{repository}/collaborators/{quote(login, safe='')}/permission")
        except NotFound:
            return Rights.NONE
        except RateLimited:
            raise
        except GitHubError as error:
            _log.warning("github.rights_unknown", repository=repository, status=error.status, error=str(error))
            return Rights.UNKNOWN
        return Rights.NONE if _is_about_another(answer, user_id) else Rights.from_permission_answer(answer)


def _is_about_another(answer: Any, user_id: int) -> bool:
    """Tell whether a login is somebody else's by now: whoever is renamed gives it up, and it may be taken."""
    found = (answer.get("user") or {}).get("id") if isinstance(answer, dict) else None
    return found is not None and found != user_id
