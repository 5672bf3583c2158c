"""The command `rootcause show`; everything it does is elsewhere."""

from __future__ import annotations

import logging
from typing import Annotated

import typer

from bot.cli_common import complete, fail, json_option, read_settings
from bot.working import working


def show(
    issue: Annotated[str, typer.Argument(help="The issue as owner/name#12, by an older name too.")],
    json_: Annotated[
        bool, json_option("repository, number, issue_id, title, and by section each value with its source")
    ] = False,
) -> None:
    """Show what is stored about an issue, with the source of every value."""
    from bot.logs import configure_logs
    from bot.show.command import NotShownError, find, read_reference
    from bot.show.command import show as print_record
    from bot.store.errors import DatabaseUnavailable

    configure_logs(json_lines=True)
    logging.getLogger().setLevel(logging.WARNING)
    try:
        with working("reading the record"):
            whole = complete(find(read_settings(), *read_reference(issue)))
    except NotShownError as error:
        fail(str(error))
    except DatabaseUnavailable as error:
        fail(str(error), code=1)
    print_record(whole, as_json=json_)
