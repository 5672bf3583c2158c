"""The people of one record in numbers: nobody is named, and nobody's own figures are given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.evidence.profile import two_digits, whole_years
from bot.store.tables import Contribution, Participation, Person, Record


@dataclass(frozen=True)
class People:
    """Who took part, in numbers: people of each role, and medians over those whose profile was read.

    Deleted accounts are not among them, since nothing tells two of them apart. `account_years` are whole, `followers`
    have two significant digits. `in_repository` is the mean of the members' contributions there in the closing's year.
    """

    of_role: Mapping[str, int]
    everyone: int
    read: int
    last_read_at: datetime | None
    account_years: float | None
    followers: float | None
    profile_roles: Mapping[str, int]
    members: int
    in_repository: float | None


async def people_of(session: AsyncSession, record: Record) -> People:
    """Return the numbers of one record's people."""
    rows = await session.execute(
        select(Participation, Person)
        .join(Person, col(Person.id) == col(Participation.person_id))
        .where(Participation.issue_id == record.issue_id)
    )
    parts = [(part, person) for part, person in rows]
    everyone = {person.id: person for _, person in parts}
    members = {part.person_id for part, _ in parts if part.member}
    contributed = await session.execute(
        select(Contribution.in_repository).where(
            col(Contribution.person_id).in_(members),
            Contribution.repository_id == record.repository_id,
            Contribution.year == record.closed_at.astimezone(UTC).year,
            col(Contribution.in_repository).is_not(None),
        )
    )
    counts = [count for count in contributed.scalars() if count is not None]
    read = [person for person in everyone.values() if person.created_at is not None]
    return People(
        of_role=Counter(part.role for part, _ in parts),
        everyone=len(everyone),
        read=len(read),
        last_read_at=max((person.read_at for person in read if person.read_at is not None), default=None),
        account_years=_median([whole_years(one.created_at, record.closed_at) for one in read if one.created_at]),
        followers=_median([two_digits(one.followers) for one in read if one.followers is not None]),
        profile_roles=Counter(person.profile_role or "unknown" for person in read),
        members=len(members),
        in_repository=sum(counts) / len(counts) if counts else None,
    )


def _median(values: Sequence[int | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None
