"""Who may register the App, and whether it has been done: the first comer must not be a stranger."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from dataclasses import dataclass, field

_MOST_STARTED = 100
"""Browsers remembered at a time; more than a person opens, and no way to fill the memory."""


def _key() -> str:
    return secrets.token_urlsafe(24)


@dataclass(frozen=True)
class Choice:
    """Whose App it becomes and where: `organization` is None for the person's own account.

    `address` is that of the web process, `api_url` that of the GitHub it is registered on.
    """

    address: str
    api_url: str
    name: str
    organization: str | None = None


@dataclass
class Desk:
    """Outlives the restart of the process's parts that a registered App brings about.

    `key` is part of the address in the log, which only the operator reads; `started` holds what was chosen by each
    browser that was let in, by the mark that GitHub hands back as `state`; `owner` is the mark of the browser that
    registered the App, and `page` the App's own page on GitHub. `turn` is held while a code is exchanged, which works
    once.
    """

    key: str = field(default_factory=_key, repr=False)
    started: dict[str, Choice] = field(default_factory=dict, repr=False)
    owner: str | None = field(default=None, repr=False)
    page: str = ""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    def admits(self, key: str) -> bool:
        """Tell whether this is the key of the log."""
        return hmac.compare_digest(key.encode(), self.key.encode())

    def start(self, choice: Choice, mark: str = "") -> str:
        """Note what a browser that was let in has chosen, and return its mark.

        Another choice gets another mark, so that a page opened elsewhere cannot change where a code is sent.
        """
        mark = mark if self.started.get(mark) == choice else _key()
        self.started[mark] = choice
        if len(self.started) > _MOST_STARTED:
            del self.started[next(iter(self.started))]
        return mark

    def close(self, mark: str, page: str) -> None:
        """Note who registered the App; nobody else may from now on."""
        self.owner, self.page = mark, page
        self.started.clear()

    def owned_by(self, mark: str) -> bool:
        """Tell whether this browser registered the App."""
        return self.owner is not None and hmac.compare_digest(mark.encode(), self.owner.encode())
