"""Fixes that GitHub links only after an issue was recorded.

Purpose: an issue counts as fixed also where the link to its fix appears, or the fix lands, an hour or days after the
closing. Trigger: a closed issue was recorded without a fix that landed; one job an installation looks again an hour, a
day and a week after the closing. Effects: where the fix is another one now, the record is read anew, as at the closing:
what counts is what happened up to it. Nothing is written to GitHub.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby

import structlog
from apscheduler.triggers.cron import CronTrigger
from sqlmodel import col, select

from bot.config.rules import eligibility_rules
from bot.evidence.model import Evidence
from bot.evidence.participants import with_first_standing
from bot.features.collect import keep, read
from bot.features.registration import Entry, Times
from bot.github.errors import GitHubError, RateLimited, Transient
from bot.github.gather_page import read_numbers
from bot.github.linking import ManualFix
from bot.github.page_size import FIRST_SIZE
from bot.github.thrifty import ThriftyClient
from bot.jobs import defer_inbox, defer_links, defer_people
from bot.services import Services
from bot.store.configurations import configuration_of
from bot.store.decisions import settle_record
from bot.store.late_links import await_links, due_links, forget_links, next_due
from bot.store.records import first_standings, lock_records
from bot.store.repositories import gathers, gathers_still
from bot.store.statements import fixes_by_number, standing_fixes
from bot.store.tables import AwaitedLink, Record, Repository
from bot.store.training import tendency_of

log = structlog.get_logger(__name__)

LINKS_MINUTE = 20
"""Of every hour, at which late links are asked for that no job is on its way for."""

TOGETHER = timedelta(minutes=10)
"""What is due within so much time is looked at in one go, since many issues in one query cost what few do."""


async def ask_for_links(services: Services, installation_id: int | None = None) -> None:
    """Ask for a job where links are awaited, in one installation or in all; asking twice is harmless."""
    async with services.database.sessions() as session:
        due = await next_due(session)
    for one, moment in sorted(due.items()):
        if installation_id in (None, one):
            await defer_links(one, max(0.0, (moment - services.clock.now()).total_seconds()))


async def look_again(services: Services, installation_id: int) -> None:
    """Look at what is due, many issues in a query, with the share of GitHub's limits that background reading has.

    Each batch is stored as it comes, so that a limit, or a process that ends, loses nothing. Raises the client's
    errors, so that the job is tried again.
    """
    client = services.background_client(installation_id)
    async with services.database.sessions() as session:
        due = await due_links(session, installation_id, services.clock.now() + TOGETHER)
    for repository_id, rows in groupby(due, key=lambda row: row.repository_id):
        async with services.database.sessions() as session:
            repository = await session.get(Repository, repository_id)
        awaited = list(rows)
        for first in range(0, len(awaited), FIRST_SIZE):
            await _look(services, client, repository, awaited[first : first + FIRST_SIZE])
    await ask_for_links(services, installation_id)


async def _look(
    services: Services, client: ThriftyClient, repository: Repository | None, awaited: Sequence[AwaitedLink]
) -> None:
    """Look at some issues of one repository, and put those off that show nothing; where the App left, forget them."""
    issue_ids = [row.issue_id for row in awaited]
    if repository is None or not gathers(repository):
        async with services.database.sessions.begin() as session:
            await forget_links(session, issue_ids)
        return
    async with services.database.sessions() as session:
        fixes = await fixes_by_number(session, repository.id)
        recorded = await session.execute(select(Record).where(col(Record.issue_id).in_(issue_ids)))
        known = {one.issue_id: _known_fix(one) for one in recorded.scalars()}
        configuration = await configuration_of(session, repository.id)
        standings = await first_standings(session, issue_ids)
    bots = services.bots(configuration)
    evidence = await _read(services, client, repository, [row.number for row in awaited], bots, fixes)
    evidence = [with_first_standing(one, standings.get(one.issue_id, {})) for one in evidence]
    changed = [one for one in evidence if known.get(one.issue_id, _fix(one)) != _fix(one)]
    slug, rules = await services.github.slug(), eligibility_rules(configuration)
    tendency = await tendency_of(services.database, repository.id)
    readings = [await asyncio.to_thread(read, one, rules, services.classifier, slug, tendency) for one in changed]
    now, found = services.clock.now(), 0
    async with services.database.sessions.begin() as session:
        if not await gathers_still(session, repository.id):
            return
        records, named = await lock_records(session, issue_ids), await standing_fixes(session, issue_ids)
        for one, reading in zip(changed, readings, strict=True):
            record = records.get(one.issue_id)
            # Reopened, closed again or told by a person meanwhile: then it is, or will be, gathered for that reason.
            if record is None or record.is_open or record.closed_at != one.closed_at:
                continue
            if named.get(record.issue_id) == fixes.get(record.number):
                record, _ = await keep(session, one, reading, now, backfilled=record.backfilled)
                await settle_record(session, record)
                found += 1
        await await_links(session, records.values(), now + TOGETHER)
    log.info("late links looked for", repository=repository.full_name, issues=len(awaited), found=found)
    if found:
        await defer_inbox(repository.id, services.settings.inbox_delay_seconds)
        await defer_people(repository.installation_id or 0, services.settings.people_delay_seconds)


async def _read(
    services: Services,
    client: ThriftyClient,
    repository: Repository,
    numbers: Sequence[int],
    bots: frozenset[str],
    fixes: Mapping[int, ManualFix],
) -> list[Evidence]:
    """Read these issues; none where GitHub refuses for good, which must not keep other repositories waiting."""
    try:
        page = await read_numbers(client, services.clock, repository.full_name, numbers, bots, fixes)
    except (Transient, RateLimited):
        raise
    except GitHubError as error:
        log.warning("late links not readable", repository=repository.full_name, error=str(error))
        return []
    return [one for one in page.evidence if one.repository_id == repository.id and one.closed_at is not None]


def _fix(evidence: Evidence) -> tuple[str | None, datetime | None]:
    return evidence.fix_link, evidence.fix.merged_at if evidence.fix is not None else None


def _known_fix(record: Record) -> tuple[str | None, datetime | None]:
    return record.fix_link, record.fix_merged_at


TIMES: Times = (Entry("late links", ask_for_links, CronTrigger(minute=LINKS_MINUTE, timezone=UTC)),)
"""Besides, they have a job of their own as soon as one is awaited, unless it was given up."""
