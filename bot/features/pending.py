"""Commands that wait for their issue to be gathered.

Purpose: a command in an open issue, or in the comment that closes it, becomes the decision, whichever event arrives
first; and what is said of a fix or a reproduction is carried out together with the gathering that it needs. Trigger: a
record was made. Effects: decisions and statements; then a reaction to each comment that said one, and words where some
are owed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from bot.commands.registry import FIX, ON, RECHECK
from bot.commands.words import Reading, read_words
from bot.features.answers import answer, as_before
from bot.features.applying import apply, standing_of, statement_of
from bot.features.broken import blaming
from bot.features.statements import STATING, Looked, Stated, change_named, judge_fix, judge_reproduced
from bot.features.talk import Reply, speak
from bot.github.actions import Cause, React
from bot.github.linking import ManualFix
from bot.services import Services
from bot.store.repositories import writes
from bot.store.statements import add_statement, standing_fixes
from bot.store.tables import Command, Record, Repository
from bot.texts.answers import Asked


class GatheredOtherwise(Exception):  # noqa: N818  no error: the gathering is made again with `fix`
    """What people said leads to another fix than the one that the evidence was gathered by."""

    def __init__(self, fix: ManualFix | None) -> None:
        super().__init__()
        self.fix = fix


async def fixes_waiting(session: AsyncSession, repository: Repository, number: int) -> list[ManualFix]:
    """Return the changes that an issue's waiting commands name, in order."""
    waiting = _unanswered(repository.id, number).where(Command.state == "pending")
    readings = [read_words(command.text) for command in (await session.execute(waiting)).scalars()]
    return [change_named(reading.arguments, repository.full_name) for reading in readings if reading.name == FIX]


async def carry_out_pending(
    session: AsyncSession, record: Record, looked: Looked, now: datetime, heard: str | None = None
) -> None:
    """Carry out the issue's waiting commands in the order they were written; their answers are owed from then on.

    Those of the delivery `heard` are answered by whoever handles it. Raises `GatheredOtherwise`, and then the
    transaction may not be committed.
    """
    waiting = _unanswered(record.repository_id, record.number).where(Command.state == "pending").with_for_update()
    for command in (await session.execute(waiting)).scalars():
        await session.flush()
        with blaming(command, GatheredOtherwise):
            await _carry_out(session, record, command, looked, now)
        if command.delivery == heard:
            command.done_at = now
    await session.flush()
    fix = (await standing_fixes(session, [record.issue_id])).get(record.issue_id)
    if fix != looked.named:
        raise GatheredOtherwise(fix)


async def _carry_out(session: AsyncSession, record: Record, command: Command, looked: Looked, now: datetime) -> None:
    reading = read_words(command.text)
    if reading.name in STATING:
        stated = _judge(reading, looked)
        command.state, command.words = "done" if stated.counts else "confused", stated.words
        if stated.counts:
            await add_statement(session, statement_of(record, command, reading.name, stated, now))
    elif reading.name in {ON, RECHECK}:
        command.state = "done"  # the gathering itself is what they asked for
    else:
        given = answer(reading.name, reading.arguments, await standing_of(session, record))
        command.state = (await apply(session, record, command, given, now)).state


@asynccontextmanager
async def blaming_what_waits(
    services: Services, repository: Repository, number: int, heard: str | None
) -> AsyncIterator[None]:
    """Where nobody foresaw why a gathering fails, blame the command that asked for it, or else the fix it goes by.

    Raises `CommandBroke` then; with no such command, and for whatever passes by itself, the error as it is.
    """
    async with services.database.sessions() as session:
        rows = (await session.execute(_unanswered(repository.id, number).where(Command.state == "pending"))).scalars()
        waiting = list(rows)
    asked = [command for command in waiting if command.delivery == heard]
    fixes = [command for command in waiting if read_words(command.text).name == FIX]
    if not (asked or fixes):
        yield
        return
    with blaming((asked or fixes)[-1]):
        yield


def _judge(reading: Reading, looked: Looked) -> Stated:
    if reading.name != FIX:
        return judge_reproduced(reading.arguments, looked)
    fix = change_named(reading.arguments, looked.repository)
    if fix not in looked.presences:  # written since the gathering began
        raise GatheredOtherwise(fix)
    return judge_fix(reading.arguments, looked)


async def answer_carried_out(services: Services, repository: Repository, number: int) -> None:
    """Answer each comment whose waiting command was carried out, where the repository is written to at all.

    What an attempt before this one could not answer any more is answered now. Words for comments of one issue stand
    together in the App's one answer there.
    """
    async with services.database.sessions() as session:
        owed = _unanswered(repository.id, number).where(Command.state != "pending")
        commands = (await session.execute(owed)).scalars().all()
    if not commands or repository.installation_id is None:
        return
    observe = not writes(repository, services.clock.now())
    writer = await services.writer(repository.installation_id, repository.id, observe=observe)
    for command in commands:
        reaction = as_before(command.state).reaction
        await writer.perform(
            React(
                repository.id, repository.full_name, command.written_in, command.comment_id, reaction, _cause(command)
            )
        )
        if command.words is None:
            await _answered(services, [command])
    for place in dict.fromkeys(command.written_in for command in commands if command.words is not None):
        spoken = [one for one in commands if one.written_in == place and one.words is not None]
        reply = Reply(
            asked=tuple(Asked(one.text, one.comment_id) for one in spoken),
            words=[one.words for one in spoken if one.words is not None],
            cause=_cause(spoken[-1]),
        )
        await speak(services, repository, place, spoken[-1].comment_id, reply)
        await _answered(services, spoken)


async def _answered(services: Services, commands: Sequence[Command]) -> None:
    now = services.clock.now()
    async with services.database.sessions.begin() as session:
        for command in commands:
            (await session.get_one(Command, command.id)).done_at = now


def _unanswered(repository_id: int, number: int) -> SelectOfScalar[Command]:
    return (
        select(Command)
        .where(Command.repository_id == repository_id, Command.number == number, col(Command.done_at).is_(None))
        .order_by(col(Command.id))
    )


def _cause(command: Command) -> Cause:
    return Cause(str(command.person_id), command.text, command.delivery)
