"""What the environment says of our settings, in the forms in which containers and platforms hand it on.

Docker's `--env-file` and many platforms keep a value as it stands in their file: the quotes around it are part of it,
and a line break is the two signs that stand for one.
"""

from __future__ import annotations

from pydantic_settings import BaseSettings, EnvSettingsSource

_QUOTES = ('"', "'")


class Environment(EnvSettingsSource):
    """The environment as a source of settings: a pair of quotes around a value does not belong to it."""

    def __init__(self, settings: type[BaseSettings]) -> None:
        super().__init__(settings)
        # Empty within its quotes is empty too.
        plain = {name: unquoted(value) for name, value in self.env_vars.items() if value is not None}
        self.env_vars = {name: value for name, value in plain.items() if value}


def unquoted(value: str) -> str:
    """Return a value without the pair of quotes around it, single or double; one alone belongs to it."""
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in _QUOTES else value


def with_line_breaks(pem: str) -> str:
    r"""Return a key with its line breaks where `\n` stands for them; no other text in PEM form has a backslash."""
    return pem.replace("\\r", "").replace("\\n", "\n")
