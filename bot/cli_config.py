"""The commands `rootcause config check` and `config schema`; everything they do is elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.cli_common import fail

config = typer.Typer(help="Look after a repository's `.github/rootcause.yml`.", no_args_is_help=True)


@config.command(epilog="Example: rootcause config check .github/rootcause.yml")
def check(file: Annotated[Path, typer.Argument(help="The file to check.")]) -> None:
    """Check a configuration file: every mistake with its line and column."""
    from bot.config import BadConfiguration, read
    from bot.config.characters import MOST_BYTES

    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
        size = max(len(content), file.stat().st_size)
    except OSError as error:
        fail(f"cannot read {file}: {error.strerror}")
    try:
        read(content, size)
    except BadConfiguration as error:
        fail("\n".join(map(str, error.mistakes)))
    typer.echo(f"{file} has no mistakes")


@config.command(epilog="Example: rootcause config schema > rootcause.schema.json")
def schema() -> None:
    """Print the JSON Schema of the file, for editors."""
    import json

    from bot.config.published import published_schema

    typer.echo(json.dumps(published_schema(), indent=2, ensure_ascii=False))
