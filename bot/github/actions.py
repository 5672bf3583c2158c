"""The only things the App may do to GitHub, as plain values: decided by features, performed by the writer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Reaction = Literal["eyes", "+1", "-1", "confused"]


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


@dataclass(frozen=True)
class UpdateComment:
    """Edit a comment of our own in place."""

    repository_id: int
    repository: str
    comment_id: int
    body: str


@dataclass(frozen=True)
class React:
    """Answer an issue's description (`comment_id` None) or one of its comments with a reaction."""

    repository_id: int
    repository: str
    number: int
    comment_id: int | None
    content: Reaction


Action = CreateIssue | UpdateIssue | CreateComment | UpdateComment | React
