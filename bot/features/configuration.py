"""The repository's own settings are heeded, and what is wrong in them is shown in one issue.

Purpose: maintainers set the App up by a file, and learn of a mistake in it. Trigger: before a closing is gathered, an
inbox is brought up to date or a report is built, and at events of a repository that is silent; each file is read at
most every few minutes, by its ETag. Effects: what was read is stored, the newest version without mistakes counts, and
the repository's state, paradigm, domain and share follow it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import func, select

from bot.config import DEFAULTS, FILE, OTHER_NAME, OWNERS_REPOSITORY, BadConfiguration, Configuration, Mistake, read
from bot.config.effects import Circumstances, Standing, settled
from bot.frameworks import known_framework
from bot.github.client import GitHubClient
from bot.github.contents import File, Missing, read_file
from bot.github.errors import Forbidden, GitHubError
from bot.jobs import defer_inbox
from bot.services import Services
from bot.store.configurations import Scope, combined, configuration_file, save_configuration_file
from bot.store.tables import ConfigurationFile, Repository

log = structlog.get_logger(__name__)

READ_EVERY = timedelta(minutes=10)
"""How old the reading of a repository's own file may be; GitHub tells of no push to an App with so few rights."""

READ_SILENT_EVERY = timedelta(minutes=30)
"""The same of a silent repository, of which an owner may have hundreds: a file that is not there costs a request."""

READ_OWNERS_EVERY = timedelta(hours=1)
"""The same of an owner's defaults."""


async def heed(services: Services, repository_id: int) -> Configuration:
    """Return what holds for a repository, its files being read again where that is due, and follow it.

    Where GitHub does not give a file what was read last still holds.
    """
    async with services.database.sessions() as session:
        repository = await session.get(Repository, repository_id)
        if repository is None or repository.installation_id is None:
            return DEFAULTS
        key = repository.installation_id
        own = await configuration_file(session, "repository", repository_id)
        owner = await configuration_file(session, "owner", key)
    owner_name = repository.full_name.partition("/")[0]
    every = READ_SILENT_EVERY if repository.state == "silent" else READ_EVERY
    found = await _read_where_due(services, "repository", repository_id, key, repository.full_name, own, every)
    if found or repository.state != "silent":
        home = f"{owner_name}/{OWNERS_REPOSITORY}"
        await _read_where_due(services, "owner", key, key, home, owner, READ_OWNERS_EVERY)
    return await _follow(services, repository_id, combined(owner, own))


async def _read_where_due(
    services: Services,
    scope: Scope,
    key: int,
    installation_id: int,
    repository: str,
    known: ConfigurationFile | None,
    every: timedelta,
) -> bool:
    """Read a file again where it was not read lately, store what it says, and tell whether it is there."""
    now, was_found = services.clock.now(), known is not None and known.found
    if known is not None and known.checked_at + every > now:
        return was_found
    bound = log.bind(scope=scope, repository=repository)
    found: File | Missing | None = None
    try:
        client = services.client(installation_id)
        found = await read_by_either_name(client, repository, known.etag if known else None)
    except Forbidden as error:
        bound.warning("configuration may not be read", error=str(error))
    except GitHubError as error:
        bound.warning("configuration not read", error=str(error))
        return was_found
    values: dict[str, Any] = {"checked_at": now}
    if found is not None:
        values |= await asyncio.to_thread(_understood, found)
        places = [f"{line}:{column}" for line, column, _ in values["mistakes"]]
        bound.info("configuration read", found=values["found"], sha=values["sha"], mistakes=places)
    async with services.database.sessions.begin() as session:
        await save_configuration_file(session, scope, key, values)
    if scope == "owner" and values.get("mistakes"):
        await _tell_of_owners_mistakes(services, installation_id, repository)
    return was_found if found is None else isinstance(found, File)


async def read_by_either_name(client: GitHubClient, repository: str, etag: str | None) -> File | Missing | None:
    """Return a repository's own file as `read_file` does, by the other name where there is none by the first."""
    found = await read_file(client, repository, FILE, etag)
    return await read_file(client, repository, OTHER_NAME, etag) if isinstance(found, Missing) else found


async def _tell_of_owners_mistakes(services: Services, installation_id: int, home: str) -> None:
    """Ask for the issue about an owner's defaults in the repository that holds them, where the App is there too."""
    async with services.database.sessions() as session:
        wanted = select(Repository.id).where(
            Repository.installation_id == installation_id, func.lower(Repository.full_name) == home.lower()
        )
        its_id = (await session.execute(wanted)).scalars().first()
    if its_id is not None:
        await defer_inbox(its_id, services.settings.inbox_delay_seconds)


def _understood(found: File | Missing) -> Mapping[str, Any]:
    """Return what a file changes in what is stored of it."""
    if isinstance(found, Missing):
        return {"found": False, "etag": None, "sha": None, "document": {}, "mistakes": []}
    values = {"found": True, "etag": found.etag, "sha": found.sha}
    try:
        return values | {"document": _content(found).document(), "mistakes": []}
    except BadConfiguration as error:
        return values | {"mistakes": [[one.line, one.column, one.sentence] for one in error.mistakes]}


def _content(found: File) -> Configuration:
    if found.content is None:
        raise BadConfiguration([Mistake(1, 1, f"`{FILE}` is no file; put a file in the place of the folder or link")])
    return read(found.content, found.size)


async def _follow(services: Services, repository_id: int, before: Configuration) -> Configuration:
    """Let the repository's row follow what holds now in place of `before`, and return what holds."""
    async with services.database.sessions() as session:
        now = await _now(services, session, repository_id, before, lock=False)
    if now.following == now.standing:
        return now.configuration
    async with services.database.sessions.begin() as session:
        now = await _now(services, session, repository_id, before, lock=True)
        repository = await session.get_one(Repository, repository_id)
        for name, value in asdict(now.following).items():
            if name != "woke":
                setattr(repository, name, value)
        if now.own is not None:
            now.own.woke = now.following.woke
    log.info("repository follows its configuration", repository=repository.full_name, state=repository.state)
    return now.configuration


@dataclass(frozen=True)
class _Now:
    configuration: Configuration
    own: ConfigurationFile | None
    standing: Standing
    following: Standing


async def _now(
    services: Services, session: AsyncSession, repository_id: int, before: Configuration, *, lock: bool
) -> _Now:
    """Return what holds, and how the repository stands and is to stand."""
    repository = await session.get_one(Repository, repository_id, with_for_update=lock or None)
    own = await configuration_file(session, "repository", repository_id)
    after = combined(await configuration_file(session, "owner", repository.installation_id or 0), own)
    standing = Standing(
        state=repository.state,
        observe_until=repository.observe_until,
        paradigm=repository.paradigm,
        domain=repository.domain,
        share=repository.share,
        woke=own is not None and own.woke,
    )
    return _Now(after, own, standing, settled(standing, before, after, _circumstances(services, repository, own)))


def _circumstances(services: Services, repository: Repository, own: ConfigurationFile | None) -> Circumstances:
    known = known_framework(repository.full_name, repository.id)
    is_owners = repository.full_name.endswith(f"/{OWNERS_REPOSITORY}")
    return Circumstances(
        fork=repository.fork,
        in_comparison=repository.in_comparison,
        known_paradigm=known.paradigm if known else None,
        known_domain=known.domain if known else None,
        has_file=own is not None and own.found and not is_owners,
        since=repository.created_at,
        now=services.clock.now(),
        observe_days=services.settings.observe_days,
    )
