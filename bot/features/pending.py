"""Commands that were written before their issue was recorded.

Purpose: a command in an open issue, or in the comment that closes it, becomes the decision, whichever event arrives
first. Trigger: a record was made. Effects: decisions; then a reaction to each comment that said one.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from bot.commands.words import read_words
from bot.features.answers import CONFUSED, Answer, Standing, answer, as_before
from bot.github.actions import React
from bot.services import Services
from bot.store.decisions import add_decision, undo_last
from bot.store.proposals import newest_proposals
from bot.store.repositories import writes
from bot.store.tables import Command, Decision, Record, Repository


async def carry_out_pending(session: AsyncSession, record: Record, now: datetime) -> None:
    """Carry out the issue's waiting commands in the order they were written; their answers are owed from then on."""
    waiting = _unanswered(record.repository_id, record.number).where(Command.state == "pending").with_for_update()
    for command in (await session.execute(waiting)).scalars():
        await session.flush()
        reading = read_words(command.text)
        given = answer(reading.name, reading.arguments, await standing_of(session, record))
        command.state = (await apply(session, record, command, given, now)).state


async def answer_carried_out(services: Services, repository: Repository, number: int) -> None:
    """Answer each comment whose waiting command was carried out, where the repository is written to at all.

    What an attempt before this one could not answer any more is answered now.
    """
    now = services.clock.now()
    async with services.database.sessions() as session:
        owed = _unanswered(repository.id, number).where(Command.state != "pending")
        commands = (await session.execute(owed)).scalars().all()
    if not commands or repository.installation_id is None:
        return
    writer = await services.writer(repository.installation_id, repository.id, observe=not writes(repository, now))
    for command in commands:
        reaction = as_before(command.state).reaction
        await writer.perform(
            React(repository.id, repository.full_name, command.written_in, command.comment_id, reaction)
        )
        async with services.database.sessions.begin() as session:
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

    An `undo` that finds no decision becomes `confused`.
    """
    if given.step == "undo" and not await undo_last(session, record.issue_id, now):
        return CONFUSED
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
                source=f"comment:{command.delivery}:{command.position}:{command.number}",
                decided_at=now,
            ),
        )
    return given
