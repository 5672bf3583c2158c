"""What every command needs: ending in a sentence, and reading the settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import typer
from typer.models import OptionInfo

from bot.secrecy import SECRECY

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from bot.settings import Settings

T = TypeVar("T")

EXIT_CODES = (
    "Exit codes of all commands: 0 it is done or asked for; 1 something refused, broke or did not answer, or doctor "
    "found something wrong; 2 a mistake in what was given: the sentence says which; 130 stopped with Ctrl-C, also "
    "where it served until then."
)


def json_option(keys: str) -> OptionInfo:
    """Return the option `--json` of a command whose one JSON line has these keys, as the help names them."""
    option: OptionInfo = typer.Option("--json", help=f"Print one JSON line for a script: {keys}.")
    return option


def print_json(facts: Mapping[str, Any]) -> None:
    """Print a command's outcome as one line, alone on standard output; moments are in ISO format."""
    typer.echo(json.dumps(facts, default=datetime.isoformat))


def fail(sentence: str, code: int = 2) -> NoReturn:
    """End the process with a sentence on standard error, whatever it quotes without secrets."""
    typer.echo(SECRECY.mask_secrets(sentence), err=True)
    raise typer.Exit(code)


def read_settings() -> Settings:
    """Read the settings, or name the one that cannot be used; its value may be a secret and is not shown."""
    from pydantic import ValidationError

    from bot.setup.settings_file import UnreadableSettings, read

    try:
        return read()
    except ValidationError as error:
        wrong = [(one["loc"], one["msg"].removeprefix("Value error, ")) for one in error.errors()]
        # A mistake of the settings together names them itself.
        fail("; ".join(f"{_variable(str(where[0]))}: {text}" if where else text for where, text in wrong))
    except UnreadableSettings as error:
        fail(str(error))


def _variable(name: str) -> str:
    return name if name.isupper() else f"ROOTCAUSE_{name.upper()}"


def complete(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's asynchronous part and return what it returns; only now is what that takes imported."""
    import asyncio

    return asyncio.run(work)
