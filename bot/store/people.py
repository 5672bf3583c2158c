"""Who is to be read on GitHub, what came of it, and what records make of their members' contributions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

from sqlalchemy import text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, update

from bot.evidence.model import Actor
from bot.github.people import Account, Contributed, PersonYear, Profile
from bot.store.tables import Contribution, Person

FRESH = timedelta(days=30)
"""A person, and a person's year in a repository, is read at most once in this time."""

# Right after a backfill PostgreSQL has no statistics yet, takes tables for tiny and would walk all people once for each
# record. The queries here read whole tables anyway, for which hashing is never far from the best.
_IN_BULK = text("SET LOCAL enable_nestloop = off")

_SEE = text("""
UPDATE person SET login = seen.login, node_id = seen.node_id
FROM unnest(CAST(:ids AS bigint[]), CAST(:logins AS text[]), CAST(:node_ids AS text[])) AS seen (id, login, node_id)
WHERE person.id = seen.id AND (person.login, person.node_id) IS DISTINCT FROM (seen.login, seen.node_id)
""")


async def see_people(session: AsyncSession, people: Iterable[Actor]) -> None:
    """Note what accounts are called now and how GraphQL finds them; rows in which nothing changes are not touched."""
    named = [one for one in people if one.id is not None and one.node_id is not None]
    if named:
        columns = {"ids": [one.id for one in named], "logins": [one.login for one in named]}
        await session.execute(_SEE, {**columns, "node_ids": [one.node_id for one in named]})


_PEOPLE_DUE = text("""
SELECT person.id, person.node_id
FROM person
JOIN (
    SELECT participation.person_id, max(record.gathered_at) AS gathered_at
    FROM record JOIN participation ON participation.issue_id = record.issue_id
    WHERE record.repository_id = ANY(:repository_ids) AND (record.eligible_system OR record.eligible_bug)
    GROUP BY participation.person_id
) AS took_part ON took_part.person_id = person.id
WHERE person.kind = 'human' AND person.node_id IS NOT NULL
    AND (person.read_at IS NULL OR person.read_at < :stale AND person.read_at < took_part.gathered_at)
ORDER BY person.id
""")


async def people_due(session: AsyncSession, repository_ids: Collection[int], now: datetime) -> list[Account]:
    """Return the humans in the eligible records of these repositories who were never read, or are to be read again.

    Again means that they took part in a record gathered since, and that a month has passed.
    """
    parameters = {"repository_ids": list(repository_ids), "stale": now - FRESH}
    await session.execute(_IN_BULK)
    return [Account(number, node_id) for number, node_id in await session.execute(_PEOPLE_DUE, parameters)]


async def save_profiles(session: AsyncSession, profiles: Mapping[int, Profile | None], now: datetime) -> None:
    """Store profiles by account number; of an account that cannot be read nothing stays but that it was tried."""
    for person_id in sorted(profiles):
        profile = profiles[person_id]
        values: dict[str, object] = {"read_at": now, "created_at": None, "followers": None, "profile_role": "unknown"}
        if profile is not None:
            values |= {"login": profile.login, "created_at": profile.created_at}
            values |= {"followers": profile.followers, "profile_role": profile.role}
        await session.execute(update(Person).where(col(Person.id) == person_id).values(**values))


_YEARS_DUE = text("""
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
    AND person.kind = 'human' AND person.login IS NOT NULL AND person.node_id IS NOT NULL
    AND (person.read_at IS NULL OR person.created_at IS NOT NULL)
    AND (contribution.read_at IS NULL OR contribution.read_at < :stale AND (
        contribution.in_repository IS NULL OR contribution.everywhere IS NULL
        OR contribution.read_at < make_timestamptz(contribution.year + 1, 1, 1, 0, 0, 0, 'UTC')))
ORDER BY record.repository_id, closing.year, person.id
""")


async def years_due(session: AsyncSession, repository_ids: Collection[int], now: datetime) -> list[PersonYear]:
    """Return whose contributions are to be read: members and fixes' authors of eligible records, by closing's year.

    A year that is not over when it is read, and one that could not be read, is read again after a month; a year that
    was over then has its last number. An account that could not be read is not asked about.
    """
    parameters = {"repository_ids": list(repository_ids), "stale": now - FRESH}
    await session.execute(_IN_BULK)
    rows = await session.execute(_YEARS_DUE, parameters)
    return [
        PersonYear(Account(person_id, node_id), login, repository_id, name, year)
        for repository_id, name, year, person_id, login, node_id in rows
    ]


async def save_contributions(
    session: AsyncSession, contributed: Mapping[PersonYear, Contributed], now: datetime
) -> None:
    """Store what people contributed in their years."""
    for one, found in contributed.items():
        row = {
            "person_id": one.account.id,
            "repository_id": one.repository_id,
            "year": one.year,
            "in_repository": found.in_repository,
            "everywhere": found.everywhere,
            "read_at": now,
        }
        keys = [col(Contribution.person_id), col(Contribution.repository_id), col(Contribution.year)]
        fresh = insert(Contribution).values(**row)
        await session.execute(fresh.on_conflict_do_update(index_elements=keys, set_=row))


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
    await session.execute(_IN_BULK)
    await session.execute(_FILL, {"repository_ids": list(repository_ids)})
