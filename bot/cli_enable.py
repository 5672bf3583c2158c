"""The command `rootcause enable`; everything it does is elsewhere."""

from __future__ import annotations

from typing import Annotated

import typer

from bot.cli_common import complete, fail, read_settings


def enable(
    repository: Annotated[str, typer.Argument(metavar="OWNER/NAME", help="A repository that the App is installed on.")],
) -> None:
    """Let a repository take part that is silent, since it is a fork or one of very many; as new, it observes first."""
    from bot.features.enabling import NotEnabledError
    from bot.features.enabling import enable as let_it
    from bot.store.errors import DatabaseUnavailable

    try:
        complete(let_it(read_settings(), repository))
    except NotEnabledError as error:
        fail(str(error))
    except DatabaseUnavailable as error:
        fail(str(error), code=1)
    typer.echo(f"{repository} takes part from now on")
