"""Installations and repositories as every payload shows them: known by id, renamed and moved without loss."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bot.frameworks import known_framework
from bot.store.tables import Installation, Repository


async def see_installation(session: AsyncSession, facts: Mapping[str, Any], now: datetime) -> Installation:
    """Insert or update an installation from a payload's `installation` object, of which only `id` is certain."""
    installation = await session.get(Installation, facts["id"])
    if installation is None:
        installation = Installation(id=facts["id"], created_at=now)
        session.add(installation)
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
) -> Repository:
    """Insert or update a repository from a payload's `repository` object.

    A new one observes for `observe_days`; a fork, or one of an installation on all repositories of an owner, is
    silent until its owner or the operator asks for more (product.md, "Who takes part"). The frameworks of the study
    get their paradigm and are listed for the comparison.
    """
    repository = await session.get(Repository, facts["id"])
    name = facts["full_name"]
    if repository is None:
        known = known_framework(name)
        repository = Repository(
            id=facts["id"],
            full_name=name,
            state="removed",
            paradigm=known.paradigm if known else None,
            domain=known.domain if known else None,
            in_comparison=known is not None,
            created_at=now,
            updated_at=now,
        )
        session.add(repository)
    repository.full_name = name
    repository.private = bool(facts.get("private", repository.private))
    repository.archived = bool(facts.get("archived", repository.archived))
    repository.fork = bool(facts.get("fork", repository.fork))
    repository.updated_at = now
    if installation is not None:
        repository.installation_id = installation.id
        if repository.state == "removed":
            _begin(repository, installation, now, observe_days)
    return repository


def _begin(repository: Repository, installation: Installation, now: datetime, observe_days: float) -> None:
    if repository.fork or installation.repository_selection == "all":
        repository.state = "silent"
    else:
        repository.state = "observe" if observe_days > 0 else "active"
        repository.observe_until = now + timedelta(days=observe_days)


def gathers(repository: Repository) -> bool:
    """Say whether evidence about this repository's issues may be gathered at all."""
    return repository.state in {"observe", "active"} and repository.installation_id is not None


def writes(repository: Repository, now: datetime) -> bool:
    """Say whether anything may be written to this repository; one that observes begins when its days are over."""
    if repository.archived or not gathers(repository):
        return False
    return repository.state == "active" or (repository.observe_until is not None and repository.observe_until <= now)
