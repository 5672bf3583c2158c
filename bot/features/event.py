"""One event about an issue, as every feature receives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.evidence.participants import is_bot_login
from bot.store.tables import Repository

Payload = Mapping[str, Any]


def is_bot_account(facts: Mapping[str, Any], bots: frozenset[str]) -> bool:
    """Tell a bot by a payload's user object: by its type, or as one of the configured logins."""
    return facts.get("type") == "Bot" or is_bot_login(facts.get("login") or "", bots)


@dataclass(frozen=True)
class IssueEvent:
    """A stored delivery of `issues` or `issue_comment`; `guid` names it, `repository` is the row as just updated."""

    guid: str
    repository: Repository
    payload: Payload

    @property
    def number(self) -> int:
        """The issue's number."""
        number: int = self.payload["issue"]["number"]
        return number

    @property
    def server(self) -> str:
        """What addresses of repositories begin with on this server, up to the repository's name."""
        repository = self.payload["repository"]
        return str(repository["html_url"]).removesuffix(str(repository["full_name"]))

    @property
    def is_about_inbox(self) -> bool:
        """Whether the issue is the repository's inbox."""
        return self.number == self.repository.inbox_number

    @property
    def body_before(self) -> str:
        """The text before the edit that the event tells of; where that is not told, the text as it is.

        So an edit of another part, or one that GitHub does not describe, brings nothing new.
        """
        changed = (self.payload.get("changes") or {}).get("body") or {}
        before = changed.get("from")
        return before if isinstance(before, str) else self.body_after

    @property
    def body_after(self) -> str:
        """The text as it is: the comment's where the event is about one, else the issue's."""
        return (self.payload.get("comment") or self.payload["issue"]).get("body") or ""
