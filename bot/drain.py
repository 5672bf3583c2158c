"""Drains the waiting deliveries of one unit of work, in order; one that fails never stops the others.

A delivery ends as `done`, or as `ignored` where it says why nothing was to be done, waits again with back-off, or is
left as `failed` with its reason: the dead letters that a person can look at and that GitHub's "Redeliver" runs again.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import structlog
from sqlalchemy.exc import DBAPIError
from sqlmodel import col, func, or_, select, update

from bot.dispatch import handle
from bot.features.broken import CommandBroke, give_up
from bot.features.suspension import PUT_OFF
from bot.github.errors import GitHubError, RateLimited, Suspended, Transient
from bot.jobs import defer_process
from bot.log_context import delivery_bound
from bot.metrics import LATENCY, PROCESSED
from bot.queue import DATABASE_AWAY, LATER_PRIORITY
from bot.reasons import kept, name_of
from bot.services import Services
from bot.store.tables import Command, Delivery

log = structlog.get_logger(__name__)

_MOST_ATTEMPTS_TRANSIENT = 12
_MOST_ATTEMPTS_BUG = 3
_SHORTEST_WAIT = timedelta(seconds=2)
_LONGEST_WAIT = timedelta(minutes=15)


async def drain(services: Services, unit: str) -> None:
    """Handle every delivery of the unit that is due, then ask for another job where one is not due yet."""
    while (delivery := await _next_due(services, unit)) is not None:
        with delivery_bound(delivery):
            await _attempt(services, delivery)
    rest = await _next_waiting(services, unit)
    if rest is not None:
        delay = (rest - services.clock.now()).total_seconds()
        await defer_process(unit, priority=LATER_PRIORITY, delay_seconds=max(delay, 0.1))


async def _attempt(services: Services, delivery: Delivery) -> None:
    try:
        ignored = await handle(services, delivery, json.loads(delivery.payload))
    except Suspended as error:
        await _again(services, delivery, delivery.attempts, PUT_OFF, error.retry_at)
    except RateLimited as error:
        when = max(error.retry_at, services.clock.now() + _SHORTEST_WAIT)
        await _again(services, delivery, delivery.attempts, "rate limited by GitHub", when)
    except Transient as error:
        await _retry_or_fail(services, delivery, f"GitHub did not answer: {error}", _MOST_ATTEMPTS_TRANSIENT)
    except GitHubError as error:
        log.warning("delivery refused by GitHub", error=str(error))
        await _end(services, delivery, "failed", f"{type(error).__name__}: {error}")
    except DATABASE_AWAY as error:
        # Where it still is, this raises too, and the job as a whole is tried again.
        await _retry_or_fail(services, delivery, f"the database broke off: {name_of(error)}", _MOST_ATTEMPTS_TRANSIENT)
    except DBAPIError as error:
        log.exception("delivery failed in the database")
        await _retry_or_fail(services, delivery, name_of(error), _MOST_ATTEMPTS_BUG)
    except CommandBroke as error:
        log.exception("command broke", number=error.command.number)
        cause = f"{type(error.__cause__).__name__}: {error.__cause__}"
        await _retry_or_fail(services, delivery, cause, _MOST_ATTEMPTS_BUG, error.command)
    except Exception as error:  # the boundary where our own bugs end: logged, kept, the next goes on
        log.exception("delivery failed")
        await _retry_or_fail(services, delivery, f"{type(error).__name__}: {error}", _MOST_ATTEMPTS_BUG)
    else:
        await _end(services, delivery, "done" if ignored is None else "ignored", ignored)


async def _retry_or_fail(
    services: Services, delivery: Delivery, error: str, most: int, broke: Command | None = None
) -> None:
    """Let a delivery wait, or end as failed after so many attempts; where one command broke, go on without that one."""
    attempts = delivery.attempts + 1
    if attempts >= most and broke is not None:
        await give_up(services, broke, delivery.guid)
        await _again(services, delivery, 0, error, services.clock.now())
        return
    if attempts >= most:
        await _end(services, delivery, "failed", error)
        return
    wait = min(timedelta(seconds=2**attempts), _LONGEST_WAIT)
    await _again(services, delivery, attempts, error, services.clock.now() + wait)


async def _again(services: Services, delivery: Delivery, attempts: int, error: str, when: datetime) -> None:
    await _set(services, delivery, not_before=when, attempts=attempts, error=kept(error))
    PROCESSED.labels(event=delivery.event, outcome="again").inc()


async def _end(services: Services, delivery: Delivery, state: str, error: str | None) -> None:
    reason = None if error is None else kept(error)
    await _set(services, delivery, state=state, error=reason, done_at=services.clock.now())
    PROCESSED.labels(event=delivery.event, outcome=state).inc()
    took = services.clock.now() - delivery.received_at
    LATENCY.labels(event=delivery.event).observe(max(0.0, took.total_seconds()))
    why = {"reason": reason} if state == "ignored" else {}  # a failure has told its own already
    log.info("delivery ended", state=state, seconds=round(took.total_seconds(), 3), **why)


async def _set(services: Services, delivery: Delivery, **values: object) -> None:
    async with services.database.sessions.begin() as session:
        await session.execute(update(Delivery).where(col(Delivery.guid) == delivery.guid).values(**values))


async def _next_due(services: Services, unit: str) -> Delivery | None:
    async with services.database.sessions() as session:
        # A delivery is stamped by the database's clock, a retry by ours: neither may wait for the other to catch up.
        reached = or_(col(Delivery.not_before) <= services.clock.now(), col(Delivery.not_before) <= func.now())
        due = (
            select(Delivery)
            .where(Delivery.unit == unit, Delivery.state == "waiting", reached)
            .order_by(col(Delivery.sequence))
            .limit(1)
        )
        return (await session.execute(due)).scalars().first()


async def _next_waiting(services: Services, unit: str) -> datetime | None:
    async with services.database.sessions() as session:
        waiting = (
            select(Delivery.not_before)
            .where(Delivery.unit == unit, Delivery.state == "waiting")
            .order_by(col(Delivery.not_before))
            .limit(1)
        )
        return (await session.execute(waiting)).scalars().first()
