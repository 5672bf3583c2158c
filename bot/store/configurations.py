"""The configuration files as they were last read, and what holds for a repository by them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.config import DEFAULTS, Configuration
from bot.config.merging import merged
from bot.store.tables import ConfigurationFile, Repository

Scope = Literal["repository", "owner"]


async def configuration_of(session: AsyncSession, repository_id: int) -> Configuration:
    """Return what holds for a repository: its own file above its owner's defaults, as they were last read."""
    repository = await session.get(Repository, repository_id)
    if repository is None:
        return DEFAULTS
    own = await configuration_file(session, "repository", repository_id)
    owner = await configuration_file(session, "owner", repository.installation_id or 0)
    return combined(owner, own)


def combined(owner: ConfigurationFile | None, own: ConfigurationFile | None) -> Configuration:
    """Return the one configuration that two files make; None stands for a file that was never read."""
    documents: list[Mapping[str, Any]] = [one.document if one is not None else {} for one in (owner, own)]
    return Configuration.of(merged(*documents))


async def configuration_file(session: AsyncSession, scope: Scope, key: int) -> ConfigurationFile | None:
    """Return a file as it was last read, None where it never was."""
    return await session.get(ConfigurationFile, (scope, key))


async def save_configuration_file(session: AsyncSession, scope: Scope, key: int, values: Mapping[str, Any]) -> None:
    """Insert or update a file as it was just read; what `values` does not name stays as it is."""
    new = {"scope": scope, "id": key, "found": False, "woke": False, **values}
    statement = insert(ConfigurationFile).values(new)
    keys = [col(ConfigurationFile.scope), col(ConfigurationFile.id)]
    await session.execute(statement.on_conflict_do_update(index_elements=keys, set_=dict(values)))


async def note_issue(session: AsyncSession, repository_id: int, values: Mapping[str, Any]) -> None:
    """Note how the issue about a repository's own file was left."""
    file = await session.get_one(ConfigurationFile, ("repository", repository_id))
    for name, value in values.items():
        setattr(file, name, value)


async def repositories_with_mistakes(session: AsyncSession) -> list[int]:
    """Return the ids of the repositories whose own file has mistakes, or had and still shows them."""
    wanted = select(ConfigurationFile.id).where(
        ConfigurationFile.scope == "repository",
        (col(ConfigurationFile.mistakes) != []) | (col(ConfigurationFile.issue_state) == "open"),
    )
    return list((await session.execute(wanted.order_by(col(ConfigurationFile.id)))).scalars())
