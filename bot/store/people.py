"""Who is to be read on GitHub, what came of it, and what records make of their members' contributions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, exists, or_, select, update

from bot.github.people import Contributed, Known, Profile
from bot.store.tables import Contribution, Participation, Person, Record

FRESH = timedelta(days=30)
"""A person, and a person's year in a repository, is read at most once in this time."""


@dataclass(frozen=True)
class Year:
    """One calendar year (UTC) of one repository."""

    repository_id: int
    repository: str
    year: int


async def people_due(session: AsyncSession, repository_ids: Collection[int], now: datetime) -> list[Known]:
    """Return the humans in the eligible records of these repositories who were never read, or are to be read again.

    Again means that they took part in a record gathered since, and that a month has passed.
    """
    took_part = (
        select(Participation.person_id)
        .join(Record, col(Record.issue_id) == col(Participation.issue_id))
        .where(
            Participation.person_id == Person.id,
            col(Record.repository_id).in_(repository_ids),
            or_(col(Record.eligible_system), col(Record.eligible_bug)),
            or_(col(Person.read_at).is_(None), col(Record.gathered_at) > col(Person.read_at)),
        )
    )
    due = (
        select(Person)
        .where(
            Person.kind == "human",
            or_(col(Person.read_at).is_(None), col(Person.read_at) < now - FRESH),
            exists(took_part),
        )
        .order_by(col(Person.id))
    )
    return [Known(one.id, one.login, one.node_id) for one in (await session.execute(due)).scalars()]


async def save_profiles(session: AsyncSession, profiles: Mapping[int, Profile | None], now: datetime) -> None:
    """Store profiles by account number; of an account that cannot be read nothing stays but that it was tried.

    Its node id stays too: should the account come back, it is found by that.
    """
    for person_id in sorted(profiles):
        profile = profiles[person_id]
        values: dict[str, object] = {"read_at": now, "created_at": None, "followers": None, "profile_role": "unknown"}
        if profile is not None:
            values |= {"node_id": profile.node_id, "login": profile.login, "created_at": profile.created_at}
            values |= {"followers": profile.followers, "profile_role": profile.role}
        await session.execute(update(Person).where(col(Person.id) == person_id).values(**values))


_CONTRIBUTIONS_DUE = text("""
SELECT DISTINCT record.repository_id, repository.full_name, closing.year, person.id, person.login, person.node_id
FROM record
JOIN repository ON repository.id = record.repository_id
JOIN participation ON participation.issue_id = record.issue_id
JOIN person ON person.id = participation.person_id
CROSS JOIN LATERAL (SELECT extract(year FROM record.closed_at AT TIME ZONE 'UTC')::int AS year) AS closing
LEFT JOIN contribution ON contribution.person_id = person.id
    AND contribution.repository_id = record.repository_id AND contribution.year = closing.year
WHERE record.repository_id = ANY(:repository_ids)
    AND (record.eligible_system OR record.eligible_bug)
    AND (participation.member OR participation.role = 'fix_author')
    AND person.kind = 'human' AND person.node_id IS NOT NULL AND person.created_at IS NOT NULL
    AND (contribution.read_at IS NULL OR contribution.read_at < :stale AND (
        contribution.in_repository IS NULL OR contribution.everywhere IS NULL
        OR contribution.read_at < make_timestamptz(contribution.year + 1, 1, 1, 0, 0, 0, 'UTC')))
ORDER BY record.repository_id, closing.year, person.id
""")


async def contributions_due(
    session: AsyncSession, repository_ids: Collection[int], now: datetime
) -> dict[Year, list[Known]]:
    """Return whose contributions are to be read: members and fixes' authors of eligible records, by closing's year.

    A year that is not over when it is read, and one that could not be read, is read again after a month; a year that
    was over then has its last number. Only people whose profile could be read are asked about.
    """
    parameters = {"repository_ids": list(repository_ids), "stale": now - FRESH}
    due: dict[Year, list[Known]] = {}
    for repository_id, name, year, *person in await session.execute(_CONTRIBUTIONS_DUE, parameters):
        due.setdefault(Year(repository_id, name, year), []).append(Known(*person))
    return due


async def save_contributions(
    session: AsyncSession, year: Year, contributed: Mapping[int, Contributed], now: datetime
) -> None:
    """Store what people contributed in a year, by account number."""
    rows = [
        {
            "person_id": person_id,
            "repository_id": year.repository_id,
            "year": year.year,
            "in_repository": contributed[person_id].in_repository,
            "everywhere": contributed[person_id].everywhere,
            "read_at": now,
        }
        for person_id in sorted(contributed)
    ]
    fresh = insert(Contribution).values(rows)
    kept = {name: fresh.excluded[name] for name in ("in_repository", "everywhere", "read_at")}
    keys = [col(Contribution.person_id), col(Contribution.repository_id), col(Contribution.year)]
    await session.execute(fresh.on_conflict_do_update(index_elements=keys, set_=kept))


_FILL = text("""
WITH part AS (
    SELECT record.issue_id, record.repository_id, participation.person_id,
        extract(year FROM record.closed_at AT TIME ZONE 'UTC')::int AS year,
        bool_or(participation.member) AS member, bool_or(participation.role = 'fix_author') AS fix_author
    FROM record LEFT JOIN participation ON participation.issue_id = record.issue_id
    WHERE record.repository_id = ANY(:repository_ids)
    GROUP BY record.issue_id, participation.person_id
), counted AS (
    SELECT part.issue_id,
        round(avg(contribution.everywhere) FILTER (WHERE part.member))::int AS members,
        max(contribution.everywhere) FILTER (WHERE part.fix_author) AS fix_author
    FROM part LEFT JOIN contribution USING (person_id, repository_id, year)
    GROUP BY part.issue_id
)
UPDATE record SET member_contributions = counted.members, fix_author_contributions = counted.fix_author
FROM counted
WHERE record.issue_id = counted.issue_id
    AND (record.member_contributions, record.fix_author_contributions)
        IS DISTINCT FROM (counted.members, counted.fix_author)
""")


async def fill_records(session: AsyncSession, repository_ids: Iterable[int]) -> None:
    """Bring the contributions in the records of these repositories in line with what is stored about people.

    `member_contributions` is the mean, in whole numbers, of what the members who took part contributed everywhere in
    the year of the closing, over those members about whom it is known; `fix_author_contributions` is that of the
    fix's author. Both stay null where there was no such person or nothing is known: the study's table 6 has zeros for
    systems in whose issues no member took part.
    """
    await session.execute(_FILL, {"repository_ids": list(repository_ids)})
