"""The words of the one issue that shows what is wrong in a repository's configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.config import FILE, Mistake

TITLE = f"`{FILE}` has mistakes"

MOST_MISTAKES = 20
"""Mistakes that are shown at once; the others are counted."""


@dataclass(frozen=True)
class Broken:
    """What is shown: all mistakes in the order of the file, and whether an earlier version still holds."""

    repository_id: int
    mistakes: Sequence[Mistake]
    holds_earlier: bool


_ENDING = f"""\
`rootcause config check {FILE}` says the same before a change is merged. This issue closes itself some minutes after \
the file is mended. It is the only one: a later mistake opens it again.
"""


def configuration_marker(repository_id: int) -> str:
    """Return the hidden first line by which the issue is found again."""
    return f"<!-- rootcause:configuration repository={repository_id} -->"


def render_broken(broken: Broken) -> str:
    """Return the issue's text while the file has mistakes."""
    holds = "its last version without mistakes counts" if broken.holds_earlier else "the defaults count"
    shown = [f"- line {one.line}, column {one.column}: {one.sentence}" for one in broken.mistakes[:MOST_MISTAKES]]
    hidden = len(broken.mistakes) - len(shown)
    if hidden:
        shown.append(f"- and {hidden} more")
    introduction = f"I cannot use `{FILE}` as it is. Until it is mended, {holds}."
    marker = configuration_marker(broken.repository_id)
    return "\n\n".join((marker, introduction, "\n".join(shown), _ENDING))


def render_mended(repository_id: int) -> str:
    """Return the issue's text once the file can be used, or is gone."""
    return "\n\n".join(
        (configuration_marker(repository_id), f"`{FILE}` has no mistakes any more. There is nothing to do here.\n")
    )
