"""The command `rootcause try`; everything it does is elsewhere."""

from __future__ import annotations

import logging
import re
from typing import Annotated

import typer

from bot.cli_common import complete, fail, json_option, read_settings

_NAME = re.compile(r"(?!\.{1,2}/)[\w.-]+/(?!\.{1,2}$)[\w.-]+", re.ASCII)


def try_(
    repository: Annotated[str, typer.Argument(help="owner/name, an older name too.")],
    limit: Annotated[int, typer.Option(min=1, max=5000, help="How many of the latest closings to read.")] = 200,
    exit_: Annotated[bool, typer.Option("--exit", help="Write the page and end instead of serving it.")] = False,
    json_: Annotated[
        bool,
        json_option(
            "repository, period, window_months, closings, read, recorded, eligible, with_fix, unknown, proposed, "
            "unreadable, requests, points, page_path, page_url, report_path"
        ),
    ] = False,
) -> None:
    """Read a repository's latest closings with ROOTCAUSE_READ_TOKEN and show the report that would be posted.

    It needs neither an App nor a database, writes nothing to GitHub, and keeps apart from everything else.
    """
    from bot.backfill.access import NoAccessError
    from bot.clock import SystemClock
    from bot.github.errors import GitHubError, RateLimited
    from bot.leaving import until_stopped
    from bot.logs import configure_logs
    from bot.store.errors import DatabaseUnavailable
    from bot.trying.outcome import tell
    from bot.trying.run import serve, try_repository
    from reports.errors import ReportInputError

    if _NAME.fullmatch(repository) is None:
        fail(f"{repository!r} is no repository; write owner/name, such as pytorch/pytorch.")
    settings = read_settings()
    configure_logs(json_lines=True)
    logging.getLogger().setLevel(logging.WARNING)  # what goes well is told by the progress bar
    try:
        tried, page = complete(try_repository(settings, SystemClock(), repository, limit, as_json=json_))
    except NoAccessError as error:
        fail(str(error))
    except DatabaseUnavailable as error:
        fail(str(error), code=1)
    except RateLimited as error:
        fail(
            f"No more may be read with this token before {error.retry_at:%H:%M} UTC: GitHub's hourly limit is used up, "
            f"or the part of it that Rootcause takes ({settings.backfill_share:.0%}). Run the same command then; "
            "what was read is kept.",
            code=1,
        )
    except GitHubError as error:
        fail(
            f"GitHub ({settings.github_api_url}) does not go on: {error}. Run the same command again later; what was "
            "read is kept. ROOTCAUSE_GITHUB_API_URL names another address.",
            code=1,
        )
    except ReportInputError as error:
        fail(str(error), code=1)
    except OSError as error:
        fail(f"cannot write {error.filename}: {error.strerror}", code=1)
    except KeyboardInterrupt:
        fail("Stopped. Run the same command again; it goes on where it stopped.", code=130)
    if exit_:
        tell(tried, page, None, as_json=json_)
    else:
        complete(until_stopped(serve(tried, page, as_json=json_)))
