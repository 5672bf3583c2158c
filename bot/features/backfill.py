"""The history of a repository that was just installed on: a recent year of closings, read by jobs.

Purpose: a report has something to say in its first month. Trigger: the App is installed on a repository that gathers;
then one job a page, at the lowest priority and one at a time, so that live work never waits. Effects: records that are
marked as backfilled and never asked about; nothing is ever written to GitHub.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.backfill.course import Parameters
from bot.backfill.reading import Place, read_next
from bot.backfill.storing import Storage
from bot.features.configuration import heed
from bot.github.errors import GitHubError, RateLimited, Transient
from bot.jobs import defer_backfill, defer_people
from bot.services import Services
from bot.store.backfills import begin, claim_due, next_due, set_backfill, was_begun_since
from bot.store.closings import watch_closings
from bot.store.repositories import gathering, gathers
from bot.store.statements import fixes_by_number
from bot.store.tables import Backfill, Repository

log = structlog.get_logger(__name__)

_MOST_ATTEMPTS = 12
_LONGEST_WAIT = timedelta(minutes=15)
_ONCE_WITHIN = timedelta(days=1)
"""An installation is told of in several events; its history is read once."""


async def begin_after_installation(services: Services, repository_ids: Iterable[int]) -> None:
    """Begin to read the recent history of those of these repositories that gather; none where it is switched off."""
    async with services.database.sessions.begin() as session:
        begun = await begin_recent(session, repository_ids, services.settings.backfill_days, services.clock.now())
    if begun:
        await defer_backfill()


async def begin_recent(session: AsyncSession, repository_ids: Iterable[int], days: float, now: datetime) -> bool:
    """Note that the last `days` of those that gather are to be read; return whether a job has anything new to do.

    What is closed from now on is no history: a closing of which GitHub does not tell is looked for.
    """
    wanted = select(Repository).where(col(Repository.id).in_(list(repository_ids)), gathering())
    found = await session.execute(wanted.order_by(col(Repository.id)).with_for_update())
    ids = [one.id for one in found.scalars()]
    await watch_closings(session, ids, now)
    if days <= 0:
        return False
    parameters = Parameters(since=now - timedelta(days=days)).written()
    begun = False
    for repository_id in ids:
        if not await was_begun_since(session, repository_id, now - _ONCE_WITHIN):
            await begin(session, repository_id, parameters, now, by_job=True)
            begun = True
    return begun


async def resume(services: Services) -> None:
    """Ask for a job where a history is unfinished; a worker does so at its start."""
    await _ask_for_next(services)


async def read_one_page(services: Services) -> None:
    """Read and store one page of the history that was left alone longest, and ask for the next job."""
    now = services.clock.now()
    async with services.database.sessions.begin() as session:
        claimed = await claim_due(session, now)
    try:
        if claimed is not None:
            await _one_page(services, *claimed)
    finally:
        await _ask_for_next(services)


async def _one_page(services: Services, backfill: Backfill, repository: Repository) -> None:
    bound = log.bind(repository=repository.full_name, page=backfill.page)
    if not gathers(repository) or repository.installation_id is None:
        await _end(services, backfill, "nothing is gathered there any more")
        return
    if backfill.attempts > _MOST_ATTEMPTS:
        bound.error("backfill given up", attempts=backfill.attempts)
        await _end(services, backfill, backfill.error or "the page could not be stored")
        return
    client = services.background_client(repository.installation_id)
    parameters = Parameters.read(backfill.parameters)
    configuration = await heed(services, repository.id)
    bots = services.bots(configuration)
    numbers = backfill.draw.get("numbers", [])
    async with services.database.sessions() as session:
        fixes = await fixes_by_number(session, repository.id)
    try:
        brought = await read_next(
            client, services.clock, repository.full_name, Place.of(backfill), parameters, numbers, bots, fixes
        )
    except RateLimited as error:
        bound.info("backfill waits for the limit", until=error.retry_at.isoformat())
        await _put_off(services, backfill, attempts=0, not_before=error.retry_at)
        return
    except Transient as error:
        wait = min(timedelta(seconds=2**backfill.attempts), _LONGEST_WAIT)
        await _put_off(services, backfill, not_before=services.clock.now() + wait, error=str(error))
        return
    except GitHubError as error:
        bound.warning("backfill refused by GitHub", error=str(error))
        await _end(services, backfill, str(error))
        return
    own_id = await services.github.bot_user_id()
    slug = await services.github.slug()
    storage = Storage(services.database, services.classifier, services.clock, own_id, slug, only_where_gathered=True)
    after = await storage.store(backfill, brought)
    if after.state == "done":
        await defer_people(repository.installation_id, services.settings.people_delay_seconds)
    bound.info("backfill page stored", state=after.state, seen=after.seen, recorded=after.recorded)


async def _put_off(services: Services, backfill: Backfill, **values: object) -> None:
    async with services.database.sessions.begin() as session:
        await set_backfill(session, backfill.id or 0, **values)


async def _end(services: Services, backfill: Backfill, reason: str) -> None:
    now = services.clock.now()
    await _put_off(services, backfill, state="failed", error=reason, updated_at=now, finished_at=now)


async def _ask_for_next(services: Services) -> None:
    async with services.database.sessions() as session:
        due = await next_due(session)
    if due is not None:
        await defer_backfill(max(0.0, (due - services.clock.now()).total_seconds()))
