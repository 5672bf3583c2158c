"""How the App answers a comment: reactions, and at most one comment of its own in an issue.

Purpose: everybody who wrote a command sees what became of it, and nobody else notices. Trigger: commands were
handled. Effects: reactions; a comment with help, with what was not understood or is doubtful, edited in place ever
after.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.commands.grammar import ParsedCommand
from bot.commands.rules import Reason, Verdict
from bot.github.actions import Action, Cause, CreateComment, React, Reaction, UpdateComment
from bot.github.errors import Transient
from bot.services import Services
from bot.store.alone import alone
from bot.store.repositories import writes
from bot.store.tables import Repository
from bot.texts.answers import ANSWER_MARKER, Asked, answer_text

_ORDER: tuple[Reaction, ...] = ("-1", "confused", "eyes", "+1")


@dataclass
class Reply:
    """What the commands `asked` came to: reactions, mistakes to explain, further words, and whether to show help.

    `cause` tells the circuit-breaker what is answered.
    """

    asked: tuple[Asked, ...]
    reactions: set[Reaction] = field(default_factory=set)
    mistakes: list[tuple[ParsedCommand, Reason]] = field(default_factory=list)
    help: bool = False
    words: list[str] = field(default_factory=list)
    cause: Cause | None = None

    def react(self, reaction: Reaction) -> None:
        """Remember a reaction to give."""
        self.reactions.add(reaction)

    def leave_unsaid(self) -> None:
        """Forget help and further words; that rights could not be checked is still said."""
        self.help, self.words = False, []

    def not_done(self, command: ParsedCommand, verdict: Verdict) -> None:
        """Remember what to tell the writer of a command that was not carried out."""
        self.react(verdict.reaction)
        if verdict.answer_in_words:
            self.mistakes.append((command, verdict.reason))


def decide(repository: Repository, number: int, comment_id: int, reply: Reply, public_url: str | None) -> list[Action]:
    """Return the reactions, and the answer in words where one is owed."""
    actions: list[Action] = [
        React(repository.id, repository.full_name, number, comment_id, reaction, reply.cause)
        for reaction in _ORDER
        if reaction in reply.reactions
    ]
    if reply.help or reply.mistakes or reply.words:
        body = answer_text(
            reply.mistakes, asked=reply.asked, with_help=reply.help, public_url=public_url, told=reply.words
        )
        actions.append(CreateComment(repository.id, repository.full_name, number, body, ANSWER_MARKER, reply.cause))
    return actions


async def speak(services: Services, repository: Repository, number: int, comment_id: int, reply: Reply) -> None:
    """Perform the answer; where the issue already holds an answer of ours, that one is rewritten.

    Several units of work may have something to say in the inbox: raises `Transient` where another one speaks just now.
    """
    if repository.installation_id is None or not writes(repository, services.clock.now()):
        return
    writer = await services.writer(repository.installation_id, repository.id, observe=False)
    for action in decide(repository, number, comment_id, reply, services.settings.public_url):
        if not isinstance(action, CreateComment):
            await writer.perform(action)
            continue
        what = f"answer in #{number}"
        async with alone(services.database.sessions, repository.id, what) as is_alone:
            if not is_alone:
                raise Transient(f"another worker answers in #{number} just now")
            outcome = await writer.perform(action)
            if outcome.status == "unchanged" and outcome.github_id is not None:
                known = outcome.github_id
                await writer.perform(
                    UpdateComment(repository.id, repository.full_name, known, action.body, number, reply.cause)
                )
