"""A report that the operator asks for at a terminal.

Purpose: a report now, without waiting for the month's end. Trigger: `rootcause report publish`. Effects: asks the
workers for the report; they post it, or rewrite the one that stands.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from bot.jobs import defer_report_again
from bot.queue import open_jobs
from bot.services import open_pool
from bot.settings import Settings
from bot.store.database import database
from bot.store.migrate import require_up_to_date
from bot.store.whole import find_repository
from reports import ReportInputError
from reports.periods import parse_period


async def ask(settings: Settings, repository: str, period: str) -> None:
    """Ask for a report; raises ReportInputError for what a person got wrong, DatabaseUnavailable without a database."""
    parse_period(period, 1)
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(database(settings))
        await asyncio.to_thread(require_up_to_date, store.url)
        await stack.enter_async_context(open_jobs(await stack.enter_async_context(open_pool(store.conninfo, 1))))
        async with store.sessions() as session:
            found = await find_repository(session, repository)
        if found is None or found.installation_id is None:
            raise ReportInputError(
                f"The App is not installed on {repository!r}, so nothing can be posted there: write it as owner/name, "
                "or compute its report with `rootcause report build`."
            )
        await defer_report_again(found.id, period)
