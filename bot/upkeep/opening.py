"""What every command of the operator needs: the database, the issue that is meant, and two kinds of failure."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncSession

from bot.deliveries import issue_unit
from bot.settings import Settings
from bot.show.command import NotShownError, read_reference
from bot.store.database import Database, database
from bot.store.jobs import Job, find_job
from bot.store.migrate import pending_migrations
from bot.store.tables import Repository
from bot.store.whole import find_repository
from bot.webhook_headers import GUID

_LONGEST_NUMBER = 18
_STATES = {"todo": "waiting", "doing": "running"}


class UpkeepError(Exception):
    """A person's mistake; the message says what it is and what to do."""


class FailedError(Exception):
    """What was asked for did not succeed, through no mistake in the asking; the message says why."""


@asynccontextmanager
async def open_store(settings: Settings) -> AsyncIterator[Database]:
    """Open the database; raises `DatabaseUnavailable`, and `UpkeepError` where it is not up to date."""
    async with database(settings) as store:
        if await asyncio.to_thread(pending_migrations, store.url):
            raise UpkeepError("The database is not up to date: run `rootcause db upgrade` first.")
        yield store


def checked_guid(text: str) -> str:
    """Return a delivery's GUID as it is; raises `UpkeepError` for what can be none."""
    if GUID.fullmatch(text) is None:
        raise UpkeepError(f"{text!r} is no delivery's GUID, which has letters, digits and dashes only.")
    return text


async def named_issue(session: AsyncSession, reference: str) -> tuple[Repository, int, str]:
    """Return the repository of `owner/name#12`, the number and the issue's unit; raises `UpkeepError`."""
    try:
        name, number = read_reference(reference)
    except NotShownError as error:
        raise UpkeepError(str(error)) from None
    found = await find_repository(session, name)
    if found is None:
        raise UpkeepError(f"No repository {name} is known here: install the App on it, and write it as owner/name.")
    return found, number, issue_unit(found.id, number)


async def named_job(session: AsyncSession, number: str) -> Job:
    """Return the job of this number; raises `UpkeepError` where it is not there."""
    found = await find_job(session, int(number)) if number.isdecimal() and len(number) <= _LONGEST_NUMBER else None
    if found is None:
        raise UpkeepError(
            f"No job {number} is there: it is done, or failed more than 14 days ago, or its number is another."
        )
    return found


def state_of(job: Job) -> str:
    """Return the state of a job as a delivery's is called."""
    return _STATES.get(job.state, job.state)
