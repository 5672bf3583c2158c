"""The database as a command at a terminal uses it: one short transaction after another, and time to think between."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from bot.decisions.errors import StudyError
from bot.settings import Settings
from bot.store.database import Database, database
from bot.store.migrate import pending_migrations

Result = TypeVar("Result")


class Desk:
    """Runs one piece of work after another; between two of them a person may be asked, and Ctrl-C loses nothing."""

    def __init__(self, runner: asyncio.Runner, opened: Database) -> None:
        self._runner = runner
        self._database = opened

    def run(self, work: Callable[[AsyncSession], Awaitable[Result]]) -> Result:
        """Return what `work` returns, carried out in a transaction of its own."""

        async def in_transaction() -> Result:
            async with self._database.sessions.begin() as session:
                return await work(session)

        return self._runner.run(in_transaction())


@contextmanager
def open_desk(settings: Settings) -> Iterator[Desk]:
    """Open the database that the settings name for a command.

    Raises:
        DatabaseUnavailable: it cannot be reached.
        StudyError: it has not been brought up to date.
    """
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        opened = runner.run(stack.enter_async_context(database(settings)))
        try:
            if pending_migrations(opened.url):
                raise StudyError("The database is not up to date: run rootcause db upgrade first.")
            yield Desk(runner, opened)
        finally:
            runner.run(stack.aclose())
