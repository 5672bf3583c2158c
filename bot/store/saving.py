"""Evidence into rows, many issues at a time: a statement a table, whatever the number of issues."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import SQLModel, col, delete, select

from bot.evidence.eligibility import Verdicts
from bot.evidence.indicators import Indicators
from bot.evidence.model import Actor, Evidence
from bot.evidence.participants import roles
from bot.store.late_links import await_links
from bot.store.people import see_people
from bot.store.statements import heed_reproduced
from bot.store.tables import EvidenceText, Fix, FixFile, LaterComments, Participation, Person, Record, Span
from bot.text import storable

PARTS: tuple[type[Span | Fix | FixFile | Participation | LaterComments], ...] = (
    Span,
    Fix,
    FixFile,
    Participation,
    LaterComments,
)
"""Tables that are written anew with every gathering."""


@dataclass(frozen=True)
class Gathered:
    """One issue's evidence, what was measured and judged from it, and the packed text and later comments."""

    evidence: Evidence
    indicators: Indicators
    verdicts: Verdicts
    packed: bytes
    later: bytes | None


async def save_all(
    session: AsyncSession, gathered: Sequence[Gathered], now: datetime, *, backfilled: bool
) -> dict[int, Record]:
    """Insert or update the records of issues and replace their parts; return them, locked, by issue id.

    What people decided stays as it is, and what they said of the reproduction counts. Raises ValueError for an open
    issue, which has no record.
    """
    if not gathered:
        return {}
    # In the order of ids, here and below, so that two writers with the same issues or people never wait for each other.
    ordered = sorted(gathered, key=lambda one: one.evidence.issue_id)
    ids = [one.evidence.issue_id for one in ordered]
    await session.flush()
    await _upsert(session, Record, [_record(one, now, backfilled=backfilled) for one in ordered], "issue_id")
    for table in PARTS:
        await session.execute(delete(table).where(col(table.issue_id).in_(ids)))
    issues = [one.evidence for one in ordered]
    people = _people(issues)
    await _insert(session, Person, [_person(one, now) for one in people])
    await see_people(session, people)
    await _insert(session, Span, [row for issue in issues for row in _spans(issue)])
    await _insert(session, Fix, [row for issue in issues for row in _fix(issue)])
    await _insert(session, FixFile, [row for issue in issues for row in _files(issue)])
    await _insert(session, Participation, [row for issue in issues for row in _participation(issue)])
    await _insert(session, LaterComments, [row for one in ordered for row in _later(one)])
    texts = [
        {"issue_id": issue.issue_id, "repository_id": issue.repository_id, "text": one.packed, "gathered_at": now}
        for one, issue in zip(ordered, issues, strict=True)
    ]
    await _upsert(session, EvidenceText, texts, "issue_id")
    stored = select(Record).where(col(Record.issue_id).in_(ids)).order_by(col(Record.issue_id)).with_for_update()
    found = await session.execute(stored, execution_options={"populate_existing": True})
    records = {record.issue_id: record for record in found.scalars()}
    await heed_reproduced(session, records)
    await await_links(session, records.values(), now)
    return records


def _record(one: Gathered, now: datetime, *, backfilled: bool) -> dict[str, Any]:
    evidence, verdicts = one.evidence, one.verdicts
    if evidence.closed_at is None:
        raise ValueError("an open issue has no record")
    return {
        "issue_id": evidence.issue_id,
        "repository_id": evidence.repository_id,
        "number": evidence.number,
        "title": storable(evidence.present_title or evidence.title),
        "html_url": evidence.html_url,
        "created_at": evidence.created_at,
        "closed_at": evidence.closed_at,
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
        "backfilled": backfilled,
        **asdict(one.indicators),
    }


def _later(one: Gathered) -> Iterable[dict[str, Any]]:
    if one.later is not None:
        issue = one.evidence
        yield {"issue_id": issue.issue_id, "repository_id": issue.repository_id, "comments": one.later}


def _spans(issue: Evidence) -> Iterable[dict[str, Any]]:
    for position, span in enumerate(issue.spans):
        yield {
            "issue_id": issue.issue_id,
            "position": position,
            "opened_at": span.opened_at,
            "closed_at": span.closed_at,
            "closed_by_id": span.closed_by.id if span.closed_by else None,
            "state_reason": span.state_reason,
        }


def _fix(issue: Evidence) -> Iterable[dict[str, Any]]:
    fix = issue.fix
    if fix is not None:
        yield {
            "issue_id": issue.issue_id,
            "kind": fix.kind,
            "link": fix.link,
            "repository": fix.repository,
            "number": fix.number,
            "sha": fix.sha,
            "landed": fix.landed,
            "merged_at": fix.merged_at,
            "additions": fix.additions,
            "deletions": fix.deletions,
            "changed_files": fix.changed_files,
            "files_truncated": fix.files_truncated,
        }


def _files(issue: Evidence) -> Iterable[dict[str, Any]]:
    by_path = {storable(file.path): file for file in (issue.fix.files if issue.fix else ())}
    for path, file in by_path.items():
        yield {"issue_id": issue.issue_id, "path": path, "additions": file.additions, "deletions": file.deletions}


def _people(issues: Iterable[Evidence]) -> list[Actor]:
    people: dict[int, Actor] = {
        one.person.id: one.person for issue in issues for one in roles(issue) if one.person.id is not None
    }
    return [people[key] for key in sorted(people)]


def _person(one: Actor, now: datetime) -> dict[str, Any]:
    return {"id": one.id, "login": one.login, "kind": one.kind, "node_id": one.node_id, "updated_at": now}


def _participation(issue: Evidence) -> Iterable[dict[str, Any]]:
    for one in roles(issue):
        if one.person.id is not None:
            yield {"issue_id": issue.issue_id, "person_id": one.person.id, "role": one.role, "member": one.member}


async def _insert(session: AsyncSession, table: type[SQLModel], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows; those that are there already stay as they are."""
    if rows:
        await session.execute(insert(_table(table)).on_conflict_do_nothing(), _whole(table, rows))


async def _upsert(session: AsyncSession, table: type[SQLModel], rows: Sequence[Mapping[str, Any]], key: str) -> None:
    """Insert rows, or change those that are there in the columns given."""
    statement = insert(_table(table))
    changed = {name: statement.excluded[name] for name in rows[0] if name != key}
    await session.execute(statement.on_conflict_do_update(index_elements=[key], set_=changed), _whole(table, rows))


def _whole(table: type[SQLModel], rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Fill in what rows leave open by what the table's class gives it."""
    fields = table.model_fields
    given = set(rows[0])
    default = {name: fields[name].get_default(call_default_factory=True) for name in fields if name not in given}
    return [{**default, **row} for row in rows]


def _table(table: type[SQLModel]) -> Table:
    found: Table = SQLModel.metadata.tables[str(table.__tablename__)]
    return found
