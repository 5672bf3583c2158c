"""Commands that wait for their issue to be gathered.

Purpose: a command in an open issue, or in the comment that closes it, becomes the decision, whichever event arrives
first; and what is said of a fix or a reproduction is carried out together with the gathering that it needs. Trigger: a
record was made. Effects: decisions and statements; then a reaction to each comment that said one, and words where some
are owed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from bot.commands.registry import FIX
from bot.commands.words import Reading, read_words
from bot.features.answers import CONFUSED, Answer, Standing, answer, as_before
from bot.features.statements import STATING, Looked, Stated, change_named, judge_fix, judge_reproduced
from bot.features.talk import Reply, speak
from bot.features.telling import tell
from bot.github.actions import React
from bot.github.linking import ManualFix
from bot.services import Services
from bot.store.decisions import add_decision, undo_last
from bot.store.proposals import newest_proposals
from bot.store.repositories import writes
from bot.store.statements import add_statement, standing_fixes
from bot.store.tables import Command, Decision, Record, Repository, Statement


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
        reading = read_words(command.text)
        if reading.name in STATING:
            stated = _judge(reading, looked)
            command.state, command.words = "done" if stated.counts else "confused", stated.words
            if stated.counts:
                await add_statement(session, _statement(record, command, reading.name, stated, now))
        else:
            given = answer(reading.name, reading.arguments, await standing_of(session, record))
            command.state = (await apply(session, record, command, given, now)).state
        if command.delivery == heard:
            command.done_at = now
    await session.flush()
    fix = (await standing_fixes(session, [record.issue_id])).get(record.issue_id)
    if fix != looked.named:
        raise GatheredOtherwise(fix)


def _judge(reading: Reading, looked: Looked) -> Stated:
    if reading.name != FIX:
        return judge_reproduced(reading.arguments, looked)
    fix = change_named(reading.arguments, looked.repository)
    if fix not in looked.presences:  # written since the gathering began
        raise GatheredOtherwise(fix)
    return judge_fix(reading.arguments, looked)


def _statement(record: Record, command: Command, kind: str, stated: Stated, now: datetime) -> Statement:
    fix = stated.fix
    return Statement(
        issue_id=record.issue_id,
        repository_id=record.repository_id,
        number=record.number,
        person_id=command.person_id,
        kind=kind,
        fix_repository=fix.repository if fix else None,
        fix_number=fix.number if fix else None,
        fix_sha=fix.sha if fix else None,
        position=stated.position,
        source=_source(command),
        said_at=now,
    )


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
            React(repository.id, repository.full_name, command.written_in, command.comment_id, reaction)
        )
        if command.words is None:
            await _answered(services, [command])
    for place in dict.fromkeys(command.written_in for command in commands if command.words is not None):
        spoken = [one for one in commands if one.written_in == place and one.words is not None]
        reply = Reply(words=[one.words for one in spoken if one.words is not None])
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


async def standing_of(session: AsyncSession, record: Record) -> Standing:
    """Return what `answer` needs to know of a record."""
    proposal = (await newest_proposals(session, [record.issue_id])).get(record.issue_id)
    return Standing(guess=proposal.category if proposal else None, blind=record.blind and record.decided_at is None)


async def apply(session: AsyncSession, record: Record, command: Command, given: Answer, now: datetime) -> Answer:
    """Store what an answer decides about a record and return the answer; the caller settles the record afterwards.

    What a command only asks becomes its words. An `undo` takes back what was said last, a fix or a reproduction too:
    then the record has to be gathered anew. One that finds nothing becomes `confused`.
    """
    if given.step == "undo" and not await undo_last(session, record.issue_id, now):
        return CONFUSED
    if given.step == "tell":
        command.words = await tell(session, record, read_words(command.text).name)
    if given.step == "decide" and given.category is not None:
        await add_decision(
            session,
            Decision(
                issue_id=record.issue_id,
                repository_id=record.repository_id,
                person_id=command.person_id,
                category=given.category,
                category2=given.category2,
                none_kind=given.none_kind,
                via="comment",
                blind=record.blind and record.decided_at is None,
                source=_source(command),
                decided_at=now,
            ),
        )
    return given


def _source(command: Command) -> str:
    return f"comment:{command.delivery}:{command.position}:{command.number}"
