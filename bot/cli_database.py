"""The database as commands use it: every mistake and everything out of reach ends in a sentence."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

from bot.cli_common import fail

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from bot.settings import Settings

Result = TypeVar("Result")


class Run(Protocol):
    """Carries work out in a transaction of its own and returns what it returns."""

    def __call__(self, work: Callable[[AsyncSession], Awaitable[Result]], /) -> Result:
        """Carry it out."""
        ...


@contextmanager
def transactions(settings: Settings) -> Iterator[Run]:
    """Open the database for a command; a person's mistake ends with exit code 2, what is out of reach with 1."""
    from bot.decisions.errors import StudyError
    from bot.store.errors import DatabaseUnavailable
    from bot.study.desk import open_desk
    from reports.errors import ReportInputError

    try:
        with open_desk(settings) as desk:
            yield desk.run
    except (StudyError, ReportInputError) as error:
        fail(str(error))
    except DatabaseUnavailable as error:
        fail(str(error), code=1)
