"""Deliveries that GitHub is asked to send again, as rows: claimed by one replica at a time, and counted."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, delete, or_, select, update

from bot.store.among import among
from bot.store.pruning import KEPT
from bot.store.tables import DeliveriesLook, Delivery, Redelivery


async def claim_look(session: AsyncSession, app_id: int, now: datetime, apart: timedelta) -> bool:
    """Note that a look at the list is asked for; return False where another replica did so less than `apart` ago."""
    row = insert(DeliveriesLook).values(app_id=app_id, asked_at=now)
    asked_at = col(DeliveriesLook.asked_at)
    claimed = row.on_conflict_do_update(
        index_elements=[col(DeliveriesLook.app_id)],
        set_={"asked_at": now},
        where=or_(asked_at.is_(None), asked_at <= now - apart),
    ).returning(col(DeliveriesLook.app_id))
    return (await session.execute(claimed)).first() is not None


async def last_look(session: AsyncSession, app_id: int) -> datetime | None:
    """Return when the list was looked at last, back to where it was looked at before."""
    row = await session.get(DeliveriesLook, app_id)
    return None if row is None else row.looked_at


async def note_look(session: AsyncSession, app_id: int, began_at: datetime) -> None:
    """Note that all that GitHub had sent until then was looked at, and forget what was asked for long before."""
    row = insert(DeliveriesLook).values(app_id=app_id, looked_at=began_at)
    await session.execute(
        row.on_conflict_do_update(index_elements=[col(DeliveriesLook.app_id)], set_={"looked_at": began_at})
    )
    await session.execute(delete(Redelivery).where(col(Redelivery.sent_at) < began_at - KEPT))


async def known_deliveries(session: AsyncSession, guids: Collection[str]) -> frozenset[str]:
    """Return those of these deliveries that are stored, whatever became of them."""
    return frozenset((await session.execute(select(Delivery.guid).where(among(Delivery.guid, guids)))).scalars())


async def first_sent(session: AsyncSession, guids: Collection[str]) -> dict[str, datetime]:
    """Return when those of these deliveries that were asked for before were first sent."""
    wanted = select(Redelivery.guid, Redelivery.sent_at).where(among(Redelivery.guid, guids))
    return {row.guid: row.sent_at for row in await session.execute(wanted)}


async def locked(session: AsyncSession, guid: str, event: str, action: str | None, sent_at: datetime) -> Redelivery:
    """Return what is known of a delivery's redeliveries, locked against other replicas until the transaction ends."""
    row = {"guid": guid, "event": event, "action": action, "sent_at": sent_at, "asked": 0}
    await session.execute(insert(Redelivery).values(**row).on_conflict_do_nothing())
    return await session.get_one(Redelivery, guid, with_for_update=True, populate_existing=True)


async def not_asked(session: AsyncSession, guid: str, asked: int, asked_at: datetime | None) -> None:
    """Take back that a delivery was asked for, since GitHub refused it for a limit: it is as it was before."""
    before = update(Redelivery).where(col(Redelivery.guid) == guid).values(asked=asked, asked_at=asked_at)
    await session.execute(before)
