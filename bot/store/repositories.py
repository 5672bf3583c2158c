"""Installations and repositories as every payload shows them: known by id, renamed and moved without loss."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, select

from bot.frameworks import known_framework
from bot.store.tables import Installation, Repository

MOST_CHOSEN = 5
"""Repositories of an installation up to which each is meant; more count as all (product.md, "Who takes part")."""


async def see_installation(session: AsyncSession, facts: Mapping[str, Any], now: datetime) -> Installation:
    """Insert or update an installation from a payload's `installation` object, of which only `id` is certain."""
    new = Installation(id=facts["id"], created_at=now)
    await session.execute(insert(Installation).values(**new.model_dump()).on_conflict_do_nothing())
    installation = await session.get_one(Installation, facts["id"])
    account = facts.get("account") or {}
    installation.account_id = account.get("id", installation.account_id)
    installation.account_login = account.get("login", installation.account_login)
    installation.account_type = account.get("type", installation.account_type)
    installation.repository_selection = facts.get("repository_selection", installation.repository_selection)
    return installation


async def see_repository(
    session: AsyncSession,
    facts: Mapping[str, Any],
    installation: Installation | None,
    now: datetime,
    observe_days: float,
    *,
    crowded: bool,
) -> Repository:
    """Insert or update a repository from a payload's `repository` object, as it was at `now`.

    A payload is a snapshot, and one that waited may be older than what is stored: then it changes no name and no flag.

    A new one observes for `observe_days`; a fork, or one of an installation on all repositories of an owner or on
    more than a few (`crowded`), is silent until its owner or the operator asks for more (product.md, "Who takes
    part"). The frameworks of the study get their paradigm and are listed for the comparison.
    """
    name = facts["full_name"]
    known = known_framework(name, facts["id"])
    new = Repository(
        id=facts["id"],
        full_name=name,
        state="removed",
        paradigm=known.paradigm if known else None,
        domain=known.domain if known else None,
        in_comparison=known is not None,
        created_at=now,
        updated_at=now,
    )
    await session.execute(insert(Repository).values(**new.model_dump()).on_conflict_do_nothing())
    repository = await session.get_one(Repository, facts["id"])
    if now >= repository.updated_at:
        repository.full_name = name
        repository.private = facts.get("private", repository.private) is True
        repository.archived = facts.get("archived", repository.archived) is True
        known_as_fork, repository.fork = repository.fork, facts.get("fork", repository.fork) is True
        if repository.fork and not known_as_fork and repository.state in {"observe", "active"}:
            repository.state = "silent"  # the events of installations do not say what is a fork
        repository.updated_at = now
    if installation is not None:
        repository.installation_id = installation.id
        if repository.state == "removed":
            if repository.fork or crowded or installation.repository_selection == "all":
                repository.state = "silent"
            else:
                repository.state = "observe" if observe_days > 0 else "active"
                repository.observe_until = now + timedelta(days=observe_days)
    return repository


async def is_crowded(session: AsyncSession, installation_id: int, coming: Collection[int]) -> bool:
    """Say whether an installation covers more than `MOST_CHOSEN` repositories with those that are just coming."""
    others = select(func.count()).where(
        Repository.installation_id == installation_id,
        Repository.state != "removed",
        col(Repository.id).not_in(coming),
    )
    return (await session.execute(others)).scalar_one() + len(coming) > MOST_CHOSEN


def gathers(repository: Repository) -> bool:
    """Say whether evidence about this repository's issues may be gathered at all."""
    return repository.state in {"observe", "active"} and repository.installation_id is not None


def writes(repository: Repository, now: datetime) -> bool:
    """Say whether anything may be written to this repository; one that observes begins when its days are over."""
    if repository.archived or not gathers(repository):
        return False
    return repository.state == "active" or (repository.observe_until is not None and repository.observe_until <= now)


async def gathers_still(session: AsyncSession, repository_id: int) -> bool:
    """Say the same of a repository as it is now, and keep it from being left until the transaction ends."""
    repository = await session.get(Repository, repository_id, with_for_update={"read": True})
    return repository is not None and gathers(repository)


async def set_inbox_closed(session: AsyncSession, repository_id: int, closed: bool) -> None:
    """Note that the inbox was closed or reopened, which only people do."""
    (await session.get_one(Repository, repository_id)).inbox_closed = closed


async def lose_inbox(session: AsyncSession, repository_id: int) -> None:
    """Note that the inbox is gone: none is made in its place."""
    repository = await session.get_one(Repository, repository_id)
    repository.inbox_number, repository.inbox_issue_id, repository.inbox_closed = None, None, True
