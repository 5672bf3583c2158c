"""The one time that all replicas go by: the database's, whatever their own clocks say."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, DateTime, func, literal
from sqlalchemy.ext.asyncio import AsyncSession

from bot.clock import Clock, SystemClock


def turned(clock: Clock) -> datetime | None:
    """Return the moment of a clock that is turned by hand, which counts instead; None of a machine's clock."""
    return None if isinstance(clock, SystemClock) else clock.now()


def shared_now(clock: Clock) -> ColumnElement[datetime]:
    """Return the shared moment as an expression of a statement."""
    moment = turned(clock)
    return func.statement_timestamp() if moment is None else literal(moment, DateTime(timezone=True))


async def in_one_trip(session: AsyncSession) -> None:
    """Let a session's one statement be a transaction of its own, without round trips for its begin and its end."""
    await session.connection(execution_options={"isolation_level": "AUTOCOMMIT"})
