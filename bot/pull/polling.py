"""Polls the App's list of deliveries and stores what is new, as if it had been received."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Literal

import psycopg
import structlog
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select

from bot.deliveries import Arrival, MalformedPayloadError, arrival
from bot.github.errors import GitHubError, NotFound, RateLimited
from bot.ingest import REFUSED, Ingest
from bot.log_context import delivery_bound
from bot.metrics import DELIVERIES
from bot.pull.listing import Listed, horizon, to_fetch
from bot.pull.pages import LIST, pages_back_to
from bot.services import Services
from bot.store.tables import Delivery, Pulled

log = structlog.get_logger(__name__)


class Puller:
    """Reads the list down to where it was read last, and fetches each new delivery once.

    What was dealt with is kept in the database, so that another process goes on from there; what is asked of GitHub
    again while nothing is new costs nothing of its limit (an answer of 304).
    """

    def __init__(self, services: Services, ingest: Ingest) -> None:
        self._services = services
        self._ingest = ingest
        self._seen: dict[int, datetime] = {}

    async def poll(self) -> int:
        """Store all that is new, the oldest first, and return how many deliveries were; raises a `GitHubError`.

        Where that breaks off, what was stored until then counts.
        """
        app_id = self._services.settings.app_id or 0
        since = horizon(await self._newest(app_id), self._services.clock.now())
        listed = await self._list(since)
        known = await self._states(listed)
        stored = 0
        for one in to_fetch(listed, since, self._seen, known):
            stored += await self._fetch(one)
            await self._advance(app_id, one.delivered_at)
        self._seen = {one.id: one.delivered_at for one in listed if one.delivered_at >= since}
        if listed:
            await self._advance(app_id, max(one.delivered_at for one in listed))
        return stored

    async def _list(self, since: datetime) -> list[Listed]:
        return [one async for page in pages_back_to(self._services.github, since) for one in page]

    async def _fetch(self, one: Listed) -> bool:
        """Store one delivery; one that GitHub has no more, or that nobody here could read, is passed over."""
        try:
            answer = await self._services.github.app_get(f"{LIST}/{one.id}")
        except NotFound:
            log.warning("a delivery is gone before it was fetched", delivery=one.guid)
            return False
        github = self._services.github
        try:
            payload = answer["request"]["payload"]
            kept = arrival(one.guid, one.event, payload, bot_id=await github.bot_user_id(), slug=await github.slug())
        except (MalformedPayloadError, UnicodeEncodeError, KeyError, TypeError, AttributeError) as error:
            return _refuse(one, error)
        if kept is None:
            DELIVERIES.labels(event=one.event, outcome="dropped").inc()
            return False
        with delivery_bound(kept):
            return await self._store(one, kept)

    async def _store(self, one: Listed, kept: Arrival) -> bool:
        try:
            await self._ingest.store(kept)
        except REFUSED as error:
            return _refuse(one, error)
        DELIVERIES.labels(event=one.event, outcome="pulled").inc()
        return True

    async def _newest(self, app_id: int) -> datetime | None:
        async with self._services.database.sessions() as session:
            row = await session.get(Pulled, app_id)
            return None if row is None else row.delivered_at

    async def _advance(self, app_id: int, delivered_at: datetime) -> None:
        """Note how far the list was dealt with; it never goes back."""
        row = insert(Pulled).values(app_id=app_id, delivered_at=delivered_at)
        further = row.on_conflict_do_update(
            index_elements=[col(Pulled.app_id)],
            set_={"delivered_at": delivered_at},
            where=col(Pulled.delivered_at) < delivered_at,
        )
        async with self._services.database.sessions.begin() as session:
            await session.execute(further)

    async def _states(self, listed: list[Listed]) -> dict[str, str]:
        guids = {one.guid for one in listed}
        async with self._services.database.sessions() as session:
            rows = await session.execute(select(Delivery.guid, Delivery.state).where(col(Delivery.guid).in_(guids)))
            return {row.guid: row.state for row in rows}


def _refuse(one: Listed, error: Exception) -> Literal[False]:
    log.warning("a delivery cannot be read", delivery=one.guid, error=type(error).__name__)
    DELIVERIES.labels(event=one.event, outcome="refused_pulled").inc()
    return False


async def pull(services: Services) -> None:
    """Poll until cancelled; raises where the database is away."""
    ingest = Ingest(services.pool, services.settings.settle_seconds)
    tasks = [asyncio.create_task(ingest.run()), asyncio.create_task(_poll_forever(services, Puller(services, ingest)))]
    try:
        for ended in (await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED))[0]:
            ended.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _poll_forever(services: Services, puller: Puller) -> None:
    """Poll again and again; where GitHub or the database does not answer, or says to wait, later."""
    while True:
        wait = services.settings.pull_seconds
        try:
            stored = await puller.poll()
            if stored:
                log.info("deliveries pulled", deliveries=stored)
        except RateLimited as limited:
            wait = max(wait, (limited.retry_at - services.clock.now()).total_seconds())
            log.warning("GitHub's limit is used up; pulling later", seconds=round(wait))
        except (GitHubError, psycopg.Error, OSError) as error:
            log.warning("deliveries not pulled; trying again later", error=f"{type(error).__name__}: {error}")
        await services.clock.sleep(wait)
