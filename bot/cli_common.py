"""What every command needs: ending in a sentence, and reading the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from bot.settings import Settings


def fail(sentence: str, code: int = 2) -> NoReturn:
    """End the process with a sentence on standard error."""
    typer.echo(sentence, err=True)
    raise typer.Exit(code)


def read_settings() -> Settings:
    """Read the settings, or name the one that cannot be used; its value may be a secret and is not shown."""
    from pydantic import ValidationError

    from bot.settings import Settings

    try:
        return Settings()
    except ValidationError as error:
        wrong = [(str(one["loc"][0]) if one["loc"] else "private_key_file", one["msg"]) for one in error.errors()]
        fail("; ".join(f"{name if name.isupper() else f'ROOTCAUSE_{name.upper()}'}: {text}" for name, text in wrong))
    except OSError as error:
        fail(f"ROOTCAUSE_PRIVATE_KEY_FILE: cannot read {error.filename}: {error.strerror}")
