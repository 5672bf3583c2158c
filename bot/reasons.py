"""Why something failed, as it may be stored and shown: short, and without secrets or what people wrote."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError

from bot.secrecy import SECRECY
from bot.text import storable

_LONGEST = 500


def kept(reason: str) -> str:
    """Return a reason as it is stored."""
    return SECRECY.mask_secrets(storable(reason))[:_LONGEST]


def name_of(error: BaseException) -> str:
    """Name a database's error without its message, which may quote what people wrote."""
    return type(error.orig if isinstance(error, DBAPIError) else error).__name__


def reason_of(error: BaseException) -> str:
    """Say in one line what an error was, as it is stored."""
    if isinstance(error, DBAPIError):
        return name_of(error)
    return kept(" ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":"))
