"""What carrying out a command does to the record of a closed issue.

Purpose: decisions and statements come about in one way, whether a command is carried out at once or waited. Trigger: a
command about a recorded issue. Effects: decisions and statements, or what is undone of them; the command's words.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from bot.commands.registry import TYPE
from bot.commands.words import read_words
from bot.features.answers import NOTHING_TO_UNDO, Answer, Standing
from bot.features.statements import Stated
from bot.features.telling import tell
from bot.store.decisions import add_decision, undo_last
from bot.store.left_alone import left_alone
from bot.store.proposals import newest_proposals
from bot.store.statements import add_statement
from bot.store.tables import Command, Decision, Record, Statement
from bot.texts.answers import not_done


async def standing_of(session: AsyncSession, record: Record) -> Standing:
    """Return what `answer` needs to know of a record."""
    proposal = (await newest_proposals(session, [record.issue_id])).get(record.issue_id)
    is_left = bool(await left_alone(session, record.repository_id, [record.number]))
    is_blind = record.blind and record.decided_at is None
    return Standing(guess=proposal.category if proposal else None, blind=is_blind, left_alone=is_left)


async def apply(session: AsyncSession, record: Record, command: Command, given: Answer, now: datetime) -> Answer:
    """Store what an answer decides about a record and return the answer; the caller settles the record afterwards.

    What a command only asks becomes its words, and so does why it comes to nothing. An `undo` takes back what was said
    last, a fix or a reproduction too: then the record has to be gathered anew.
    """
    if given.step == "undo" and not await undo_last(session, record.issue_id, now):
        given = NOTHING_TO_UNDO
    if given.why is not None:
        command.words = not_done(record.number, given.why)
    if given.step == "type":
        (named,) = read_words(command.text).arguments
        await add_statement(session, statement_of(record, command, TYPE, Stated(True, bug_type=named), now))
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
                maintains=command.maintains,
                source=_source(command),
                decided_at=now,
            ),
        )
    return given


def statement_of(record: Record, command: Command, kind: str, stated: Stated, now: datetime) -> Statement:
    """Return what a command states as the row that keeps it; `kind` is the command's name."""
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
        bug_type=stated.bug_type,
        source=_source(command),
        said_at=now,
    )


def _source(command: Command) -> str:
    return f"comment:{command.delivery}:{command.position}:{command.number}"
