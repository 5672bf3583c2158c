"""The words of the inbox issue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.texts.boxes import box
from bot.texts.onboarding import categories, in_the_inbox
from classifier.decide import percent
from classifier.taxonomy import NONE

TITLE = "Why did these closed issues happen? Root causes to confirm"

MOST_LINES = 50
"""Questions an inbox shows at once; the others are counted (product.md)."""

MOST_CHARACTERS = 55_000
"""Characters up to which questions are shown: a body that is too long would not be kept by GitHub."""


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
    """All that one rendering of an inbox shows; `watched_until` is the end of a repository's days of being watched."""

    repository_id: int
    sample: Sequence[Line]
    targeted: Sequence[Line]
    decided: int
    expired: int
    model: str
    watched_until: datetime | None = None
    public_url: str | None = None
    notes: Sequence[str] = ()


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
    parts = [inbox_marker(inbox.repository_id)]
    if shown or targeted:
        example = next((line for line in (*shown, *targeted) if line.guess is not None), (*shown, *targeted)[0])
        parts += [_HOW, _other_answers(example.number)]
    else:
        parts.append("**Nothing to decide at the moment.** New questions appear here when issues are closed.")
    if shown:
        parts += ["### The weekly sample", _SAMPLE, *_questions(shown)]
    if targeted:
        parts += ["### Also useful", _TARGETED, *_questions(targeted)]
    if hidden:
        parts.append(f"{hidden} more {_plural(hidden, 'question waits', 'questions wait')} until there is room here.")
    if shown or targeted:
        parts.append(_LATER)
    parts += inbox.notes
    first = inbox.decided == 0 and inbox.expired == 0
    parts.append(in_the_inbox(first=first, watched_until=inbox.watched_until, public_url=inbox.public_url))
    parts.append(_footer(inbox))
    return Rendered("\n\n".join(parts) + "\n", tuple(line.issue_id for line in (*shown, *targeted)))


_HOW = """\
A small classifier guessed why each of these closed issues happened. **You decide:** tick its box where the guess is \
right (this needs write permission), else write a comment."""


def _other_answers(number: int) -> str:
    """Return what to write instead of ticking, with an issue that is asked about as the example."""
    return f"""\
<details><summary>How to answer by a comment</summary>

Write it here, or, without the number, in the issue itself. One comment may name several issues. A reaction answers \
it; what takes words is said in one comment of mine, rewritten each time.

| to say | comment |
|---|---|
| the guess is right | `/rootcause confirm #{number}` |
| it was something else | `/rootcause memory-leak #{number}` |
| nothing was wrong with the system: a wrong result, a question, a request | `/rootcause none #{number}` |
| take the last decision back | `/rootcause undo #{number}` |

The categories: {categories()}.

</details>"""


_SAMPLE = "Drawn at random among each week's closed issues; the monthly shares are computed from these alone."
_TARGETED = "Your answers here teach the classifier most: of each category it guessed, the issues it was least sure of."
_LATER = "Answered lines go once nobody has changed this text for a while; unanswered ones go after 30 days."


def _questions(lines: Sequence[Line]) -> list[str]:
    """Return the lines with a box, then, said apart, those that are asked without showing a guess."""
    blind = [line for line in lines if line.guess is None]
    parts = [_guessed(line, *line.guess) for line in lines if line.guess is not None]
    if blind:
        command = f"`/rootcause CATEGORY #{blind[0].number}`"
        parts.append(f"**Without a guess**, so that yours is your own; comment the cause, such as {command}:")
        parts += [f"- {_link(line)}{_age(line)}" for line in blind]
    return parts


def _guessed(line: Line, name: str, probability: float) -> str:
    unsure = ", unsure" if line.unsure else ""
    second = f" · or {line.second[0]} {percent(line.second[1])}" if line.second else ""
    words = " · " + ", ".join(line.words) if line.words else ""
    meaning = " (not about the system)" if name == NONE else ""
    guess = f"**{name}**{meaning} {percent(probability)}{unsure}{second}{words}{_age(line)}"
    return f"- {box(line.issue_id)} {_link(line)}\n  {guess}"


def _link(line: Line) -> str:
    number = f"[#{line.number}]({line.url})" if line.url else f"`#{line.number}`"
    return f"{number} {line.title}"


def _age(line: Line) -> str:
    return "" if line.open_days is None else f" · open {_days(line.open_days)}"


def _footer(inbox: Inbox) -> str:
    decided = f"{inbox.decided} decided so far"
    expired = f", {inbox.expired} expired without an answer" if inbox.expired else ""
    return f"<sub>{decided}{expired}. Guesses by {inbox.model}. Close this issue to switch the questions off.</sub>"


def _days(days: float) -> str:
    if days < 1:
        return "under a day"
    return f"{days:.1f} days" if days < 10 else f"{days:.0f} days"


def _plural(count: int, one: str, many: str) -> str:
    return one if count == 1 else many
