"""What waited while the App was suspended goes on.

Purpose: a suspension loses nothing. Trigger: an account ends its suspension. Effects: deliveries, histories and jobs of
the installation that were put off are due at once; while it lasts they are tried again every hour.
"""

from __future__ import annotations

from sqlmodel import col, select, update

from bot.jobs import defer_backfill, defer_inbox, defer_process
from bot.queue import NOW_PRIORITY
from bot.services import Services
from bot.store.repositories import gathers
from bot.store.tables import Backfill, Delivery, Repository

PUT_OFF = "the account suspended the App"
"""Why a delivery waits."""


async def go_on(services: Services, installation_id: int) -> None:
    """Let everything of an installation that was put off be done now."""
    now = services.clock.now()
    waiting = (
        col(Delivery.installation_id) == installation_id,
        col(Delivery.state) == "waiting",
        col(Delivery.error) == PUT_OFF,
    )
    async with services.database.sessions.begin() as session:
        put_off = update(Delivery).where(*waiting).values(not_before=now).returning(col(Delivery.unit))
        units = sorted(set((await session.execute(put_off)).scalars()))
        covered = select(Repository).where(Repository.installation_id == installation_id)
        repositories = [one.id for one in (await session.execute(covered)).scalars() if gathers(one)]
        histories = (col(Backfill.repository_id).in_(repositories), col(Backfill.state) == "going_on")
        await session.execute(update(Backfill).where(*histories, col(Backfill.by_job)).values(not_before=None))
    for unit in units:
        await defer_process(unit, priority=NOW_PRIORITY)
    for repository_id in repositories:
        await defer_inbox(repository_id, services.settings.inbox_delay_seconds)
    await defer_backfill()
