"""The part of the inbox that shows where two people named different causes; people themselves are not named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.commands.registry import COMMANDS, PREFIX

MOST_SHOWN = 10
"""Disagreements shown at once; the others are counted."""


@dataclass(frozen=True)
class Dispute:
    """An issue with the answers given to it; `title` is safe Markdown, None stands for no category of the book."""

    number: int
    url: str
    title: str
    answers: tuple[str | None, ...]


def disputes_text(disputes: Sequence[Dispute]) -> str | None:
    """Return the whole part, None where nobody disagrees."""
    if not disputes:
        return None
    first = next((answer for answer in disputes[0].answers if answer is not None), COMMANDS["confirm"].name)
    lines = [_line(dispute) for dispute in disputes[:MOST_SHOWN]]
    hidden = len(disputes) - len(lines)
    how = (
        "People named different causes for these, so none counts yet. It is settled when one of them takes over the "
        "other's answer, or when somebody with maintain rights decides, as in "
        f"`{PREFIX} {first} #{disputes[0].number}`."
    )
    parts = ["### Two answers", how, "\n".join(lines)]
    if hidden:
        parts.append(f"{hidden} more {'waits' if hidden == 1 else 'wait'} until there is room here.")
    return "\n\n".join(parts)


def _line(dispute: Dispute) -> str:
    answers = " or ".join("another cause" if answer is None else f"**{answer}**" for answer in dispute.answers)
    return f"- [#{dispute.number}]({dispute.url}) {dispute.title}\n  {answers}"
