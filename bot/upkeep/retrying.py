"""`rootcause retry`: deliveries and jobs that failed for good are handled again, as when GitHub redelivers them."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import col, func, select, update

from bot.jobs import defer_process
from bot.queue import NOW_PRIORITY
from bot.settings import Settings
from bot.store.among import among
from bot.store.database import Database
from bot.store.jobs import Job, let_run_again, newest_failed
from bot.store.tables import Delivery
from bot.upkeep.opening import UpkeepError, checked_guid, named_job, open_store, state_of
from bot.upkeep.queue import open_queue


@dataclass(frozen=True)
class Retried:
    """A delivery that waits again, and why it had failed."""

    guid: str
    event: str
    action: str | None
    unit: str
    error: str | None


async def retry(settings: Settings, guid: str | None, job: str | None) -> tuple[list[Retried], list[Job]]:
    """Let a delivery, a job, or without either everything that failed wait again.

    Raises what `retry_in`, `retry_jobs_in` and `open_store` raise.
    """
    guid = None if guid is None else checked_guid(guid)
    async with open_store(settings) as store, open_queue(store):
        retried = await retry_in(store, guid) if job is None else []
        return retried, await retry_jobs_in(store, job) if guid is None else []


async def retry_jobs_in(store: Database, number: str | None) -> list[Job]:
    """Let the job of this number, or every one that failed, wait again; return them as they had failed.

    Raises `UpkeepError` where that one is not there, or did not fail. Workers look for them every second.
    """
    async with store.sessions.begin() as session:
        failed = await newest_failed(session, None) if number is None else [await named_job(session, number)]
        for one in failed:
            if one.state != "failed":
                raise UpkeepError(f"Job {one.id} did not fail: it is {state_of(one)}.")
        again = await let_run_again(session, [one.id for one in failed])
    return [one for one in failed if one.id in again]


async def retry_in(store: Database, guid: str | None) -> list[Retried]:
    """Let one delivery that failed, or every one, wait for a job again; raises `UpkeepError` where that one did not.

    The queue of jobs is open.
    """
    guid = None if guid is None else checked_guid(guid)
    async with store.sessions.begin() as session:
        which = (col(Delivery.guid) == guid,) if guid is not None else (col(Delivery.state) == "failed",)
        rows = await session.execute(select(Delivery).where(*which).order_by(col(Delivery.sequence)).with_for_update())
        found = list(rows.scalars())
        if guid is not None:
            _check(guid, found[0] if found else None)
        retried = [Retried(one.guid, one.event, one.action, one.unit, one.error) for one in found]
        again = update(Delivery).where(among(Delivery.guid, [one.guid for one in found]))
        values = {"state": "waiting", "attempts": 0, "error": None, "not_before": func.now(), "done_at": None}
        await session.execute(again.values(**values).execution_options(synchronize_session=False))
    for unit in dict.fromkeys(one.unit for one in retried):
        await defer_process(unit, priority=NOW_PRIORITY)
    return retried


def _check(guid: str, found: Delivery | None) -> None:
    if found is None:
        raise UpkeepError(
            f"No delivery {guid!r} is stored, so there is nothing to retry. One that never came can be asked for: "
            "rootcause redeliver"
        )
    if found.state != "failed":
        raise UpkeepError(
            f"Delivery {guid} did not fail: it is {found.state}. To gather its issue again: "
            "rootcause recheck owner/name#12"
        )
