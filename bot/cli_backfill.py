"""The command `rootcause backfill`; everything it does is elsewhere."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime
from typing import Annotated

import typer

from bot.cli_common import complete, fail, json_option, print_json, read_settings

_DATE = ["%Y-%m-%d"]
_NAME = re.compile(r"(?!\.{1,2}/)[\w.-]+/(?!\.{1,2}$)[\w.-]+", re.ASCII)


def backfill(
    repository: Annotated[str, typer.Argument(help="owner/name, an older name too.")],
    since: Annotated[
        datetime | None, typer.Option(formats=_DATE, help="Only issues closed on this day or later (UTC).")
    ] = None,
    until: Annotated[
        datetime | None, typer.Option(formats=_DATE, help="Only issues closed before this day (UTC).")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Record at most so many issues, the oldest first.")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="Record so many issues, drawn at random.")] = None,
    seed: Annotated[int, typer.Option(help="What the sample is drawn by; the same seed draws the same issues.")] = 1,
    json_: Annotated[
        bool, json_option("repository, state, seen, recorded, eligible, with_fix, unknown, unreadable, error")
    ] = False,
) -> None:
    """Record a repository's closed issues, going on where an earlier run stopped; nothing is written to GitHub."""
    from bot.backfill.access import NoAccessError
    from bot.backfill.command import coverage, figures, run
    from bot.backfill.course import Parameters
    from bot.clock import SystemClock
    from bot.github.errors import GitHubError
    from bot.logs import configure_logs
    from bot.store.errors import DatabaseUnavailable

    if _NAME.fullmatch(repository) is None:
        fail(f"{repository!r} is no repository; write owner/name, such as pytorch/pytorch.")
    if limit is not None and sample is not None:
        fail("--limit takes the oldest issues and --sample draws from all: use one of them.")
    first, last = (moment.replace(tzinfo=UTC) if moment else None for moment in (since, until))
    if first is not None and last is not None and first >= last:
        fail("--since must be a day before --until.")
    configure_logs(json_lines=True)
    logging.getLogger().setLevel(logging.WARNING)  # what goes well is told by the progress bar
    try:
        parameters = Parameters(first, last, limit, sample, seed)
        full_name, row = complete(run(read_settings(), SystemClock(), repository, parameters))
    except NoAccessError as error:
        fail(str(error))
    except DatabaseUnavailable as error:
        fail(str(error), code=1)
    except GitHubError as error:
        fail(f"GitHub does not go on: {error}. Run the same command again later; it goes on where it stopped.", code=1)
    except KeyboardInterrupt:
        fail("Stopped. Run the same command again; it goes on where it stopped.", code=130)
    if json_:
        print_json(figures(full_name, row))
    else:
        typer.echo(coverage(full_name, row))
