"""One allowed command carried out on one issue, once, whatever becomes of this process in between.

Purpose: what a maintainer says is done at once, or waits where the issue has to be gathered for it. Trigger: a command
in a comment whose writer may use it. Effects: decisions and statements, a gathering, an issue that is left alone or no
longer, an inbox that is switched on again; the command is stored, so that no second delivery carries it out again.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import select

from bot.commands.grammar import ParsedCommand
from bot.commands.registry import OFF, ON, RECHECK, REPORT, Place
from bot.features.answers import CONFUSED, GATHERS, NOT_RECORDED, WAITS, Answer, answer
from bot.features.applying import apply, standing_of
from bot.features.broken import blaming
from bot.features.collect import collect
from bot.features.heard import Heard
from bot.features.inbox_issue import switch_on
from bot.features.statements import STATING, amiss
from bot.jobs import defer_report_again
from bot.services import Services
from bot.store.decisions import see_person, settle_record
from bot.store.left_alone import leave_alone, resume
from bot.store.records import find_record
from bot.store.statements import newest_said
from bot.store.tables import Command, Delivery, Record, Statement
from bot.texts.answers import not_done

_AT_ONCE = frozenset({OFF, ON})
"""Commands for which an issue need not be recorded."""


async def carry_out(services: Services, heard: Heard, position: int, command: ParsedCommand, number: int) -> Answer:
    """Carry one command out on one issue; what takes a gathering is stored as waiting first and carried out with it."""
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
    if unrecorded and command.name not in STATING | _AT_ONCE | {RECHECK}:
        await collect(services, heard.repository, number)
    row = _row(heard, position, command, number, now)
    with blaming(row):
        async with services.database.sessions.begin() as session:
            known = await _known(session, row)
            given = await _store(session, heard, row, command, now) if known is None else None
    if known is not None and known.state != "pending":
        return heard.told(known)
    if known is not None:
        given = await _still(services, known)
    if given is GATHERS or (unrecorded and command.name in STATING | {RECHECK}):
        await collect(services, heard.repository, number, heard=heard.delivery)
        async with services.database.sessions() as session:
            return heard.told(await _known(session, row) or row)
    if known is None and row.words is not None:
        heard.reply.words.append(row.words)
    return given or WAITS


async def switch_inbox_on(services: Services, heard: Heard, position: int, command: ParsedCommand) -> Answer:
    """Carry out an `on` that names no issue: it is about the inbox in which it stands."""
    row = _row(heard, position, command, heard.number, services.clock.now())
    async with services.database.sessions() as session:
        known = await _known(session, row)
    if known is None:
        await switch_on(services, heard.repository)
        row.state, row.done_at = "done", row.created_at
        async with services.database.sessions.begin() as session:
            session.add(row)
    return answer(command.name, command.arguments, None)


def _row(heard: Heard, position: int, command: ParsedCommand, number: int, now: datetime) -> Command:
    """Return a command on one issue as the row that waits until it is carried out."""
    return Command(
        delivery=heard.delivery,
        position=position,
        repository_id=heard.repository.id,
        number=number,
        comment_id=heard.comment_id,
        written_in=heard.number,
        person_id=heard.sender["id"],
        maintains=heard.maintains,
        text=command.text,
        state="pending",
        created_at=now,
    )


async def _store(session: AsyncSession, heard: Heard, row: Command, command: ParsedCommand, now: datetime) -> Answer:
    """Carry a command out as far as that takes no gathering, and store it with what it came to."""
    record = await find_record(session, row.repository_id, row.number, lock=True)
    if record is None and heard.place is Place.INBOX:
        heard.reply.words.append(not_done(row.number, NOT_RECORDED.why or ""))
        return NOT_RECORDED
    await see_person(session, heard.sender, now)
    is_closed = record is not None and not record.is_open
    standing = await standing_of(session, record) if record is not None and is_closed else None
    given = answer(command.name, command.arguments, standing)
    is_resumed = given.step == "resume" and await resume(session, row.repository_id, row.number)
    is_remeasured = given.step == "undo" and record is not None and await _needs_gathering(session, record)
    if given.step == "leave":
        await leave_alone(session, row.repository_id, row.number, now)
    if (is_resumed and is_closed) or is_remeasured:
        given = GATHERS
    elif record is not None and standing is not None and given is not GATHERS:
        given = await apply(session, record, row, given, now)
        await settle_record(session, record)
    row.state = given.state
    row.done_at = None if given.state == "pending" else now
    session.add(row)
    return given


async def _needs_gathering(session: AsyncSession, record: Record) -> bool:
    """Say whether what was said last of an issue changes what is measured of it."""
    newest = await newest_said(session, record.issue_id)
    return isinstance(newest, Statement) and newest.kind in STATING


async def _still(services: Services, command: Command) -> Answer:
    """Return what a command that was stored before still waits for: its issue's closing, or a gathering."""
    async with services.database.sessions() as session:
        record = await find_record(session, command.repository_id, command.number)
    return WAITS if record is None or record.is_open else GATHERS


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
