"""Commands that were written before their issue was recorded.

Purpose: a command in an open issue, or in the comment that closes it, becomes the decision, whichever event arrives
first. Trigger: a record was made. Effects: decisions; then a reaction to each comment that said one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.commands.words import read_words
from bot.features.answers import NOTHING_TO_UNDO, Answer, Standing, answer
from bot.github.actions import React
from bot.services import Services
from bot.store.decisions import add_decision, undo_last
from bot.store.proposals import newest_proposals
from bot.store.repositories import writes
from bot.store.tables import Command, Decision, Record, Repository


@dataclass
class CarriedOut:
    """The reactions that are owed once the transaction is committed."""

    reactions: list[tuple[Command, Answer]] = field(default_factory=list)

    async def react(self, services: Services, repository: Repository) -> None:
        """Answer each comment, where the repository is written to at all."""
        if not self.reactions or repository.installation_id is None:
            return
        if not writes(repository, services.clock.now()):
            return
        writer = await services.writer(repository.installation_id, repository.id, observe=False)
        for command, given in self.reactions:
            await writer.perform(
                React(repository.id, repository.full_name, command.written_in, command.comment_id, given.reaction)
            )


async def carry_out_pending(session: AsyncSession, record: Record, now: datetime) -> CarriedOut:
    """Carry out the issue's waiting commands in the order they were written."""
    waiting = (
        select(Command)
        .where(
            Command.repository_id == record.repository_id, Command.number == record.number, Command.state == "pending"
        )
        .order_by(col(Command.id))
        .with_for_update()
    )
    carried_out = CarriedOut()
    for command in (await session.execute(waiting)).scalars():
        await session.flush()
        reading = read_words(command.text)
        given = answer(reading.name, reading.arguments, await standing_of(session, record))
        given = await apply(session, record, command, given, now)
        command.state, command.done_at = given.state, now
        carried_out.reactions.append((command, given))
    return carried_out


async def standing_of(session: AsyncSession, record: Record) -> Standing:
    """Return what `answer` needs to know of a record."""
    proposal = (await newest_proposals(session, [record.issue_id])).get(record.issue_id)
    return Standing(guess=proposal.category if proposal else None, blind=record.blind and record.decided_at is None)


async def apply(session: AsyncSession, record: Record, command: Command, given: Answer, now: datetime) -> Answer:
    """Store what an answer decides about a record and return the answer; the caller settles the record afterwards.

    An `undo` that finds no decision becomes `confused`.
    """
    if given.step == "undo" and not await undo_last(session, record.issue_id, now):
        return NOTHING_TO_UNDO
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
