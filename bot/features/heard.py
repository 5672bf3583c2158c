"""A comment with commands as it was heard: where it stands, who is behind it, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.commands.grammar import ParsedCommand
from bot.commands.registry import UNKNOWN, Place
from bot.commands.rights import Rights
from bot.commands.rules import Party
from bot.features.answers import Answer, as_before
from bot.features.talk import Reply
from bot.github.actions import Cause
from bot.store.tables import Command, Repository
from bot.texts.answers import Asked


@dataclass
class Heard:
    """One comment with commands: where it stands, who wrote it, what it says, and what came of it.

    `parties` are the comment's author and, after an edit by somebody else, who edited it: `sender` is the latter.
    """

    repository: Repository
    delivery: str
    comment_id: int
    number: int
    place: Place
    sender: Mapping[str, Any]
    parties: tuple[Party, ...]
    issue_closed: bool
    commands: tuple[ParsedCommand, ...]
    server: str
    reply: Reply = field(init=False)
    decided: bool = False

    def __post_init__(self) -> None:
        asked = tuple(Asked(command.text, self.comment_id) for command in self.commands)
        self.reply = Reply(asked, cause=self.cause)

    @property
    def maintains(self) -> bool:
        """Whether everybody behind the comment has maintain rights."""
        return all(party.rights >= Rights.MAINTAIN for party in self.parties)

    @property
    def may_be_told(self) -> bool:
        """Whether everybody behind the comment has triage rights: others only ever get a reaction."""
        return all(party.rights >= Rights.TRIAGE for party in self.parties)

    @property
    def is_inbox(self) -> bool:
        """Whether the comment stands in the inbox itself, not in another issue of ours."""
        return self.number == self.repository.inbox_number

    @property
    def cause(self) -> Cause:
        """What answers to this comment answer; all that nobody understands is one and the same."""
        meant = [
            ("?",) if one.name == UNKNOWN else (one.name, *one.arguments, *(f"#{each.number}" for each in one.targets))
            for one in self.commands
        ]
        return Cause(str(self.sender["id"]), "\n".join(dict.fromkeys(map(" ".join, meant))), self.delivery)

    def told(self, command: Command) -> Answer:
        """Return the answer to a command as it stands, and remember the words that belong to it."""
        if command.words is not None:
            self.reply.words.append(command.words)
        return as_before(command.state)
