"""`rootcause inspect`: what became of a delivery, or of all of an issue, and the jobs on their way; never a payload."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.settings import Settings
from bot.store.jobs import Job, jobs_of
from bot.store.tables import Delivery, Redelivery
from bot.upkeep.opening import UpkeepError, checked_guid, named_issue, named_job, open_store, state_of


@dataclass(frozen=True)
class Seen:
    """A stored delivery without its payload."""

    guid: str
    event: str
    action: str | None
    unit: str
    state: str
    attempts: int
    error: str | None
    received_at: datetime
    not_before: datetime
    done_at: datetime | None


@dataclass(frozen=True)
class Asked:
    """How often GitHub was asked for a delivery that never arrived."""

    guid: str
    event: str
    action: str | None
    sent_at: datetime
    asked: int
    asked_at: datetime | None
    given_up_at: datetime | None


@dataclass(frozen=True)
class Inspected:
    """What is known of one delivery or job, or of all those of an issue, the oldest first."""

    deliveries: tuple[Seen, ...]
    redeliveries: tuple[Asked, ...]
    jobs: tuple[Job, ...]

    def facts(self) -> dict[str, Any]:
        """Return it as JSON has it; moments are in ISO format."""
        return {
            name: [{key: _plain(value) for key, value in row.items()} for row in rows]
            for name, rows in asdict(self).items()
        }


async def inspect(settings: Settings, what: str) -> Inspected:
    """Find a delivery by its GUID, a job by its number, or an issue's by `owner/name#12`.

    Raises `UpkeepError` where nothing is known.
    """
    async with open_store(settings) as store, store.sessions() as session:
        if what.isdecimal():
            found = Inspected((), (), (await named_job(session, what),))
        else:
            found = await (_of_issue(session, what) if "/" in what or "#" in what else _of_delivery(session, what))
        return replace(found, jobs=tuple(replace(one, state=state_of(one)) for one in found.jobs))


async def _of_issue(session: AsyncSession, reference: str) -> Inspected:
    repository, number, unit = await named_issue(session, reference)
    rows = await session.execute(select(Delivery).where(Delivery.unit == unit).order_by(col(Delivery.sequence)))
    found = Inspected(tuple(_seen(row) for row in rows.scalars()), (), await jobs_of(session, [unit]))
    if not found.deliveries and not found.jobs:
        raise UpkeepError(
            f"No delivery of {repository.full_name}#{number} is stored: none came, or they are older than 14 days. "
            f"What is recorded of it: rootcause show {repository.full_name}#{number}"
        )
    return found


async def _of_delivery(session: AsyncSession, guid: str) -> Inspected:
    guid = checked_guid(guid)
    row = await session.get(Delivery, guid)
    asked = await session.get(Redelivery, guid)
    if row is None and asked is None:
        raise UpkeepError(
            f"No delivery {guid!r} is stored: it never came, is none that Rootcause acts on, or is older than 14 days. "
            "GitHub's list stands in the App's settings under Advanced."
        )
    return Inspected(
        (_seen(row),) if row is not None else (),
        (Asked(**asked.model_dump()),) if asked is not None else (),
        await jobs_of(session, [row.unit]) if row is not None else (),
    )


def _seen(row: Delivery) -> Seen:
    return Seen(**row.model_dump(include=set(Seen.__dataclass_fields__)))


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def inspected_text(found: Inspected) -> str:
    """Write it for a person, a block each."""
    blocks = [
        [
            f"delivery {one.guid}: {one.event}.{one.action}, {one.state}",
            f"  unit      {one.unit}",
            f"  received  {_moment(one.received_at)}",
            f"  attempts  {one.attempts}",
            *([f"  due       {_moment(one.not_before)}"] if one.state == "waiting" else []),
            *([f"  ended     {_moment(one.done_at)}"] if one.done_at is not None else []),
            *([f"  reason    {one.error}"] if one.error is not None else []),
        ]
        for one in found.deliveries
    ]
    blocks += [
        [
            f"asked for again {one.guid}: {one.event}.{one.action}",
            f"  sent      {_moment(one.sent_at)}",
            f"  asked     {one.asked} times"
            + (f", last at {_moment(one.asked_at)}" if one.asked_at is not None else ""),
            *([f"  given up  {_moment(one.given_up_at)}"] if one.given_up_at is not None else []),
        ]
        for one in found.redeliveries
    ]
    blocks += [
        [
            f"job {one.id}: {one.task}, {one.state}",
            f"  unit      {one.unit}",
            f"  attempts  {one.attempts}",
            *([f"  about     {one.about}"] if one.about != one.unit else []),
            *([f"  due       {_moment(one.scheduled_at)}"] if one.state == "waiting" and one.scheduled_at else []),
            *([f"  ended     {_moment(one.failed_at)}"] if one.failed_at is not None else []),
            *([f"  reason    {one.why}"] if one.state == "failed" else []),
        ]
        for one in found.jobs
    ]
    if found.deliveries and not found.jobs:
        blocks.append(["no job waits"])
    return "\n".join(line for block in blocks for line in block)


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"
