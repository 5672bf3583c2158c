"""What was gathered about one closed issue: the facts every later decision is made from."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

ActorKind = Literal["human", "bot", "ghost"]
FixKind = Literal["pull_request", "commit"]
FixLink = Literal["manual", "closer_pr", "closer_commit", "linked_pr", "commit_keyword", "private"]


@dataclass(frozen=True)
class Actor:
    """Somebody on GitHub; a deleted account is a `ghost` without id and login.

    `node_id` is a person's id in GraphQL, by which the account is found whatever it is called later.
    """

    kind: ActorKind
    id: int | None = None
    login: str | None = None
    node_id: str | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Comment:
    """One comment of the issue's conversation, with its author's standing when it was read."""

    id: int
    author: Actor
    association: str
    created_at: datetime
    body: str


@dataclass(frozen=True)
class Span:
    """One stretch of the issue being open, and how it ended; the last one may still be open."""

    opened_at: datetime
    closed_at: datetime | None
    closed_by: Actor | None = None
    state_reason: str | None = None


@dataclass(frozen=True)
class Labelling:
    """One moment at which a label was put on the issue, by whom, and when it was taken off again, if it was."""

    created_at: datetime
    label: str
    by: Actor | None = field(default=None, compare=False)
    until: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True)
class FixFile:
    """One file of a fix with its added and deleted lines."""

    path: str
    additions: int
    deletions: int


@dataclass(frozen=True)
class Fix:
    """The pull request or commit that closed the issue, and how it was found.

    `additions`, `deletions` and `changed_files` are GitHub's own totals, never sums over `files`, which may be
    cut short (`files_truncated`). `comments` counts conversation, review comments and reviews with text by humans;
    `participants` are the human author, commenters and reviewers.
    """

    kind: FixKind
    link: FixLink
    repository: str | None = None
    number: int | None = None
    sha: str | None = None
    title: str | None = None
    author: Actor | None = None
    landed: bool = False
    merged_at: datetime | None = None
    additions: int | None = None
    deletions: int | None = None
    changed_files: int | None = None
    files: tuple[FixFile, ...] = ()
    files_truncated: bool = False
    comments: int | None = None
    participants: tuple[Actor, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """Everything gathered about one issue; times are UTC.

    `title`, `body` and `labels` are as they were when the issue was closed, or as they are now while it is open;
    `present_title` is the title now, where it was asked for.
    `first_body` is the description as first written where GitHub still shows it, else None. `comments` are all
    that were read, bots and later ones included: who and what counts is decided by the functions of this package.
    `labellings` are all moments at which a label was put on, in order.
    `fix_link` is None where nothing was found, and `private` where the closer cannot be read.
    """

    repository_id: int
    repository: str
    issue_id: int
    number: int
    title: str
    body: str
    first_body: str | None
    author: Actor
    author_association: str
    created_at: datetime
    state: Literal["open", "closed"]
    state_reason: str | None
    locked: bool
    labels: tuple[str, ...]
    issue_type: str | None
    is_pull_request: bool
    spans: tuple[Span, ...]
    comments: tuple[Comment, ...]
    fix: Fix | None
    fix_link: FixLink | None
    labellings: tuple[Labelling, ...] = ()
    html_url: str | None = None
    present_title: str | None = None

    @property
    def closed_at(self) -> datetime | None:
        """End of the last span, or None while the issue is open."""
        return self.spans[-1].closed_at if self.spans else None
