"""What a command comes to: pure decisions from the command as read, the person's rights and the record.

Purpose: one place that says what each command does and how it is answered. Trigger: a command in a comment, or a
closing that commands were waiting for. Effects: none; `answer` is pure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bot.commands.registry import CATEGORISE, EXPLAIN, OFF, ON, RECHECK, REPORT, SIMILAR, TYPE
from bot.features.statements import STATING
from bot.github.actions import Reaction
from classifier.taxonomy import NONE

Step = Literal["decide", "undo", "type", "leave", "resume", "help", "gather", "tell", "nothing"]
State = Literal["pending", "done", "confused"]
Why = Literal["nothing to undo", "asked blind", "no proposal", "left alone", "not recorded"]

_REACTIONS: dict[State, Reaction] = {"pending": "eyes", "done": "+1", "confused": "confused"}


@dataclass(frozen=True)
class Standing:
    """The record a command is about: the category its proposal names, and whether it is asked blind and undecided.

    One that is `left_alone` is not predicted.
    """

    guess: str | None
    blind: bool
    left_alone: bool = False


@dataclass(frozen=True)
class Answer:
    """What to do, what the command's state is afterwards, and the decision's category where one is made."""

    step: Step
    state: State
    category: str | None = None
    category2: str | None = None
    none_kind: str | None = None
    why: Why | None = field(default=None, compare=False)  # what a person with rights is told of a `confused`

    @property
    def reaction(self) -> Reaction:
        """The reaction that tells the writer: taken, done, or not understood."""
        return _REACTIONS[self.state]


TELLING = frozenset({SIMILAR, EXPLAIN})
"""Commands that only ask what is known; they are answered in words."""

WAITS = Answer("nothing", "pending")
CONFUSED = Answer("nothing", "confused")
NOTHING_TO_UNDO = Answer("nothing", "confused", why="nothing to undo")
NOT_RECORDED = Answer("nothing", "confused", why="not recorded")
GATHERS = Answer("gather", "pending")
"""It is carried out by gathering the issue once more."""


def as_before(state: str) -> Answer:
    """Return the answer to a command that was handled before and has this state since."""
    return {"pending": WAITS, "done": Answer("nothing", "done")}.get(state, CONFUSED)


def answer(name: str, arguments: tuple[str, ...], standing: Standing | None) -> Answer:
    """Return what an allowed command comes to; `standing` is None while the issue is open or not recorded yet.

    A decision about such an issue waits for its closing (`eyes`); `off` and `on` never wait. A `confirm` needs a
    proposal that may be seen, so a blind question cannot be confirmed: its category has to be named. Raises ValueError
    for a command without meaning.
    """
    if name == "help":
        return Answer("help", "done")
    if name == REPORT:
        return WAITS
    if name == OFF:
        return Answer("leave", "done")
    if name == ON:
        return Answer("resume", "done")
    if standing is None:
        return WAITS
    if name == RECHECK and standing.left_alone:
        return Answer("nothing", "confused", why="left alone")
    if name in STATING or name == RECHECK:
        return GATHERS
    if name == TYPE:
        return Answer("type", "done")
    if name in TELLING:
        return Answer("tell", "done")
    if name == "undo":
        return Answer("undo", "done")
    if name == "confirm":
        if standing.guess is None or standing.blind:
            return Answer("nothing", "confused", why="asked blind" if standing.blind else "no proposal")
        return Answer("decide", "done", category=standing.guess)
    if name == NONE:
        return Answer("decide", "done", category=NONE, none_kind=arguments[0] if arguments else None)
    if name == CATEGORISE:
        second = arguments[1] if len(arguments) > 1 else None
        return Answer("decide", "done", category=arguments[0], category2=second)
    raise ValueError(f"the command {name!r} is registered but nothing carries it out")
