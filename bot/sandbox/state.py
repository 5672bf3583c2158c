"""What the local GitHub remembers: plain dataclasses, each with a numeric id; all times are aware and in UTC."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

AccountKind = Literal["User", "Organization", "Bot"]
Role = Literal["read", "triage", "write", "maintain", "admin"]
StateReason = Literal["completed", "not_planned", "duplicate"]
EventKind = Literal[
    "closed", "reopened", "labeled", "unlabeled", "locked", "unlocked", "renamed", "cross-referenced",
    "connected", "marked_as_duplicate", "transferred", "referenced",
]  # fmt: skip
ReviewState = Literal["APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "PENDING"]


@dataclass(slots=True)
class Account:
    """A person, an organization or a bot; `members` maps the ids of an organization's members to "is public"."""

    id: int
    login: str
    kind: AccountKind
    created_at: datetime
    name: str | None = None
    followers: int = 0
    bio: str | None = None
    company: str | None = None
    deleted: bool = False
    members: dict[int, bool] = field(default_factory=dict)


@dataclass(slots=True)
class Installation:
    """The App installed on one account; `repository_ids` counts only for the selection `selected`."""

    id: int
    account_id: int
    selection: Literal["all", "selected"]
    created_at: datetime
    updated_at: datetime
    permissions: dict[str, str]
    events: list[str]
    repository_ids: list[int] = field(default_factory=list)
    suspended_at: datetime | None = None
    suspended_by_id: int | None = None


@dataclass(slots=True)
class Repository:
    """A repository with its facts, its collaborators' roles by account id and its files' texts by path."""

    id: int
    owner_id: int
    name: str
    created_at: datetime
    updated_at: datetime
    private: bool = False
    archived: bool = False
    fork: bool = False
    has_issues: bool = True
    default_branch: str = "main"
    description: str | None = None
    language: str | None = None
    watches: int = 0
    stars: int = 0
    forks: int = 0
    last_number: int = 0
    collaborators: dict[int, Role] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    previous_names: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Label:
    """One label of a repository; names are unique there without regard to case."""

    id: int
    repository_id: int
    name: str
    color: str = "ededed"
    description: str | None = None


@dataclass(slots=True)
class Edit:
    """One version of a text: who wrote it when; the first one is the text as created."""

    at: datetime
    editor_id: int | None
    body: str


@dataclass(slots=True)
class Issue:
    """An issue; `edits` is empty until its body is first edited, and then holds every version."""

    id: int
    repository_id: int
    number: int
    title: str
    body: str | None
    author_id: int | None
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None = None
    closed_by_id: int | None = None
    state_reason: Literal["completed", "not_planned", "duplicate", "reopened"] | None = None
    locked: bool = False
    lock_reason: str | None = None
    label_ids: list[int] = field(default_factory=list)
    assignee_ids: list[int] = field(default_factory=list)
    issue_type: str | None = None
    via_app: bool = False
    edits: list[Edit] = field(default_factory=list)
    deleted: bool = False
    transferred_to: int | None = None
    pinned_at: datetime | None = None
    pinned_by_id: int | None = None


@dataclass(slots=True)
class Comment:
    """One comment in the conversation of an issue or a pull request; `edits` as of an issue."""

    id: int
    repository_id: int
    number: int
    author_id: int | None
    body: str
    created_at: datetime
    updated_at: datetime
    via_app: bool = False
    edits: list[Edit] = field(default_factory=list)

    def edit(self, body: str, editor_id: int, at: datetime) -> None:
        """Change the text and keep every version."""
        if not self.edits:
            self.edits.append(Edit(self.created_at, self.author_id, self.body))
        self.edits.append(Edit(at, editor_id, body))
        self.body, self.updated_at = body, at


@dataclass(slots=True)
class Reaction:
    """One account's reaction to an issue's description or to a comment."""

    id: int
    subject: Literal["issue", "comment"]
    subject_id: int
    account_id: int
    content: str
    created_at: datetime


@dataclass(slots=True)
class FileChange:
    """One file of a change; `status` in the words of the REST API."""

    path: str
    status: Literal["added", "removed", "modified", "renamed"]
    additions: int
    deletions: int


@dataclass(slots=True)
class Review:
    """A review of a pull request with its comments on lines."""

    author_id: int | None
    state: ReviewState
    body: str
    submitted_at: datetime
    comments: list[ReviewComment] = field(default_factory=list)


@dataclass(slots=True)
class ReviewComment:
    """A comment on a line of a pull request; `reply` is true where it continues the thread before it."""

    author_id: int | None
    body: str
    path: str
    created_at: datetime
    reply: bool = False


@dataclass(slots=True)
class PullRequest:
    """A pull request; `closes` are the ids of the issues linked to it, `linked_by_hand` those linked by a person."""

    id: int
    repository_id: int
    number: int
    title: str
    body: str
    author_id: int | None
    created_at: datetime
    updated_at: datetime
    merged_at: datetime | None = None
    merged_by_id: int | None = None
    closed_at: datetime | None = None
    base_branch: str = "main"
    head_branch: str = "fix"
    additions: int = 0
    deletions: int = 0
    changed_files: int = 0
    files: list[FileChange] = field(default_factory=list)
    merge_commit_sha: str | None = None
    commit_shas: list[str] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    closes: list[int] = field(default_factory=list)
    linked_by_hand: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Commit:
    """A commit; `author_id` is None where no account is the author's; `closes` are ids of issues it names as fixed.

    Without `branch` it is on the default branch.
    """

    id: int
    repository_id: int
    sha: str
    message: str
    committed_at: datetime
    author_id: int | None = None
    author_name: str = "somebody"
    author_email: str = "somebody@example.com"
    files: list[FileChange] = field(default_factory=list)
    additions: int = 0
    deletions: int = 0
    pull_request_ids: list[int] = field(default_factory=list)
    closes: list[int] = field(default_factory=list)
    branch: str | None = None


@dataclass(slots=True)
class TimelineEvent:
    """Something that happened to an issue; which of the optional fields are set depends on `kind`."""

    id: int
    repository_id: int
    number: int
    kind: EventKind
    actor_id: int | None
    created_at: datetime
    state_reason: StateReason | None = None
    closer_pull_request_id: int | None = None
    closer_commit_id: int | None = None
    label: str | None = None
    color: str | None = None
    title_before: str | None = None
    title_after: str | None = None
    source_issue_id: int | None = None
    source_pull_request_id: int | None = None
    will_close: bool = False
    commit_id: int | None = None
    from_repository_id: int | None = None
    lock_reason: str | None = None
    via_app: bool = False
