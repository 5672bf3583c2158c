"""Who took part: ages, followers and roles of accounts, and how much members contributed.

Purpose: the study's third question, about the people behind issues (RQ3). Trigger: an issue was recorded; ten minutes
later (`people_delay_seconds`) one job reads for all that an installation recorded meanwhile, at the lowest priority.
Effects: profiles and contributions of people who took part in eligible issues are stored, each at most once a month,
and the records' own contributions are brought in line. Nothing is written to GitHub, and of a profile's words only the
role that they name is kept.
"""

from __future__ import annotations

from collections.abc import Collection

import structlog
from sqlmodel import col, select

from bot.clock import Clock
from bot.github.people import read
from bot.github.reading import EvidenceClient
from bot.services import Services
from bot.store.database import Database
from bot.store.people import fill_records, people_due, save_contributions, save_profiles, years_due
from bot.store.repositories import gathers
from bot.store.tables import Repository

log = structlog.get_logger(__name__)


async def refresh(services: Services, installation_id: int) -> None:
    """Read the people of one installation's records, with the share of GitHub's limits that background reading has."""
    async with services.database.sessions() as session:
        installed = select(Repository).where(col(Repository.installation_id) == installation_id)
        repository_ids = [one.id for one in (await session.execute(installed)).scalars() if gathers(one)]
    client = services.background_client(installation_id)
    await read_people(client, services.database, services.clock, repository_ids)


async def read_people(
    client: EvidenceClient, database: Database, clock: Clock, repository_ids: Collection[int]
) -> None:
    """Read who is due in the records of these repositories and bring the records in line.

    Each batch is stored as it comes, so that a limit, or a process that ends, loses nothing: the next run asks only
    for the rest. Raises the client's errors.
    """
    async with database.sessions() as session:
        people = await people_due(session, repository_ids, clock.now())
        years = await years_due(session, repository_ids, clock.now())
    async for found in read(client, people, years, clock.now()):
        async with database.sessions.begin() as session:
            await save_profiles(session, found.profiles, clock.now())
            await save_contributions(session, found.contributions, clock.now())
    async with database.sessions.begin() as session:
        await fill_records(session, repository_ids)
    log.info("people read", profiles=len(people), contributions=len(years))
