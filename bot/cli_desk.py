"""The database as the study's commands use it: every mistake ends in a sentence, and what takes long shows itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from bot.cli_common import fail, read_settings
from bot.working import working

if TYPE_CHECKING:
    from bot.study.desk import Desk


@contextmanager
def sentences() -> Iterator[None]:
    """Turn a person's mistakes into a sentence and exit code 2, what is out of reach into exit code 1."""
    from bot.decisions.errors import StudyError
    from bot.github.errors import GitHubError
    from bot.store.errors import DatabaseUnavailable
    from reports.errors import ReportInputError

    try:
        yield
    except (StudyError, ReportInputError) as error:
        fail(str(error))
    except (DatabaseUnavailable, GitHubError) as error:
        fail(str(error), code=1)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")


@contextmanager
def desk(doing: str | None) -> Iterator[Desk]:
    """Open the database for a command, with mistakes turned into sentences and a sign of what it is doing.

    Where `doing` is None a person is asked then, so only the opening has a sign.
    """
    from bot.study.desk import open_desk

    with sentences(), ExitStack() as stack:
        if doing is not None:
            stack.enter_context(working(doing))
            opened = stack.enter_context(open_desk(read_settings()))
        else:
            with working("opening the database"):
                opened = stack.enter_context(open_desk(read_settings()))
        yield opened
