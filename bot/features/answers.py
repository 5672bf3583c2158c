"""What a command comes to: pure decisions from the command as read, the person's rights and the record.

Purpose: one place that says what each command does and how it is answered. Trigger: a command in a comment, or a
closing that commands were waiting for. Effects: none; `answer` is pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.commands.registry import CATEGORISE, UNKNOWN
from bot.github.actions import Reaction
from classifier.taxonomy import NONE

Step = Literal["decide", "undo", "help", "explain_unknown", "nothing"]
State = Literal["pending", "done", "refused", "confused"]


@dataclass(frozen=True)
class Standing:
    """The record a command is about: the category its proposal names, and whether it is asked blind and undecided."""

    guess: str | None
    blind: bool


@dataclass(frozen=True)
class Answer:
    """What to do and how to answer: a reaction, and the decision's category where one is made."""

    step: Step
    state: State
    reaction: Reaction
    category: str | None = None
    category2: str | None = None
    none_kind: str | None = None


NOTHING_TO_UNDO = Answer("nothing", "confused", "confused")


def answer(name: str, arguments: tuple[str, ...], standing: Standing | None) -> Answer:
    """Return what an allowed command comes to; `standing` is None while the issue is not recorded.

    A decision on an issue that is not recorded yet waits for its closing (`eyes`). A `confirm` needs a proposal that
    was shown, so a blind question cannot be confirmed: its category has to be named.
    """
    if name == UNKNOWN:
        return Answer("explain_unknown", "confused", "confused")
    if name == "help":
        return Answer("help", "done", "+1")
    if standing is None:
        return Answer("nothing", "pending", "eyes")
    if name == "undo":
        return Answer("undo", "done", "+1")
    if name == "confirm":
        if standing.guess is None or standing.blind:
            return Answer("nothing", "confused", "confused")
        return Answer("decide", "done", "+1", category=standing.guess)
    if name == NONE:
        return Answer("decide", "done", "+1", category=NONE, none_kind=arguments[0] if arguments else None)
    if name == CATEGORISE:
        second = arguments[1] if len(arguments) > 1 else None
        return Answer("decide", "done", "+1", category=arguments[0], category2=second)
    raise ValueError(f"the command {name!r} is registered but nothing carries it out")
