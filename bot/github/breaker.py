"""The circuit-breaker: whether one more write in an issue may go out, or the App goes round in a circle; pure.

Two Apps that answer each other, or an account that repeats what the App says, repeat themselves; people at work in an
issue mostly say something new. So whatever is new is answered, and after a few writes within an hour what is said again
is not: a circle ends within five writes (github.md, R7).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from bot.github.actions import (
    Action,
    AddLabel,
    CreateComment,
    CreateIssue,
    CreateLabel,
    PinIssue,
    React,
    RemoveLabel,
    UnpinIssue,
    UpdateComment,
    UpdateIssue,
)

PERIOD = timedelta(hours=1)
MOST_IN_A_CIRCLE = 5
"""Writes within the period after which what was said before is answered no more (issue 6: "within 5 writes")."""

MOST_SUSPECTS = 3
"""Of these, writes that can keep a circle going (words and labels), or that answered the same again."""

MOST_SAME = 3
"""Times that an issue of our own is given the same text within the period: somebody else changes it back each time."""

MOST_IN_AN_ISSUE, MOST_IN_OUR_OWN = 30, 200
"""Writes in one issue within the period, whatever they say; many people work in an inbox."""

OPEN = "circuit breaker"
"""Why a write was skipped."""


@dataclass(frozen=True)
class Write:
    """One write in an issue: whom it answers (`who`, empty for nobody), what they said or it says, and the occasion.

    A write that is `loud` can be answered by another App: GitHub tells of words and labels, and of no reaction.
    """

    number: int
    at: datetime
    who: str
    said: str
    occasion: str
    loud: bool


class Breaker(Protocol):
    """Remembers the writes of one repository's issues, over all replicas."""

    async def admits(self, write: Write) -> bool:
        """Say whether a write may go out."""
        ...

    async def note(self, write: Write) -> None:
        """Remember that it went out."""
        ...

    async def stopped(self, kind: str) -> None:
        """Count a write of this kind that was not admitted."""
        ...


def write_of(action: Action, now: datetime) -> Write | None:
    """Return an action as the breaker sees it; None for what is not written in one known issue."""
    match action:
        case CreateIssue() | CreateLabel() | PinIssue() | UnpinIssue():
            return None
        case React() | CreateComment() | UpdateComment():
            if action.number is None:
                return None
            loud = not isinstance(action, React)
            cause = action.cause
            if cause is not None:
                return Write(action.number, now, digest(cause.who), digest(cause.said), cause.occasion, loud)
            text = action.content if isinstance(action, React) else action.body
            return Write(action.number, now, "", digest(type(action).__name__, text), now.isoformat(), loud)
        case UpdateIssue():
            text = f"{action.title}\n{action.state}\n{action.body}"
            return Write(action.number, now, "", digest(text), now.isoformat(), loud=True)
        case AddLabel() | RemoveLabel():
            said = digest(type(action).__name__, action.name)
            return Write(action.number, now, "", said, now.isoformat(), loud=True)


def digest(*words: str) -> str:
    """Return what tells texts apart without being one of them."""
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def may_write(past: Sequence[Write], write: Write, *, is_own: bool) -> bool:
    """Decide on one more write in an issue from those of the hour before it, oldest first.

    In an inbox or a report (`is_own`) each person is looked at apart, and rewriting it is stopped only where that puts
    back the same text again and again.
    """
    if len(past) >= (MOST_IN_OUR_OWN if is_own else MOST_IN_AN_ISSUE):
        return False
    same = {one.occasion for one in past if _is_same(one, write) and one.occasion != write.occasion}
    if is_own and not write.who:
        return len(same) < MOST_SAME
    around = [one for one in past if not is_own or one.who == write.who]
    return not same or len(around) < MOST_IN_A_CIRCLE or _suspects(around) < MOST_SUSPECTS


def _suspects(writes: Sequence[Write]) -> int:
    return sum(
        one.loud or any(_is_same(one, before) and one.occasion != before.occasion for before in writes[:index])
        for index, one in enumerate(writes)
    )


def _is_same(one: Write, other: Write) -> bool:
    return (one.who, one.said) == (other.who, other.said)
