"""Installations and repositories as every payload shows them: known by id, renamed and moved without loss."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, select

from bot.frameworks import known_framework
from bot.store.moments import github_moment, is_older
from bot.store.tables import Installation, Repository

MOST_CHOSEN = 5
"""Repositories of an installation up to which each is meant; more count as all (product.md, "Who takes part")."""


async def see_installation(session: AsyncSession, facts: Mapping[str, Any], now: datetime) -> Installation:
    """Insert or update an installation from a payload's `installation` object, of which only `id` is certain.

    One that was removed stays so: installed again, the App has another one. A payload that is older than what is known
    changes nothing.
    """
    new = Installation(id=facts["id"], created_at=now)
    await session.execute(insert(Installation).values(**new.model_dump()).on_conflict_do_nothing())
    installation = await session.get_one(Installation, facts["id"], with_for_update=True, populate_existing=True)
    as_of = github_moment(facts.get("updated_at"))
    if installation.state == "removed" or is_older(as_of, now, installation.as_of, installation.seen_at):
        return installation
    account = facts.get("account") or {}
    installation.account_id = account.get("id", installation.account_id)
    installation.account_login = account.get("login", installation.account_login)
    installation.account_type = account.get("type", installation.account_type)
    installation.repository_selection = facts.get("repository_selection", installation.repository_selection)
    if "suspended_at" in facts:
        installation.state = "active" if facts["suspended_at"] is None else "suspended"
    if as_of is not None:
        installation.as_of, installation.seen_at = as_of, now
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
    """Do what `see_repositories` does for one, and return it."""
    return (await see_repositories(session, [facts], installation, now, observe_days, crowded=crowded))[0]


async def see_repositories(
    session: AsyncSession,
    seen: Iterable[Mapping[str, Any]],
    installation: Installation | None,
    now: datetime,
    observe_days: float,
    *,
    crowded: bool,
) -> list[Repository]:
    """Insert or update repositories, by id, from payloads' `repository` objects that came at `now`.

    A payload is a snapshot, and one that waited, or came out of order, may be older than what is stored: then it
    changes no name and no flag. The short forms in the events of installations have no time of their own, and tell
    nothing new of a repository that is there already.

    A new one observes for `observe_days`; a fork, or one of an installation on all repositories of an owner or on
    more than a few (`crowded`), is silent until its owner or the operator asks for more (product.md, "Who takes
    part"). One that comes from another installation has another owner, who is asked the same. The frameworks of the
    study get their paradigm and are listed for the comparison.
    """
    by_id = {one["id"]: one for one in seen}
    if not by_id:
        return []
    new = [_new(one, now).model_dump() for one in by_id.values()]
    await session.execute(insert(Repository).on_conflict_do_nothing(), new)
    wanted = select(Repository).where(col(Repository.id).in_(by_id)).order_by(col(Repository.id)).with_for_update()
    found = await session.execute(wanted, execution_options={"populate_existing": True})
    repositories = list(found.scalars())
    for repository in repositories:
        _follow(repository, by_id[repository.id], now)
        if installation is not None:
            _cover(repository, installation, now, observe_days, crowded=crowded)
    return repositories


def _new(facts: Mapping[str, Any], now: datetime) -> Repository:
    known = known_framework(facts["full_name"], facts["id"])
    return Repository(
        id=facts["id"],
        full_name=facts["full_name"],
        state="removed",
        paradigm=known.paradigm if known else None,
        domain=known.domain if known else None,
        in_comparison=known is not None,
        created_at=now,
        updated_at=now,
    )


def _follow(repository: Repository, facts: Mapping[str, Any], now: datetime) -> None:
    """Take over name and flags, unless what is known of them is newer."""
    as_of = github_moment(facts.get("updated_at"))
    says_more = as_of is not None or repository.as_of is None or repository.state == "removed"
    if not says_more or is_older(as_of, now, repository.as_of, repository.updated_at):
        return
    repository.full_name = facts["full_name"]
    repository.private = facts.get("private", repository.private) is True
    repository.archived = facts.get("archived", repository.archived) is True
    known_as_fork, repository.fork = repository.fork, facts.get("fork", repository.fork) is True
    if repository.fork and not known_as_fork and repository.state in {"observe", "active"}:
        repository.state = "silent"  # the events of installations do not say what is a fork
    repository.as_of = as_of or repository.as_of
    repository.updated_at = max(now, repository.updated_at)


def _cover(
    repository: Repository, installation: Installation, now: datetime, observe_days: float, *, crowded: bool
) -> None:
    if repository.installation_id not in {None, installation.id}:
        repository.state = "removed"
    repository.installation_id = installation.id
    repository.left_at, repository.left_installation_id, repository.forgotten_at = None, None, None
    if repository.state != "removed":
        return
    if repository.fork or crowded or installation.repository_selection == "all":
        repository.state = "silent"
    else:
        repository.state = "observe" if observe_days > 0 else "active"
        repository.observe_until = now + timedelta(days=observe_days)


async def see_gone(session: AsyncSession, facts: Iterable[Mapping[str, Any]], now: datetime) -> None:
    """Remember repositories that the App left before it heard of them: an event that says it came may be late."""
    for one in facts:
        gone = _new(one, now)
        gone.private, gone.left_at = one.get("private") is True, now
        await session.execute(insert(Repository).values(**gone.model_dump()).on_conflict_do_nothing())


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


def gathering() -> ColumnElement[bool]:
    """Say the same in a query."""
    return col(Repository.state).in_(("observe", "active")) & col(Repository.installation_id).is_not(None)


async def gathers_still(session: AsyncSession, repository_id: int) -> bool:
    """Say the same of a repository as it is now, and keep it from being left until the transaction ends."""
    repository = await session.get(Repository, repository_id, with_for_update={"read": True})
    return repository is not None and gathers(repository)


def writes(repository: Repository, now: datetime) -> bool:
    """Say whether anything may be written to this repository; one that observes begins when its days are over."""
    if repository.archived or not gathers(repository):
        return False
    return repository.state == "active" or (repository.observe_until is not None and repository.observe_until <= now)


async def set_inbox_closed(session: AsyncSession, repository_id: int, closed: bool) -> None:
    """Note that the inbox was closed or reopened, which only people do."""
    (await session.get_one(Repository, repository_id)).inbox_closed = closed


async def lose_inbox(session: AsyncSession, repository_id: int) -> None:
    """Note that the inbox is gone: none is made in its place."""
    repository = await session.get_one(Repository, repository_id)
    repository.inbox_number, repository.inbox_issue_id, repository.inbox_closed = None, None, True
