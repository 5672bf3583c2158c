"""The commands `rootcause config check` and `config schema`; everything they do is elsewhere."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bot.cli_common import fail, json_option, print_json

config = typer.Typer(
    help="Look after a repository's `.github/rootcause.yml`.",
    epilog="Example: rootcause config check .github/rootcause.yml",
    no_args_is_help=True,
)


@config.command(epilog="Example: rootcause config check .github/rootcause.yml")
def check(
    file: Annotated[Path, typer.Argument(help="The file to check.")],
    json_: Annotated[bool, json_option("mistakes (each with line, column, sentence)")] = False,
) -> None:
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
        if json_:
            print_json({"mistakes": [asdict(one) for one in error.mistakes]})
            raise typer.Exit(2) from None
        fail("\n".join(map(str, error.mistakes)))
    shown = os.fsencode(file).decode(errors="backslashreplace")  # a name may hold bytes that are no text
    if json_:
        print_json({"mistakes": []})
    else:
        typer.echo(f"{shown} has no mistakes")


@config.command(epilog="Example: rootcause config schema > rootcause.schema.json")
def schema() -> None:
    """Print the JSON Schema of the file, for editors."""
    from bot.config.published import published_schema

    typer.echo(json.dumps(published_schema(), indent=2, ensure_ascii=False))
