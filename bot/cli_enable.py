"""The command `rootcause enable`; everything it does is elsewhere."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from bot.cli_common import complete, fail, json_option, print_json, read_settings
from bot.working import working


def enable(
    repository: Annotated[str, typer.Argument(metavar="OWNER/NAME", help="A repository that the App is installed on.")],
    json_: Annotated[bool, json_option("repository, state, observe_until, reads_history")] = False,
) -> None:
    """Let a repository take part that is silent, since it is a fork or one of very many; as new, it observes first."""
    from bot.features.enabling import NotEnabledError
    from bot.features.enabling import enable as let_it
    from bot.store.errors import DatabaseUnavailable

    try:
        with working("enabling"):
            enabled = complete(let_it(read_settings(), repository))
    except NotEnabledError as error:
        fail(str(error))
    except DatabaseUnavailable as error:
        fail(str(error), code=1)
    if json_:
        print_json(asdict(enabled))
        return
    typer.echo(f"{repository} takes part from now on")
