"""A repository that is one of very many speaks up by its file.

Purpose: an installation on all repositories of an owner does nothing until a repository asks for it. Trigger: events of
issues and comments in a silent repository. Effects: where it has a file of its own by now it is silent no longer, and
its recent history is read; otherwise nothing is gathered or written.
"""

from __future__ import annotations

from bot.features.backfill import begin_after_installation
from bot.features.configuration import heed
from bot.services import Services
from bot.store.tables import Repository


async def wake(services: Services, repository: Repository) -> Repository:
    """Return a silent repository as it is now; a fork has its parent's file, which asks for nothing."""
    if repository.state != "silent" or repository.fork or repository.installation_id is None:
        return repository
    await heed(services, repository.id)
    async with services.database.sessions() as session:
        now = await session.get_one(Repository, repository.id)
    if now.state != "silent":
        await begin_after_installation(services, [now.id])
    return now
