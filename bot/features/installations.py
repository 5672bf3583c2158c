"""Where the App was installed, and where it was taken away.

Purpose: nothing is gathered or written where the App is not wanted. Trigger: events of installations, and of
repositories that are deleted. Effects: installations and repositories are stored with their state; the history of
those that gather is read; what was kept only for predictions is deleted where the App left.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import case
from sqlmodel import col, delete, select, update

from bot.features.backfill import begin_after_installation
from bot.features.event import Payload
from bot.features.suspension import go_on
from bot.github.errors import NotFound, Transient
from bot.services import Services
from bot.store.repositories import is_crowded, see_gone, see_installation, see_repositories
from bot.store.tables import EvidenceText, LaterComments, Repository

log = structlog.get_logger(__name__)

ASKED_SINGLY = 5
"""Repositories up to which GitHub is asked about each; of more it lists all of the installation, a hundred a page."""

IN_DOUBT = timedelta(minutes=5)
"""How long GitHub's answer may lag behind its own event; a longer contradiction means that the event is an old one."""

Facts = Mapping[str, Any]


async def on_installation(services: Services, payload: Payload, received_at: datetime) -> str | None:
    """Follow an installation: its state, and the repositories that were added to it or taken away.

    Events come twice and in any order. Where one would take away a repository that is covered, or bring back one that
    is known already, GitHub is asked which it is now. Returns why the event is ignored, if so.
    """
    facts, is_end = payload["installation"], payload["action"] == "deleted"
    chosen = [*(payload.get("repositories") or []), *(payload.get("repositories_added") or [])]
    gone = payload.get("repositories_removed") or []
    async with services.database.sessions.begin() as session:
        installation = await see_installation(session, facts, received_at)
        was_removed = installation.state == "removed"
        if is_end:
            installation.state, installation.removed_at = "removed", installation.removed_at or services.clock.now()
    if was_removed:
        return None if is_end else "the App was taken away from this account since then"
    if is_end:
        await leave(services, await _covered(services, facts["id"]))
        return None
    if payload["action"] == "unsuspend":
        await go_on(services, facts["id"])
    coming, leaving = await _true_now(services, facts["id"], chosen, gone, received_at)
    await _come(services, facts, coming, received_at)
    await leave(services, leaving)
    async with services.database.sessions.begin() as session:
        await see_gone(session, gone, received_at)
    await begin_after_installation(services, [one["id"] for one in coming])
    return None


async def leave(services: Services, repository_ids: Sequence[int]) -> None:
    """Stop gathering and writing there, and delete the texts that were kept for predictions.

    Nobody names them any more; those that shared nothing go on sharing nothing. The people in their records are
    forgotten later, so that the App may come back.
    """
    if not repository_ids:
        return
    share = case((col(Repository.share) == "off", "off"), else_="group")
    values = {
        "state": "removed",
        "left_installation_id": Repository.installation_id,
        "installation_id": None,
        "left_at": services.clock.now(),
        "share": share,
    }
    async with services.database.sessions.begin() as session:
        still = col(Repository.id).in_(repository_ids) & col(Repository.installation_id).is_not(None)
        await session.execute(update(Repository).where(still).values(**values))
        for texts in (EvidenceText, LaterComments):
            await session.execute(delete(texts).where(col(texts.repository_id).in_(repository_ids)))
    log.info("repositories left", repositories=len(repository_ids))


async def _come(services: Services, facts: Facts, coming: Sequence[Facts], received_at: datetime) -> None:
    """Store what is covered from now on."""
    async with services.database.sessions.begin() as session:
        installation = await see_installation(session, {"id": facts["id"]}, received_at)
        crowded = await is_crowded(session, installation.id, [one["id"] for one in coming])
        days = services.settings.observe_days
        await see_repositories(session, coming, installation, received_at, days, crowded=crowded)


async def _covered(services: Services, installation_id: int) -> list[int]:
    async with services.database.sessions() as session:
        covered = select(Repository.id).where(Repository.installation_id == installation_id)
        return list((await session.execute(covered)).scalars())


async def _true_now(
    services: Services, installation_id: int, chosen: Sequence[Facts], gone: Sequence[Facts], received_at: datetime
) -> tuple[list[Facts], list[int]]:
    """Return which of the repositories are covered by the installation, and the ids of those that are no more.

    Raises `Transient` while GitHub may only be late to know.
    """
    ids = [one["id"] for one in (*chosen, *gone)]
    async with services.database.sessions() as session:
        known = select(Repository.id, Repository.installation_id).where(col(Repository.id).in_(ids))
        where: dict[int, int | None] = {row.id: row.installation_id for row in await session.execute(known)}
    back = [one for one in chosen if one["id"] in where and where[one["id"]] != installation_id]
    away = [one for one in gone if where.get(one["id"]) == installation_id]
    in_doubt = [*back, *away]
    if not in_doubt:
        return list(chosen), []
    covered = await _ask(services, installation_id, in_doubt)
    wrong = {one["id"] for one in back if one["id"] not in covered} | {one["id"] for one in away} & covered
    if wrong and services.clock.now() - received_at < IN_DOUBT:
        raise Transient(f"GitHub does not say yet what the event says of {len(wrong)} repositories")
    if wrong:
        log.info("an old event of an installation", installation_id=installation_id, repositories=sorted(wrong))
    return [one for one in chosen if one["id"] not in wrong], [one["id"] for one in away if one["id"] not in wrong]


async def _ask(services: Services, installation_id: int, repositories: Collection[Facts]) -> set[int]:
    """Return the ids of those that GitHub says the installation covers now."""
    if len(repositories) > ASKED_SINGLY:
        listed = await services.client(installation_id).get_all("/installation/repositories")
        return {one["id"] for one in listed} & {one["id"] for one in repositories}
    covered = set()
    for one in repositories:
        try:
            found = await services.github.app_get(f"/repos/{one['full_name']}/installation")
        except NotFound:
            continue
        if found["id"] == installation_id:
            covered.add(one["id"])
    return covered
