"""Commands in comments: read, checked against the writer's rights, carried out, answered.

Purpose: maintainers decide by a word. Trigger: a comment with a command was written or edited, in an issue or in the
inbox. Effects: decisions and statements; a reaction; for people with triage rights, words in one comment where a
command was not understood, something about it is doubtful, or help was asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import select

from bot.commands.grammar import ParsedCommand, new_commands, parse
from bot.commands.registry import REPORT, Place
from bot.commands.rights import Rights
from bot.commands.rules import Outcome, authorise
from bot.features.answers import CONFUSED, GATHERS, Answer, answer, as_before
from bot.features.collect import collect
from bot.features.event import IssueEvent, is_bot_account
from bot.features.pending import apply, standing_of
from bot.features.statements import STATING, amiss
from bot.features.talk import Reply, speak
from bot.jobs import defer_inbox, defer_report_again
from bot.services import Services
from bot.store.decisions import see_person, settle_record
from bot.store.records import find_record
from bot.store.statements import newest_said
from bot.store.tables import Command, Delivery, Repository, Statement


@dataclass
class Heard:
    """One comment with commands: where it stands, who wrote it, what it says, and what came of it."""

    repository: Repository
    delivery: str
    comment_id: int
    number: int
    place: Place
    sender: Mapping[str, Any]
    is_issue_author: bool
    issue_closed: bool
    commands: tuple[ParsedCommand, ...]
    server: str
    reply: Reply = field(default_factory=Reply)
    decided: bool = False

    def told(self, command: Command) -> Answer:
        """Return the answer to a command as it stands, and remember the words that belong to it."""
        if command.words is not None:
            self.reply.words.append(command.words)
        return as_before(command.state)


async def on_comment(services: Services, event: IssueEvent) -> None:
    """Handle `issue_comment.created` and `.edited`; bots are never answered.

    In a report, which is an issue of ours as well, commands work as in the inbox: they name the issues they are about.
    """
    comment, issue, sender = event.payload["comment"], event.payload["issue"], event.payload["sender"]
    bots = services.settings.bot_logins
    if is_bot_account(sender, bots) or is_bot_account(comment.get("user") or {}, bots):
        return
    author_id = (issue.get("user") or {}).get("id")
    heard = Heard(
        repository=event.repository,
        delivery=event.guid,
        comment_id=comment["id"],
        number=event.number,
        place=Place.INBOX if author_id == await services.github.bot_user_id() else Place.ISSUE,
        sender=sender,
        is_issue_author=author_id == sender["id"],
        issue_closed=issue.get("state") == "closed",
        server=event.server,
        commands=await asyncio.to_thread(_read, event, await services.github.slug()),
    )
    if not heard.commands:
        return
    rights = await _rights(services, heard)
    for position, command in enumerate(heard.commands):
        await _obey(services, heard, position, command, rights)
    if heard.decided:
        await defer_inbox(heard.repository.id, services.settings.inbox_delay_seconds)
    await speak(services, heard.repository, heard.number, heard.comment_id, heard.reply)


def _read(event: IssueEvent, slug: str) -> tuple[ParsedCommand, ...]:
    if event.payload["action"] == "edited":
        return new_commands(event.body_before, event.body_after, slug)
    return parse(event.body_after, slug)


async def _rights(services: Services, heard: Heard) -> Rights:
    repository = heard.repository
    lookup = services.rights(repository.installation_id or 0)
    return await lookup.of(repository.id, repository.full_name, heard.sender["id"], heard.sender["login"])


async def _obey(services: Services, heard: Heard, position: int, command: ParsedCommand, rights: Rights) -> None:
    verdict = authorise(command, rights, heard.place, heard.is_issue_author)
    if verdict.outcome is not Outcome.ALLOWED:
        heard.reply.not_done(command, verdict)
        return
    for number in [target.number for target in command.targets] or [heard.number]:
        given = await _carry_out(services, heard, position, command, number)
        heard.reply.react(given.reaction)
        heard.reply.help = heard.reply.help or given.step == "help"
        heard.decided = heard.decided or (given.state == "done" and given.step not in {"help", "tell"})


async def _carry_out(services: Services, heard: Heard, position: int, command: ParsedCommand, number: int) -> Answer:
    """Carry one command out on one issue, once, whatever becomes of this process in between.

    What takes a gathering is stored as waiting first and carried out with it, as if the issue had been open.
    """
    now = services.clock.now()
    if command.name == "help":
        return answer(command.name, command.arguments, None)
    if command.name == REPORT:
        await defer_report_again(heard.repository.id, f"{now:%Y-%m}")
        return answer(command.name, command.arguments, None)
    words = amiss(command.name, command.arguments, heard.server)
    if words is not None:
        heard.reply.words.append(words)
        return CONFUSED
    unrecorded = await _should_be_recorded(services, heard, number)
    if unrecorded and command.name not in STATING:
        await collect(services, heard.repository, number)
    async with services.database.sessions.begin() as session:
        record = await find_record(session, heard.repository.id, number, lock=True)
        if record is None and heard.place is Place.INBOX:
            return CONFUSED
        await see_person(session, heard.sender, now)
        standing = await standing_of(session, record) if record and not record.is_open else None
        given = answer(command.name, command.arguments, standing)
        if given.step == "undo" and record and isinstance(await newest_said(session, record.issue_id), Statement):
            given = GATHERS
        row = Command(
            delivery=heard.delivery,
            position=position,
            repository_id=heard.repository.id,
            number=number,
            comment_id=heard.comment_id,
            written_in=heard.number,
            person_id=heard.sender["id"],
            text=command.text,
            state=given.state,
            created_at=now,
            done_at=None if given.state == "pending" else now,
        )
        known = await _known(session, row)
        if known is None:
            if record is not None and standing is not None and given is not GATHERS:
                given = await apply(session, record, row, given, now)
                row.state = given.state
                await settle_record(session, record)
            session.add(row)
    if known is not None and known.state != "pending":
        return heard.told(known)
    if given is GATHERS or (unrecorded and command.name in STATING):
        await collect(services, heard.repository, number, heard=heard.delivery)
        async with services.database.sessions() as session:
            return heard.told(await _known(session, row) or row)
    if known is None and row.words is not None:
        heard.reply.words.append(row.words)
    return given if known is None else as_before(known.state)


async def _known(session: AsyncSession, row: Command) -> Command | None:
    """Return the same command as it was stored when its delivery was handled before."""
    same = select(Command).where(
        Command.delivery == row.delivery, Command.position == row.position, Command.number == row.number
    )
    return (await session.execute(same)).scalars().first()


async def _should_be_recorded(services: Services, heard: Heard, number: int) -> bool:
    """Say whether a closed issue has no record of its closing, and none is on its way that would make one."""
    if not heard.issue_closed or heard.place is Place.INBOX:
        return False
    async with services.database.sessions() as session:
        record = await find_record(session, heard.repository.id, number)
        if record is not None and not record.is_open:
            return False
        closing = select(Delivery.guid).where(
            Delivery.repository_id == heard.repository.id,
            Delivery.number == number,
            Delivery.event == "issues",
            Delivery.action == "closed",
            Delivery.state == "waiting",
        )
        return (await session.execute(closing)).first() is None
