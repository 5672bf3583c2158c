"""The database as the plain rows that a report is computed from."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, true
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, or_, select

import reports.rows as plain
from bot.evidence.profile import two_digits, whole_years
from bot.store.among import among
from bot.store.imported import imported_named, with_imported
from bot.store.proposals import newest_proposals
from bot.store.pseudonyms import pseudonyms
from bot.store.tables import Decision, Participation, Person, Proposal, Record, Repository

_SAME_NAME = (
    "repository_id",
    "issue_id",
    "number",
    "created_at",
    "created_at_estimated",
    "closed_at",
    "reopened",
    "first_close_days",
    "state_reason",
    "state",
    "eligible_system",
    "eligible_bug",
    "category",
    "category2",
    "none_kind",
    "category_source",
    "selection",
    "selection_probability",
    "blind",
    "decided_at",
    "bug_type",
    "open_days",
    "issue_comments",
    "fix_comments",
    "issue_participants",
    "fix_participants",
    "changed_lines",
    "changed_files",
    "comments_until_reproduced",
    "comments_until_reproduced_source",
    "description_words",
    "attached_files",
    "code_lines",
    "issue_form",
    "members",
    "participation_percent",
    "non_members",
    "member_contributions",
    "fix_author_contributions",
    "fix_kind",
    "fix_link",
    "fix_merged_at",
    "mpl",
    "mpl_with_tests",
    "change_entropy",
    "change_entropy_with_tests",
)


async def load_rows(
    session: AsyncSession, repository_id: int | None, since: datetime | None, until: datetime | None
) -> plain.Rows:
    """Return what a report reads: closings in [`since`, `until`) of issues that are not open again.

    Of other repositories than `repository_id` only public ones enter: a private repository's numbers appear in its own
    report alone. People are named by the database's keyed hash, and their accounts' figures are coarse: a report
    computes from the same values that are exported. Imported packages stand beside what was recorded here.
    """
    public = col(Repository.private).is_(False)
    visible = public if repository_id is None else or_(col(Repository.id) == repository_id, public)
    return await _load(
        session, visible, since, until, lambda one: one.repository_id == repository_id or not one.private
    )


async def load_everything(session: AsyncSession, *, include_private: bool) -> plain.Rows:
    """Return all that an export holds: every closing ever recorded, of public repositories or of all."""
    visible = true() if include_private else col(Repository.private).is_(False)
    return await _load(session, visible, None, None, lambda one: include_private or not one.private)


async def repository_named(session: AsyncSession, full_name: str) -> int | None:
    """Return the id of the recorded or imported repository with this `owner/name`, in any case, or None."""
    wanted = select(Repository.id).where(func.lower(Repository.full_name) == full_name.lower())
    found = (await session.execute(wanted.order_by(col(Repository.updated_at).desc()))).scalars().first()
    return await imported_named(session, full_name) if found is None else found


async def _load(
    session: AsyncSession,
    visible: ColumnElement[bool],
    since: datetime | None,
    until: datetime | None,
    may_see_imported: Callable[[plain.Repository], bool],
) -> plain.Rows:
    repositories = (
        (await session.execute(select(Repository).where(visible).order_by(col(Repository.id)))).scalars().all()
    )
    by_id = {repository.id: repository for repository in repositories}
    wanted = (
        select(Record)
        .where(col(Record.repository_id).in_(by_id), col(Record.closed_at).is_not(None), col(Record.is_open).is_(False))
        .order_by(col(Record.repository_id), col(Record.number))
    )
    if since is not None:
        wanted = wanted.where(col(Record.closed_at) >= since)
    if until is not None:
        wanted = wanted.where(col(Record.closed_at) < until)
    records = (await session.execute(wanted)).scalars().all()
    issue_ids = [record.issue_id for record in records]
    proposals = await newest_proposals(session, issue_ids)
    decisions = (
        await session.execute(select(Decision).where(among(Decision.issue_id, issue_ids)).order_by(col(Decision.id)))
    ).scalars()
    hide = await pseudonyms(session)
    live = plain.Rows(
        repositories=tuple(_repository(one, by_id) for one in repositories),
        records=tuple(
            _record(record, by_id[record.repository_id], proposals.get(record.issue_id)) for record in records
        ),
        participants=tuple(await _participants(session, records, hide)),
        decisions=tuple(_decision(decision, hide) for decision in decisions),
    )
    return await with_imported(session, live, since, until, may_see_imported)


def _repository(row: Repository, visible: Container[int]) -> plain.Repository:
    return plain.Repository(
        repository_id=row.id,
        repository=row.full_name,
        paradigm=row.paradigm,
        domain=row.domain,
        in_comparison=row.in_comparison,
        matched_with=row.matched_with if row.matched_with in visible else None,
        watches=row.watches,
        stars=row.stars,
        forks=row.forks,
        commits=row.commits,
        contributors=row.contributors,
        private=row.private,
        share=row.share,
    )


def _record(row: Record, repository: Repository, proposal: Proposal | None) -> plain.Record:
    return plain.Record(
        repository=repository.full_name,
        paradigm=repository.paradigm,
        exclusions=tuple(row.exclusions),
        languages=None if row.languages is None else tuple(row.languages),
        languages_with_tests=None if row.languages_with_tests is None else tuple(row.languages_with_tests),
        proposal_category=proposal.category if proposal else None,
        proposal_probability=proposal.probability if proposal else None,
        proposal_model=proposal.model if proposal else None,
        **{name: getattr(row, name) for name in _SAME_NAME},
    )


async def _participants(
    session: AsyncSession, records: Sequence[Record], hide: Callable[[int], str]
) -> list[plain.Participant]:
    record_of = {record.issue_id: record for record in records}
    rows = await session.execute(
        select(Participation, Person)
        .join(Person, col(Person.id) == col(Participation.person_id))
        .where(among(Participation.issue_id, record_of))
        .order_by(col(Participation.issue_id), col(Participation.person_id), col(Participation.role))
    )
    together: dict[tuple[int, int], tuple[Person, list[Participation]]] = {}
    for part, person in rows:
        together.setdefault((part.issue_id, person.id), (person, []))[1].append(part)
    return [
        _participant(record_of[issue_id], person, parts, hide) for (issue_id, _), (person, parts) in together.items()
    ]


def _participant(
    record: Record, person: Person, parts: Sequence[Participation], hide: Callable[[int], str]
) -> plain.Participant:
    return plain.Participant(
        person=hide(person.id),
        repository_id=record.repository_id,
        issue_id=record.issue_id,
        roles=tuple(part.role for part in parts),
        member=parts[0].member,
        account_years=whole_years(person.created_at, record.closed_at) if person.created_at else None,
        followers=None if person.followers is None else two_digits(person.followers),
        profile_role=person.profile_role,
    )


def _decision(row: Decision, hide: Callable[[int], str]) -> plain.Decision:
    return plain.Decision(
        issue_id=row.issue_id,
        coder=hide(row.person_id or 0),
        category=row.category,
        category2=row.category2,
        via=row.via,
        blind=row.blind,
        decided_at=row.decided_at,
        undone_at=row.undone_at,
    )
