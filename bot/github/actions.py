"""The only things the App may do to GitHub, as plain values: decided by features, performed by the writer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Reaction = Literal["eyes", "+1", "-1", "confused"]
Status = Literal["done", "unchanged", "skipped"]
"""What became of an action that was tried."""


@dataclass(frozen=True)
class Cause:
    """Whose words a write answers, what they said by its meaning, and in which delivery it was heard (`occasion`)."""

    who: str
    said: str
    occasion: str


@dataclass(frozen=True)
class CreateIssue:
    """Open an issue of our own; `marker` is a hidden comment in `body` that is looked for before creating."""

    repository_id: int
    repository: str
    title: str
    body: str
    marker: str
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()


@dataclass(frozen=True)
class UpdateIssue:
    """Rewrite an issue of our own, or close it; fields left None stay as they are."""

    repository_id: int
    repository: str
    number: int
    title: str | None = None
    body: str | None = None
    state: Literal["open", "closed"] | None = None


@dataclass(frozen=True)
class CreateComment:
    """Write one comment; `marker` is a hidden comment in `body` that is looked for before creating."""

    repository_id: int
    repository: str
    number: int
    body: str
    marker: str
    cause: Cause | None = None


@dataclass(frozen=True)
class UpdateComment:
    """Edit a comment of our own in place, in the issue with this number where that is known."""

    repository_id: int
    repository: str
    comment_id: int
    body: str
    number: int | None = None
    cause: Cause | None = None


@dataclass(frozen=True)
class React:
    """Answer an issue's description (`comment_id` None) or one of its comments with a reaction."""

    repository_id: int
    repository: str
    number: int
    comment_id: int | None
    content: Reaction
    cause: Cause | None = None


@dataclass(frozen=True)
class PinIssue:
    """Pin an issue of our own above its repository's list, where fewer than three others are."""

    repository_id: int
    repository: str
    number: int


@dataclass(frozen=True)
class UnpinIssue:
    """Take away the pin that we gave to an issue of our own."""

    repository_id: int
    repository: str
    number: int


@dataclass(frozen=True)
class _OwnLabel:
    """One label of our own: the repository's prefix for them, and a category's key."""

    repository_id: int
    repository: str
    prefix: str
    category: str

    @property
    def name(self) -> str:
        """The label's name."""
        return self.prefix + self.category


@dataclass(frozen=True)
class AddLabel(_OwnLabel):
    """Put one label of our own on an issue; one that the repository lacks is not made in passing."""

    number: int


@dataclass(frozen=True)
class RemoveLabel(_OwnLabel):
    """Take one label of our own off an issue."""

    number: int


@dataclass(frozen=True)
class CreateLabel(_OwnLabel):
    """Make one label of our own in a repository; `color` is six hexadecimal digits."""

    color: str
    description: str


LabelAction = AddLabel | RemoveLabel | CreateLabel
Action = CreateIssue | UpdateIssue | CreateComment | UpdateComment | React | PinIssue | UnpinIssue | LabelAction
