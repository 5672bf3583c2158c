"""Closings of which GitHub never told are recorded all the same.

Purpose: an event that was never sent, or that GitHub sends no more, leaves no hole in the records. Trigger: after each
look for missed deliveries, so at the start of a process and every hour. Effects: the closed issues of each repository
that gathers are compared with what is recorded, and each that is missing is stored as the event that should have come:
so it is handled like any other closing, once, but gets no comment, since it is old news.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

import structlog

from bot.deliveries import Arrival, arrival, issue_unit
from bot.github.closed_issues import ClosedIssue, ClosedList, read_closed
from bot.github.errors import GitHubError, RateLimited
from bot.ingest import Ingest
from bot.jobs import defer_closings
from bot.metrics import MISSED
from bot.services import Services
from bot.store.closings import closings_recorded, set_seen, units_waiting, watched
from bot.store.missed import known_deliveries
from bot.store.repositories import gathers
from bot.store.tables import ClosingsSeen, Repository

log = structlog.get_logger(__name__)

OVERLAP = timedelta(days=1)
"""How far before the newest change that was seen the next comparison begins."""

YOUNG = timedelta(minutes=2)
"""A closing of the last minutes may still be on its way; it is compared the next time."""

_APART_SECONDS = 1.0
"""Between two repositories, so that a thousand of them are no burst of requests."""

_GUID = "missed-closing"


def closing_guid(repository_id: int, issue: ClosedIssue) -> str:
    """Name the delivery that stands for a closing of which GitHub never told: the same one each time it is found."""
    return f"{_GUID}-{repository_id}-{issue.number}-{issue.closed_at:%Y%m%dT%H%M%S}"


def is_found_here(guid: str) -> bool:
    """Say whether a delivery is one that stands for a closing of which GitHub never told."""
    return guid.startswith(_GUID)


def holes(
    closed: Sequence[ClosedIssue], since: datetime, until: datetime, recorded: Mapping[int, datetime], own_id: int
) -> list[ClosedIssue]:
    """Return the closings between two moments that are not recorded, the oldest first.

    What was closed before is not looked for, though it may have changed since. Pull requests and what the App opened
    itself are never recorded.
    """
    missing = [
        one
        for one in closed
        if since <= one.closed_at <= until
        and not one.is_pull_request
        and (one.author or {}).get("id") != own_id
        and (one.number not in recorded or recorded[one.number] < one.closed_at)
    ]
    return sorted(missing, key=lambda one: (one.closed_at, one.number))


async def ask_for_closings(services: Services, delay_seconds: float) -> None:
    """Ask for the closed issues of every repository that gathers to be compared."""
    async with services.database.sessions.begin() as session:
        ids = await watched(session, services.clock.now())
    for position, repository_id in enumerate(ids):
        await defer_closings(repository_id, delay_seconds + position * _APART_SECONDS)


async def compare_closings(services: Services, repository_id: int) -> int:
    """Compare the closed issues of one repository with its records and return how many closings were missed.

    Where GitHub does not give the list it is asked for the next time; nobody waits for it.
    """
    async with services.database.sessions() as session:
        repository = await session.get(Repository, repository_id)
        seen = await session.get(ClosingsSeen, repository_id)
    if repository is None or seen is None or not gathers(repository):
        return 0
    bound = log.bind(repository=repository.full_name)
    try:
        listed = await _read(services, repository, seen)
    except RateLimited as error:
        bound.info("closed issues not compared: GitHub's limit, or our share of it, is used up", error=str(error))
        await defer_closings(repository_id, max(1.0, (error.retry_at - services.clock.now()).total_seconds()))
        return 0
    except GitHubError as error:
        bound.warning("closed issues not compared", error=str(error))
        return 0
    if listed is None:
        return 0
    now = services.clock.now()
    missing = await _missing(services, repository, seen, listed, now - YOUNG)
    await _store(services, missing)
    for one in missing:
        MISSED.labels(outcome="closing_found").inc()
        bound.warning("a closing was missed and is recorded now", number=one.number, delivery=one.guid)
    await _note(services, seen, listed, now)
    return len(missing)


async def _read(services: Services, repository: Repository, seen: ClosingsSeen) -> ClosedList | None:
    installation_id = repository.installation_id or 0
    allow = partial(services.background_client(installation_id).book, "core", 1)
    seen_until = seen.newest_at if seen.all_seen else None
    return await read_closed(services.client(installation_id), repository.id, seen.since, seen.etag, seen_until, allow)


async def _missing(
    services: Services, repository: Repository, seen: ClosingsSeen, listed: ClosedList, until: datetime
) -> list[Arrival]:
    """Return as events the closings that are not recorded and of which none is on its way."""
    own_id, slug = await services.github.bot_user_id(), await services.github.slug()
    async with services.database.sessions() as session:
        recorded = await closings_recorded(session, repository.id, {one.number for one in listed.rows})
        found = holes(listed.rows, seen.since, until, recorded, own_id)
        units = await units_waiting(session, {issue_unit(repository.id, one.number) for one in found})
        known = await known_deliveries(session, {closing_guid(repository.id, one) for one in found})
    events = [_event(repository, one, own_id, slug) for one in found if one.number != repository.inbox_number]
    return [one for one in events if one is not None and one.unit not in units and one.guid not in known]


def _event(repository: Repository, issue: ClosedIssue, own_id: int, slug: str) -> Arrival | None:
    """Return the event that GitHub should have sent, as far as anybody reads it."""
    payload = {
        "action": "closed",
        "issue": {
            "id": issue.id,
            "number": issue.number,
            "user": issue.author,
            "state": "closed",
            "updated_at": issue.updated_at.isoformat(),
        },
        "repository": {"id": repository.id, "full_name": repository.full_name, "private": repository.private},
        "installation": {"id": repository.installation_id},
    }
    return arrival(closing_guid(repository.id, issue), "issues", payload, bot_id=own_id, slug=slug)


async def _store(services: Services, events: Collection[Arrival]) -> None:
    """Store events with their jobs, as if they had been received."""
    if not events:
        return
    ingest = Ingest(services.pool, services.settings.settle_seconds)
    storing = asyncio.create_task(ingest.run())
    try:
        await asyncio.gather(*(ingest.store(one) for one in events))
    finally:
        storing.cancel()
        await asyncio.gather(storing, return_exceptions=True)


async def _note(services: Services, seen: ClosingsSeen, listed: ClosedList, now: datetime) -> None:
    """Note up to where the list was seen; as long as that moves on, its ETag names another list than the next one."""
    newest = max((one.updated_at for one in listed.rows), default=seen.newest_at)
    since = seen.since if newest is None else max(seen.since, newest - OVERLAP)
    all_seen = all(one.closed_at <= now - YOUNG for one in listed.rows)
    etag = listed.etag if all_seen and since == seen.since else None
    values = {"since": since, "newest_at": newest, "etag": etag, "all_seen": all_seen, "looked_at": now}
    async with services.database.sessions.begin() as session:
        await set_seen(session, seen, values)
