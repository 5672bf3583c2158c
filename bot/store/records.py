"""Evidence into rows: the record, its spans, its fix, who took part, and the text predictions are made from."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, delete, select

from bot.evidence.eligibility import Verdicts
from bot.evidence.indicators import Indicators
from bot.evidence.model import Actor, Evidence
from bot.evidence.participants import roles
from bot.store.tables import (
    Command,
    Decision,
    EvidenceText,
    Fix,
    FixFile,
    Participation,
    Person,
    Proposal,
    Record,
    Span,
)
from bot.text import storable

_PARTS: tuple[type[Span | Fix | FixFile | Participation], ...] = (Span, Fix, FixFile, Participation)
_REST: tuple[type[EvidenceText | Proposal | Decision], ...] = (EvidenceText, Proposal, Decision)


async def save_evidence(
    session: AsyncSession,
    evidence: Evidence,
    indicators: Indicators,
    verdicts: Verdicts,
    packed: bytes,
    now: datetime,
) -> Record:
    """Insert or update the record of an issue and replace its parts; what people decided stays as it is."""
    closed_at = evidence.closed_at
    if closed_at is None:
        raise ValueError("an open issue has no record")
    record = await session.get(Record, evidence.issue_id, with_for_update=True)
    values: dict[str, Any] = {
        "repository_id": evidence.repository_id,
        "number": evidence.number,
        "title": storable(evidence.title),
        "html_url": evidence.html_url,
        "created_at": evidence.created_at,
        "closed_at": closed_at,
        "is_open": evidence.state == "open",
        "locked": evidence.locked,
        "state_reason": evidence.state_reason,
        "eligible_system": verdicts.eligible_system,
        "eligible_bug": verdicts.eligible_bug,
        "exclusions": list(verdicts.exclusions),
        "fix_kind": evidence.fix.kind if evidence.fix else None,
        "fix_link": evidence.fix_link,
        "fix_merged_at": evidence.fix.merged_at if evidence.fix else None,
        "gathered_at": now,
        **asdict(indicators),
    }
    if record is None:
        record = Record(issue_id=evidence.issue_id, **values)
        session.add(record)
    else:
        for name, value in values.items():
            setattr(record, name, value)
    await session.flush()
    await _replace_parts(session, evidence, now)
    text = {"issue_id": evidence.issue_id, "repository_id": evidence.repository_id, "text": packed, "gathered_at": now}
    await session.execute(
        insert(EvidenceText)
        .values(**text)
        .on_conflict_do_update(index_elements=[col(EvidenceText.issue_id)], set_=text)
    )
    return record


async def _replace_parts(session: AsyncSession, evidence: Evidence, now: datetime) -> None:
    issue_id = evidence.issue_id
    for table in _PARTS:
        await session.execute(delete(table).where(col(table.issue_id) == issue_id))
    session.add_all(
        Span(
            issue_id=issue_id,
            position=position,
            opened_at=span.opened_at,
            closed_at=span.closed_at,
            closed_by_id=span.closed_by.id if span.closed_by else None,
            state_reason=span.state_reason,
        )
        for position, span in enumerate(evidence.spans)
    )
    if evidence.fix is not None:
        _add_fix(session, evidence)
    await _add_people(session, evidence, now)


def _add_fix(session: AsyncSession, evidence: Evidence) -> None:
    fix = evidence.fix
    if fix is None:
        return
    session.add(
        Fix(
            issue_id=evidence.issue_id,
            kind=fix.kind,
            link=fix.link,
            repository=fix.repository,
            number=fix.number,
            sha=fix.sha,
            landed=fix.landed,
            merged_at=fix.merged_at,
            additions=fix.additions,
            deletions=fix.deletions,
            changed_files=fix.changed_files,
            files_truncated=fix.files_truncated,
        )
    )
    by_path = {storable(file.path): file for file in fix.files}
    session.add_all(
        FixFile(issue_id=evidence.issue_id, path=path, additions=file.additions, deletions=file.deletions)
        for path, file in by_path.items()
    )


async def _add_people(session: AsyncSession, evidence: Evidence, now: datetime) -> None:
    took_part = roles(evidence)
    people: dict[int, Actor] = {one.person.id: one.person for one in took_part if one.person.id is not None}
    if people:
        # In the order of ids, so that two issues with the same people never wait for each other.
        rows = [
            {"id": key, "login": people[key].login, "kind": people[key].kind, "updated_at": now}
            for key in sorted(people)
        ]
        await session.execute(insert(Person).values(rows).on_conflict_do_nothing())
    session.add_all(
        Participation(issue_id=evidence.issue_id, person_id=one.person.id, role=one.role, member=one.member)
        for one in took_part
        if one.person.id is not None
    )


async def find_record(session: AsyncSession, repository_id: int, number: int, *, lock: bool = False) -> Record | None:
    """Return the record of an issue by its number, locked against other writers if asked for."""
    wanted = select(Record).where(Record.repository_id == repository_id, Record.number == number)
    if lock:
        wanted = wanted.with_for_update()
    return (await session.execute(wanted)).scalars().first()


async def delete_record(session: AsyncSession, issue_id: int) -> None:
    """Delete an issue's record with all that belongs to it, because GitHub deleted the issue."""
    for table in (*_PARTS, *_REST):
        await session.execute(delete(table).where(col(table.issue_id) == issue_id))
    record = await session.get(Record, issue_id)
    if record is not None:
        await session.execute(
            delete(Command).where(
                col(Command.repository_id) == record.repository_id, col(Command.number) == record.number
            )
        )
        await session.delete(record)
