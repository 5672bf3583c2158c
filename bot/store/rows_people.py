"""The people of a report's rows, under the database's keyed hash: who took part in issues, and who decided what."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func

import reports.rows as plain
from bot.evidence.profile import two_digits, whole_years
from bot.store.among import among
from bot.store.lean import lean_rows
from bot.store.pseudonyms import pseudonyms
from bot.store.tables import Decision, Participation, Person


async def participants(session: AsyncSession, records: Sequence[plain.Record]) -> tuple[plain.Participant, ...]:
    """Return who took part in the issues, by issue and account: each once, with all roles in their order.

    A person is a member or not by the first of the roles. Years and followers are coarse, for they are exported so.
    """
    record_of = {record.issue_id: record for record in records}
    role = col(Participation.role)
    wanted = (
        select(
            col(Participation.issue_id),
            col(Participation.person_id),
            func.array_agg(aggregate_order_by(role, role)),
            func.array_agg(aggregate_order_by(col(Participation.member), role))[1],
            col(Person.created_at),
            col(Person.followers),
            col(Person.profile_role),
        )
        .join(Person, col(Person.id) == col(Participation.person_id))
        .where(among(Participation.issue_id, record_of))
        .group_by(col(Participation.issue_id), col(Participation.person_id), col(Person.id))
        .order_by(col(Participation.issue_id), col(Participation.person_id))
    )
    hide = await pseudonyms(session)
    found = []
    async for issue_id, person_id, roles, member, since, followers, profile_role in lean_rows(session, wanted):
        record = record_of[issue_id]
        found.append(
            plain.Participant(
                person=hide(person_id),
                repository_id=record.repository_id,
                issue_id=record.issue_id,
                roles=roles,
                member=member,
                account_years=whole_years(since, record.closed_at) if since and record.closed_at else None,
                followers=None if followers is None else two_digits(followers),
                profile_role=profile_role,
            )
        )
    return tuple(found)


async def decisions(session: AsyncSession, records: Sequence[plain.Record]) -> tuple[plain.Decision, ...]:
    """Return what people decided about the issues, the earliest first, what was taken back included."""
    names = ("issue_id", "category", "category2", "via", "blind", "decided_at", "undone_at")
    wanted = (
        select(col(Decision.person_id), *(getattr(Decision, name) for name in names))
        .where(among(Decision.issue_id, (record.issue_id for record in records)))
        .order_by(col(Decision.id))
    )
    hide = await pseudonyms(session)
    found = []
    async for person_id, *values in lean_rows(session, wanted):
        found.append(plain.Decision(coder=hide(person_id or 0), **dict(zip(names, values, strict=True))))
    return tuple(found)
