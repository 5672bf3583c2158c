"""The command `rootcause labels setup`; everything it does is elsewhere."""

from __future__ import annotations

import logging
import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli_common import complete, fail, json_option, print_json, read_settings
from bot.working import working

if TYPE_CHECKING:
    from bot.features.label_setup import MadeLabel

labels = typer.Typer(
    help="Look after the App's own labels in a repository.",
    epilog="Example: rootcause labels setup pytorch/pytorch",
    no_args_is_help=True,
)
_NAME = re.compile(r"(?!\.{1,2}/)[\w.-]+/(?!\.{1,2}$)[\w.-]+", re.ASCII)


@labels.callback()
def _group() -> None:
    """Keep `setup` a command of its own, of which typer would make the group itself."""


@labels.command(epilog="Example: rootcause labels setup pytorch/pytorch")
def setup(
    repository: Annotated[str, typer.Argument(help="owner/name; the App must be installed there.")],
    json_: Annotated[bool, json_option("repository, labels (each with name, outcome)")] = False,
) -> None:
    """Make the labels that `propose: label` puts on issues; those that are there stay as they are."""
    from bot.clock import SystemClock
    from bot.features.label_setup import CannotSetUpError, set_up
    from bot.github.errors import GitHubError
    from bot.logs import configure_logs
    from bot.services import NotConfiguredError
    from bot.store.errors import DatabaseUnavailable

    if _NAME.fullmatch(repository) is None:
        fail(f"{repository!r} is no repository; write owner/name, such as pytorch/pytorch.")
    configure_logs(json_lines=True)
    logging.getLogger().setLevel(logging.WARNING)  # what goes well is told below

    told: list[MadeLabel] = []

    def tell(label: MadeLabel) -> None:
        told.append(label)
        if not json_:
            typer.echo(f"{label.name}: {label.outcome}")

    try:
        with working("making labels"):
            complete(set_up(read_settings(), SystemClock(), repository, tell))
    except (CannotSetUpError, NotConfiguredError) as error:
        fail(str(error))
    except DatabaseUnavailable as error:
        fail(str(error), code=1)
    except GitHubError as error:
        fail(f"GitHub does not go on: {error}. Run the same command again later; it goes on where it stopped.", code=1)
    if json_:
        print_json({"repository": repository, "labels": [asdict(one) for one in told]})
