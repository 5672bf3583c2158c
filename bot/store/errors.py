"""The one error a person meets when no database can be had; its text is a sentence that says what to do."""

from __future__ import annotations


class DatabaseUnavailable(Exception):  # noqa: N818 - it names a state, like the other sentences for people
    """The database cannot be used as asked; the message is written for the person who started the program."""
