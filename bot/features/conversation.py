"""Commands in comments: read, checked against the writer's rights, carried out, answered.

Purpose: maintainers decide by a word. Trigger: a comment with a command was written or edited, in an issue or in the
inbox. Effects: decisions; a reaction; for people with triage rights, words in one comment where a command was not
understood or help was asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select

from bot.commands.grammar import ParsedCommand, new_commands, parse
from bot.commands.registry import Place
from bot.commands.rights import Rights
from bot.commands.rules import Outcome, authorise
from bot.features.answers import Answer, answer
from bot.features.collect import collect
from bot.features.event import IssueEvent
from bot.features.pending import apply, standing_of
from bot.features.talk import Said, speak
from bot.jobs import defer_inbox
from bot.services import Services
from bot.store.decisions import see_person, settle_record
from bot.store.records import find_record
from bot.store.tables import Command, Delivery, Repository


@dataclass
class Heard:
    """One comment with commands: where it stands, who wrote it and what it says."""

    repository: Repository
    delivery: str
    comment_id: int
    number: int
    place: Place
    sender: Mapping[str, Any]
    is_issue_author: bool
    issue_closed: bool
    commands: tuple[ParsedCommand, ...]
    said: Said = field(default_factory=Said)


async def on_comment(services: Services, event: IssueEvent) -> None:
    """Handle `issue_comment.created` and `.edited`; bots are never answered."""
    comment, issue, sender = event.payload["comment"], event.payload["issue"], event.payload["sender"]
    if sender.get("type") == "Bot" or (comment.get("user") or {}).get("type") == "Bot":
        return
    heard = Heard(
        repository=event.repository,
        delivery=event.guid,
        comment_id=comment["id"],
        number=event.number,
        place=Place.INBOX if event.is_about_inbox else Place.ISSUE,
        sender=sender,
        is_issue_author=(issue.get("user") or {}).get("id") == sender["id"],
        issue_closed=issue.get("state") == "closed",
        commands=await asyncio.to_thread(_read, event, await services.github.slug()),
    )
    if not heard.commands:
        return
    rights = await _rights(services, heard)
    for position, command in enumerate(heard.commands):
        await _obey(services, heard, position, command, rights)
    await speak(services, heard.repository, heard.number, heard.comment_id, heard.said)
    await defer_inbox(heard.repository.id, services.settings.inbox_delay_seconds)


def _read(event: IssueEvent, slug: str) -> tuple[ParsedCommand, ...]:
    body = event.payload["comment"].get("body") or ""
    if event.payload["action"] == "edited":
        return new_commands(event.body_before, body, slug)
    return parse(body, slug)


async def _rights(services: Services, heard: Heard) -> Rights:
    repository = heard.repository
    lookup = services.rights(repository.installation_id or 0)
    return await lookup.of(repository.id, repository.full_name, heard.sender["id"], heard.sender["login"])


async def _obey(services: Services, heard: Heard, position: int, command: ParsedCommand, rights: Rights) -> None:
    verdict = authorise(command, rights, heard.place, heard.is_issue_author)
    if verdict.outcome is not Outcome.ALLOWED:
        heard.said.not_done(command, verdict)
        return
    for number in [target.number for target in command.targets] or [heard.number]:
        given = await _carry_out(services, heard, position, command, number)
        heard.said.react(given.reaction)
        if given.step == "help":
            heard.said.help = True


async def _carry_out(services: Services, heard: Heard, position: int, command: ParsedCommand, number: int) -> Answer:
    """Carry one command out on one issue, once, whatever becomes of this process in between."""
    now = services.clock.now()
    if command.name == "help":
        return answer(command.name, command.arguments, None)
    if await _should_be_recorded(services, heard, number):
        await collect(services, heard.repository, number)
    async with services.database.sessions.begin() as session:
        await see_person(session, heard.sender, now)
        record = await find_record(session, heard.repository.id, number, lock=True)
        standing = await standing_of(session, record) if record else None
        given = answer(command.name, command.arguments, standing)
        if record is None and heard.place is Place.INBOX:
            return replace(given, state="confused", reaction="confused")
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
        added = await session.execute(
            insert(Command).values(**row.model_dump(exclude={"id"})).on_conflict_do_nothing().returning(col(Command.id))
        )
        if added.first() is None or record is None:
            return given
        given = await apply(session, record, row, given, now)
        await settle_record(session, record)
        return given


async def _should_be_recorded(services: Services, heard: Heard, number: int) -> bool:
    """Say whether a closed issue has no record and no closing on its way that would make one."""
    if not heard.issue_closed or heard.place is Place.INBOX:
        return False
    async with services.database.sessions() as session:
        if await find_record(session, heard.repository.id, number) is not None:
            return False
        closing = select(Delivery.guid).where(
            Delivery.repository_id == heard.repository.id,
            Delivery.number == number,
            Delivery.event == "issues",
            Delivery.action == "closed",
            Delivery.state == "waiting",
        )
        return (await session.execute(closing)).first() is None
