"""An issue is gathered and predicted again because the operator asks for it.

Purpose: what GitHub knows better by now, or a newer model, counts without a comment in the issue. Trigger: `rootcause
recheck`. Effects: as of the command `/rootcause recheck`: evidence, record and prediction are made anew, what people
decided stays, and the inbox follows.
"""

from __future__ import annotations

import structlog

from bot.features.collect import collect
from bot.services import Services
from bot.store.repositories import gathers
from bot.store.tables import Repository

log = structlog.get_logger(__name__)


async def recheck(services: Services, repository_id: int, number: int) -> None:
    """Gather and predict again; nothing where the App left the repository meanwhile."""
    async with services.database.sessions() as session:
        repository = await session.get(Repository, repository_id)
    if repository is None or not gathers(repository):
        log.info("nothing checked again: nothing is gathered there any more", repository_id=repository_id)
        return
    await collect(services, repository, number)
