"""`rootcause recheck`: a worker gathers an issue and predicts again, and the command waits for what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from bot.clock import Clock
from bot.jobs import defer_recheck
from bot.settings import Settings
from bot.store.database import Database
from bot.store.jobs import find_job, jobs_of
from bot.store.proposals import newest_proposals
from bot.store.records import find_record
from bot.store.repositories import gathers
from bot.upkeep.opening import FailedError, UpkeepError, named_issue, open_store
from bot.upkeep.queue import open_queue

PATIENCE = timedelta(seconds=30)
"""How long the command waits for a worker; the job itself waits for as long as it takes."""

_LOOK_SECONDS = 0.3


@dataclass(frozen=True)
class Rechecked:
    """What came of it: `waits` where no worker has done it yet; the record's state and its newest prediction."""

    issue: str
    outcome: Literal["done", "waits"]
    state: str | None = None
    category: str | None = None
    probability: float | None = None
    proposed: bool | None = None


async def recheck(settings: Settings, clock: Clock, reference: str) -> Rechecked:
    """Ask for an issue to be gathered again and wait for it, for a while.

    Raises `UpkeepError` for an issue that cannot be, `FailedError` where the job failed, `DatabaseUnavailable`.
    """
    async with open_store(settings) as store:
        async with store.sessions() as session:
            repository, number, unit = await named_issue(session, reference)
        issue = f"{repository.full_name}#{number}"
        if not gathers(repository):
            raise UpkeepError(f"Nothing is gathered in {repository.full_name}: it is {repository.state}.")
        async with open_queue(store):
            await defer_recheck(unit, repository.id, number)
        if not await _is_done(store, clock, unit, issue):
            return Rechecked(issue, "waits")
        async with store.sessions() as session:
            record = await find_record(session, repository.id, number)
            if record is None:
                raise UpkeepError(
                    f"{issue} was looked at and is not recorded: it is open, gone, a pull request, or the App's own."
                )
            proposal = (await newest_proposals(session, [record.issue_id])).get(record.issue_id)
    if proposal is None:
        return Rechecked(issue, "done", record.state)
    return Rechecked(issue, "done", record.state, proposal.category, proposal.probability, proposal.proposed)


async def _is_done(store: Database, clock: Clock, unit: str, issue: str) -> bool:
    """Wait until the job is done; return False where it is not after a while."""
    until = clock.now() + PATIENCE
    async with store.sessions() as session:
        asked = [one for one in await jobs_of(session, [unit]) if one.task == "recheck_issue" and one.state != "failed"]
    while asked:
        async with store.sessions() as session:
            job = await find_job(session, asked[-1].id)
        if job is None:
            break
        if job.state == "failed":
            raise FailedError(f"{issue} could not be gathered: {job.why}.")
        if clock.now() >= until:
            return False
        await clock.sleep(_LOOK_SECONDS)
    return True
