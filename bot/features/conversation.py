"""Commands in comments: read, checked against the rights of who is behind them, carried out, answered.

Purpose: maintainers decide by a word. Trigger: a comment with a command was written or edited, in an issue or in the
inbox. Effects: decisions and statements; a reaction; for people with triage rights, words in one comment where a
command was not understood, something about it is doubtful, or help was asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from bot.commands.grammar import ParsedCommand, new_commands, parse
from bot.commands.registry import COMMANDS, Place
from bot.commands.rights import Rights
from bot.commands.rules import Outcome, Party, Reason, Verdict, authorise_all
from bot.features.event import IssueEvent, is_bot_account
from bot.features.heard import Heard
from bot.features.obeying import carry_out, switch_inbox_on
from bot.features.registration import Handles
from bot.features.talk import speak
from bot.jobs import defer_inbox
from bot.services import Services
from bot.store.configurations import configuration_of
from bot.store.tables import Repository


async def on_comment(services: Services, event: IssueEvent) -> None:
    """Handle `issue_comment.created` and `.edited`; bots are never answered.

    In a report, which is an issue of ours as well, commands work as in the inbox: they name the issues they are about.
    """
    comment, issue, sender = event.payload["comment"], event.payload["issue"], event.payload["sender"]
    async with services.database.sessions() as session:
        configuration = await configuration_of(session, event.repository.id)
    bots = services.bots(configuration)
    if is_bot_account(sender, bots) or is_bot_account(comment.get("user") or {}, bots):
        return
    commands = await asyncio.to_thread(_read, event, await services.github.slug())
    if not commands:
        return
    author_id = (issue.get("user") or {}).get("id")
    heard = Heard(
        repository=event.repository,
        delivery=event.guid,
        comment_id=comment["id"],
        number=event.number,
        place=Place.INBOX if author_id == await services.github.bot_user_id() else Place.ISSUE,
        sender=sender,
        parties=await _parties(services, event.repository, author_id, sender, comment.get("user")),
        issue_closed=issue.get("state") == "closed",
        server=event.server,
        commands=commands,
    )
    for position, command in enumerate(heard.commands):
        await _obey(services, heard, position, command)
    if not heard.may_be_told:
        heard.reply.leave_unsaid()
    if heard.decided:
        await defer_inbox(heard.repository.id, services.settings.inbox_delay_seconds)
    await speak(services, heard.repository, heard.number, heard.comment_id, heard.reply)


def _read(event: IssueEvent, slug: str) -> tuple[ParsedCommand, ...]:
    if event.payload["action"] == "edited":
        return new_commands(event.body_before, event.body_after, slug)
    return parse(event.body_after, slug)


async def _parties(
    services: Services,
    repository: Repository,
    issue_author_id: int | None,
    sender: Mapping[str, Any],
    writer: Mapping[str, Any] | None,
) -> tuple[Party, ...]:
    """Return who is behind a comment: who sent it, and who wrote it, where that is somebody else or unknown by now."""
    people = [sender] if writer is not None and writer["id"] == sender["id"] else [sender, writer]
    parties = []
    for person in people:
        if person is None:
            parties.append(Party(Rights.NONE))
        else:
            rights = await services.rights_of(repository, person)
            parties.append(Party(rights, is_issue_author=person["id"] == issue_author_id))
    return tuple(parties)


async def _obey(services: Services, heard: Heard, position: int, command: ParsedCommand) -> None:
    verdict = authorise_all(command, heard.parties, heard.place)
    if verdict.outcome is not Outcome.ALLOWED:
        heard.reply.not_done(command, verdict)
        return
    if heard.place is Place.INBOX and COMMANDS[command.name].alone_in_inbox and not command.targets:
        if heard.is_inbox:
            heard.reply.react((await switch_inbox_on(services, heard, position, command)).reaction)
        else:
            heard.reply.not_done(command, Verdict(Outcome.REFUSED, Reason.TARGET_MISSING, answer_in_words=True))
        return
    for number in [target.number for target in command.targets] or [heard.number]:
        given = await carry_out(services, heard, position, command, number)
        heard.reply.react(given.reaction)
        heard.reply.help = heard.reply.help or given.step == "help"
        heard.decided = heard.decided or (given.state == "done" and given.step not in {"help", "tell"})


HANDLES: Handles = {("issue_comment", "created"): on_comment, ("issue_comment", "edited"): on_comment}
