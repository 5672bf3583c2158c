"""What a command comes to: pure decisions from the command as read, the person's rights and the record.

Purpose: one place that says what each command does and how it is answered. Trigger: a command in a comment, or a
closing that commands were waiting for. Effects: none; `answer` is pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.commands.registry import CATEGORISE, EXPLAIN, REPORT, SIMILAR
from bot.features.statements import STATING
from bot.github.actions import Reaction
from classifier.taxonomy import NONE

Step = Literal["decide", "undo", "help", "gather", "tell", "nothing"]
State = Literal["pending", "done", "confused"]

_REACTIONS: dict[State, Reaction] = {"pending": "eyes", "done": "+1", "confused": "confused"}


@dataclass(frozen=True)
class Standing:
    """The record a command is about: the category its proposal names, and whether it is asked blind and undecided."""

    guess: str | None
    blind: bool


@dataclass(frozen=True)
class Answer:
    """What to do, what the command's state is afterwards, and the decision's category where one is made."""

    step: Step
    state: State
    category: str | None = None
    category2: str | None = None
    none_kind: str | None = None

    @property
    def reaction(self) -> Reaction:
        """The reaction that tells the writer: taken, done, or not understood."""
        return _REACTIONS[self.state]


TELLING = frozenset({SIMILAR, EXPLAIN})
"""Commands that only ask what is known; they are answered in words."""

WAITS = Answer("nothing", "pending")
CONFUSED = Answer("nothing", "confused")
GATHERS = Answer("gather", "pending")
"""It is carried out by gathering the issue once more."""


def as_before(state: str) -> Answer:
    """Return the answer to a command that was handled before and has this state since."""
    return {"pending": WAITS, "done": Answer("nothing", "done")}.get(state, CONFUSED)


def answer(name: str, arguments: tuple[str, ...], standing: Standing | None) -> Answer:
    """Return what an allowed command comes to; `standing` is None while the issue is open or not recorded yet.

    A decision about such an issue waits for its closing (`eyes`). A `confirm` needs a proposal that may be seen, so a
    blind question cannot be confirmed: its category has to be named. Raises ValueError for a command without meaning.
    """
    if name == "help":
        return Answer("help", "done")
    if name == REPORT:
        return WAITS
    if standing is None:
        return WAITS
    if name in STATING:
        return GATHERS
    if name in TELLING:
        return Answer("tell", "done")
    if name == "undo":
        return Answer("undo", "done")
    if name == "confirm":
        if standing.guess is None or standing.blind:
            return CONFUSED
        return Answer("decide", "done", category=standing.guess)
    if name == NONE:
        return Answer("decide", "done", category=NONE, none_kind=arguments[0] if arguments else None)
    if name == CATEGORISE:
        second = arguments[1] if len(arguments) > 1 else None
        return Answer("decide", "done", category=arguments[0], category2=second)
    raise ValueError(f"the command {name!r} is registered but nothing carries it out")
