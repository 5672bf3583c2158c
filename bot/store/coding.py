"""A coder's answer and the coders' resolution, written down; the record follows at once."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, select

from bot.decisions.answers import Answer
from bot.decisions.coders import coder_id
from bot.decisions.errors import StudyError
from bot.store.decisions import add_decision, settle_record
from bot.store.study import Listed, answers, source_of
from bot.store.tables import Decision, Record, StudyIssue, StudyNote, StudyResolution


async def save_answer(session: AsyncSession, issue: Listed, coder: str, answer: Answer, now: datetime) -> None:
    """Store what a coder answers about a drawn issue, in place of what the same coder said before.

    An answer may be changed until another coder has answered too: after that a change would no longer be independent,
    and the agreement between the two would say nothing.

    Raises:
        StudyError: the answer would be changed too late, or the issue is gone.
    """
    record = await session.get(Record, issue.issue_id, with_for_update=True)
    drawn = await session.get(StudyIssue, issue.issue_id)
    if record is None or drawn is None:
        raise StudyError(f"{issue.name} is not in the drawn list any more.")
    said = (await answers(session, issue.issue_id)).get(issue.issue_id, {})
    before = said.get(coder)
    if before == answer:
        return
    changed = before is None or not before.says_the_same(answer)
    if changed and before is not None:
        if set(said) - {coder}:
            raise StudyError(
                f"{issue.name} has been coded by somebody else too, so your answer {before.code} stays. "
                f'If the two differ, agree on one: rootcause study resolve {issue.name} CATEGORY --note "why".'
            )
        await _withdraw(session, issue.issue_id, coder, now)
    if changed:
        await _decide(session, record, coder, answer, now)
    await _note(session, issue.issue_id, coder, answer, now)
    if answer.category is not None and record.selection != "random":
        record.selection, record.selection_probability = "random", drawn.probability
    await settle_record(session, record)


async def resolve(session: AsyncSession, issue: Listed, answer: Answer, now: datetime) -> None:
    """Store what the coders agreed on about an issue on which opinions differed; `answer` carries the reason.

    What each of them had said stays, so that their agreement can be computed. A later resolution replaces this one.

    Raises:
        StudyError: nobody differs, the answer is a new code, or no reason is given.
    """
    if answer.category is None:
        raise StudyError("A disagreement is resolved with a category of the book, not with a new code.")
    if answer.note is None:
        raise StudyError("Say why in --note: the reason is what the next coder learns from.")
    record = await session.get_one(Record, issue.issue_id, with_for_update=True)
    said = (await answers(session, issue.issue_id)).get(issue.issue_id, {})
    resolution = await session.get(StudyResolution, issue.issue_id)
    if resolution is None and record.state != "disputed" and len({one.code for one in said.values()}) < 2:
        raise StudyError(f"Nobody disagrees about {issue.name}: there is nothing to resolve.")
    if resolution is None:
        resolution = StudyResolution(
            issue_id=issue.issue_id, category=answer.category, note=answer.note, resolved_at=now
        )
        session.add(resolution)
    resolution.category, resolution.category2, resolution.none_kind = (
        answer.category,
        answer.category2,
        answer.none_kind,
    )
    resolution.note, resolution.resolved_at = answer.note, now
    drawn = await session.get_one(StudyIssue, issue.issue_id)
    if record.selection != "random":
        record.selection, record.selection_probability = "random", drawn.probability
    await settle_record(session, record)


async def _note(session: AsyncSession, issue_id: int, coder: str, answer: Answer, now: datetime) -> None:
    """Keep a new code and a note; the moment is that of the new code, which a change of the note leaves alone."""
    row = await session.get(StudyNote, (issue_id, coder))
    if answer.draft is None and answer.note is None:
        if row is not None:
            await session.delete(row)
        return
    if row is None:
        row = StudyNote(issue_id=issue_id, coder=coder, written_at=now)
        session.add(row)
    if row.draft != answer.draft:
        row.draft, row.written_at = answer.draft, now
    row.note = answer.note


async def _withdraw(session: AsyncSession, issue_id: int, coder: str, now: datetime) -> None:
    standing = select(Decision).where(
        Decision.issue_id == issue_id,
        Decision.via == "study",
        Decision.person_id == coder_id(coder),
        col(Decision.undone_at).is_(None),
    )
    for decision in (await session.execute(standing)).scalars():
        decision.undone_at = now


async def _decide(session: AsyncSession, record: Record, coder: str, answer: Answer, now: datetime) -> None:
    if answer.category is None:
        return
    person = coder_id(coder)
    earlier = select(func.count()).where(
        Decision.issue_id == record.issue_id, Decision.via == "study", Decision.person_id == person
    )
    turn = 1 + (await session.execute(earlier)).scalar_one()
    await add_decision(
        session,
        Decision(
            issue_id=record.issue_id,
            repository_id=record.repository_id,
            person_id=person,
            category=answer.category,
            category2=answer.category2,
            none_kind=answer.none_kind,
            via="study",
            blind=True,
            source=source_of(coder, record.issue_id, turn),
            decided_at=now,
        ),
    )
