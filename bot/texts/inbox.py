"""The words of the inbox issue, and how its boxes are read back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

TITLE = "Why did these closed issues happen? Root causes to confirm"

MOST_LINES = 50
"""Questions an inbox shows at once; the others are counted (product.md)."""

MOST_CHARACTERS = 55_000
"""Characters up to which questions are shown: a body that is too long would not be kept by GitHub."""

_LINE = re.compile(r"^- \[(?P<box>[ xX])\] <!-- rootcause:issue=(?P<issue>[0-9]{1,18}) -->", re.MULTILINE)


@dataclass(frozen=True)
class Line:
    """One question of the inbox; `title` and `words` are already safe Markdown, `guess` is None on a blind line."""

    issue_id: int
    number: int
    url: str
    title: str
    open_days: float | None
    guess: tuple[str, float] | None
    second: tuple[str, float] | None
    unsure: bool
    words: tuple[str, ...]


@dataclass(frozen=True)
class Inbox:
    """All that one rendering of an inbox shows."""

    repository_id: int
    sample: Sequence[Line]
    targeted: Sequence[Line]
    decided: int
    expired: int
    model: str


@dataclass(frozen=True)
class Rendered:
    """The body of the inbox issue, and the ids of the issues it asks about."""

    body: str
    issue_ids: tuple[int, ...]


def inbox_marker(repository_id: int) -> str:
    """Return the hidden first line by which an inbox is found again."""
    return f"<!-- rootcause:inbox repository={repository_id} -->"


def render_inbox(inbox: Inbox) -> Rendered:
    """Return the inbox with as many of its questions as there is room for; the same content gives the same text."""
    most = min(MOST_LINES, len(inbox.sample) + len(inbox.targeted))
    while len((rendered := _render(inbox, most)).body) > MOST_CHARACTERS and most > 0:
        most -= 1
    return rendered


def _render(inbox: Inbox, most: int) -> Rendered:
    shown = list(inbox.sample[:most])
    targeted = list(inbox.targeted[: most - len(shown)])
    hidden = len(inbox.sample) + len(inbox.targeted) - len(shown) - len(targeted)
    parts = [inbox_marker(inbox.repository_id), _INTRODUCTION]
    if not shown and not targeted:
        parts.append("**Nothing to decide at the moment.** New questions appear here when issues are closed.")
    if shown:
        parts += ["### The weekly sample", _SAMPLE, "\n".join(map(_line, shown))]
    if targeted:
        parts += ["### Also useful", _TARGETED, "\n".join(map(_line, targeted))]
    if hidden:
        parts.append(f"{hidden} more {_plural(hidden, 'question waits', 'questions wait')} until there is room here.")
    parts.append(_footer(inbox))
    return Rendered("\n\n".join(parts) + "\n", tuple(line.issue_id for line in (*shown, *targeted)))


def ticked(body: str) -> tuple[int, ...]:
    """Return the ids of the issues whose boxes are ticked in an inbox body, in order."""
    return tuple(int(found["issue"]) for found in _LINE.finditer(body) if found["box"] != " ")


_INTRODUCTION = """\
A small classifier read these closed issues and guessed why each happened. **You decide.** Tick a box to confirm a \
guess (that needs write permission), or comment here or in the issue itself:

| to say | comment |
|---|---|
| the guess is right | `/rootcause confirm #12 #14` |
| it was something else | `/rootcause memory-leak #12`, or any other category |
| it is not about the system (a wrong result, a question, a request) | `/rootcause none #12` |
| take the last decision back | `/rootcause undo #12` |

Nobody is notified, nothing is closed or labelled, and a question that nobody answers disappears after 30 days."""

_SAMPLE = "Drawn at random among the week's closed issues. The monthly shares are computed from these alone."
_TARGETED = "The classifier wavers most on these; your word helps it most."


def _line(line: Line) -> str:
    link = f"[#{line.number}]({line.url})"
    age = "" if line.open_days is None else f" · open {_days(line.open_days)}"
    if line.guess is None:
        return f"- {link} {line.title} · **which cause?** (asked blind: no guess is shown){age}"
    box = f"- [ ] <!-- rootcause:issue={line.issue_id} --> {link} {line.title}"
    name, probability = line.guess
    unsure = ", unsure" if line.unsure else ""
    second = f", else {line.second[0]} {_percent(line.second[1])}" if line.second else ""
    words = " · " + ", ".join(line.words) if line.words else ""
    return f"{box} · **{name}** {_percent(probability)}{unsure}{second}{words}{age}"


def _footer(inbox: Inbox) -> str:
    decided = f"{inbox.decided} decided so far"
    expired = f", {inbox.expired} expired without an answer" if inbox.expired else ""
    return f"<sub>{decided}{expired}. Guesses by {inbox.model}. Close this issue to switch the questions off.</sub>"


def _percent(probability: float) -> str:
    return f"{round(100 * probability)} %"


def _days(days: float) -> str:
    if days < 1:
        return "under a day"
    return f"{days:.1f} days" if days < 10 else f"{days:.0f} days"


def _plural(count: int, one: str, many: str) -> str:
    return one if count == 1 else many
