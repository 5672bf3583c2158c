"""People's decisions: added once each, never changed but for being undone, and folded into the record."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.decisions.verdict import Said, Settled, settle
from bot.metrics import AGREEMENT, DECISIONS
from bot.store.proposals import newest_proposals
from bot.store.refusals import among_refusals
from bot.store.shown import mark_due
from bot.store.statements import heed_bug_type, newest_said
from bot.store.study import new_codes, resolution_of
from bot.store.tables import Decision, Person, Proposal, Record, Statement, StudyNote, StudyResolution


async def see_person(session: AsyncSession, facts: Mapping[str, Any], now: datetime) -> None:
    """Insert or update a person from a payload's user object."""
    row = {
        "id": facts["id"],
        "login": facts.get("login"),
        "kind": "bot" if facts.get("type") == "Bot" else "human",
        "updated_at": now,
    }
    changed = {"login": row["login"], "kind": row["kind"], "updated_at": now}
    await session.execute(
        insert(Person).values(**row).on_conflict_do_update(index_elements=[col(Person.id)], set_=changed)
    )


async def add_decision(session: AsyncSession, decision: Decision) -> None:
    """Add a decision unless the same source was counted before."""
    row = decision.model_dump(exclude={"id"})
    added = await session.execute(insert(Decision).values(**row).on_conflict_do_nothing().returning(col(Decision.id)))
    if added.first() is None:
        return
    DECISIONS.labels(via=decision.via).inc()
    proposal = (await newest_proposals(session, [decision.issue_id])).get(decision.issue_id)
    if proposal is not None and proposal.proposed:
        AGREEMENT.labels(outcome="confirmed" if decision.category == proposal.category else "corrected").inc()


async def undo_last(session: AsyncSession, issue_id: int, now: datetime) -> bool:
    """Take back what was said last of an issue and still stands; return whether there was anything.

    Where that was a fix or a reproduction the record has to be gathered anew.
    """
    newest = await newest_said(session, issue_id)
    if newest is None:
        return False
    newest.undone_at = now
    return True


async def settle_records(
    session: AsyncSession, records: Mapping[int, Record], proposals: Mapping[int, Proposal]
) -> None:
    """Do the same as `settle_record` for records of which few were ever decided; `proposals` are their newest."""
    said: set[int] = set()
    for table in (Decision, Statement, StudyNote, StudyResolution):
        found = select(table.issue_id).where(col(table.issue_id).in_(records))
        said |= set((await session.execute(found)).scalars())
    for issue_id, record in records.items():
        if issue_id in said:
            await settle_record(session, record)
        else:
            proposal = proposals.get(issue_id)
            guess = proposal.category if proposal is not None else None
            _write(record, settle([], guess, proposed=proposal is not None and proposal.proposed))


async def settle_record(session: AsyncSession, record: Record) -> None:
    """Bring the record's state, category and bug type in line with what people said and did not take back."""
    await session.flush()
    proposal = (await newest_proposals(session, [record.issue_id])).get(record.issue_id)
    settled = settle(
        await what_was_said(session, record.issue_id),
        proposal.category if proposal else None,
        proposed=proposal is not None and proposal.proposed,
        resolution=await resolution_of(session, record.issue_id),
    )
    _write(record, settled)
    await heed_bug_type(session, record)
    await mark_due(session, record.issue_id)


async def what_was_said(session: AsyncSession, issue_id: int) -> list[Said]:
    """Return all that was said of an issue's cause and not taken back, oldest first, and new codes behind it."""
    standing = (
        select(Decision)
        .where(Decision.issue_id == issue_id, col(Decision.undone_at).is_(None))
        .order_by(col(Decision.id))
    )
    said = [
        Said(
            each.person_id,
            each.category,
            each.category2,
            each.none_kind,
            each.via,
            each.decided_at,
            each.maintains,
        )
        for each in (await session.execute(standing)).scalars()
    ]
    return [*await among_refusals(session, issue_id, said), *await new_codes(session, issue_id)]


def _write(record: Record, settled: Settled) -> None:
    record.state = settled.state
    record.category = settled.category
    record.category2 = settled.category2
    record.none_kind = settled.none_kind
    record.category_source = settled.category_source
    record.decided_at = settled.decided_at
    if settled.decided_at is not None and record.selection is None:
        record.selection = "volunteered"
    elif settled.decided_at is None and record.selection == "volunteered":
        record.selection = None
