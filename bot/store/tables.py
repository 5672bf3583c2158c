"""The tables, keyed by GitHub's numeric ids; names are attributes, updated from every payload.

Plain `datetime` columns are stored with their time zone (UTC). Enumerations are stored as text, and JSON columns
hold only what is read back whole.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Column, DateTime, Identity, Index, LargeBinary, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlmodel import Field, SQLModel


def _id(**arguments: Any) -> Any:
    """Return a primary key column for a number that GitHub gave."""
    return Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False, **arguments))


def _big(*, nullable: bool = True, index: bool = False) -> Any:
    """Return a column for a number that GitHub gave elsewhere; `None` by default only where it may be null."""
    column = Column(BigInteger, nullable=nullable, index=index)
    return Field(default=None, sa_column=column) if nullable else Field(sa_column=column)


def _list() -> Any:
    return Field(default_factory=list, sa_column=Column(ARRAY(Text), nullable=False, server_default=text("'{}'")))


def _json() -> Any:
    return Field(default_factory=dict, sa_column=Column(JSONB, nullable=False, server_default=text("'{}'")))


class Installation(SQLModel, table=True):
    """One installation of the App, with the write budget that all its replicas share."""

    __tablename__ = "installation"
    id: int = _id()
    account_id: int | None = _big()
    account_login: str | None = None
    account_type: str | None = None
    repository_selection: str | None = None
    state: str = "active"  # active | suspended | removed
    created_at: datetime
    removed_at: datetime | None = None
    recent_writes: list[datetime] = Field(
        default_factory=list,
        sa_column=Column(ARRAY(DateTime(timezone=True)), nullable=False, server_default=text("'{}'")),
    )


class Repository(SQLModel, table=True):
    """One GitHub repository and what the operator or its configuration says of the framework it holds."""

    __tablename__ = "repository"
    id: int = _id()
    installation_id: int | None = _big(index=True)
    full_name: str = Field(index=True)
    private: bool = False
    archived: bool = False
    fork: bool = False
    state: str = "observe"  # observe | active | silent | removed
    observe_until: datetime | None = None
    paradigm: str | None = None  # ml | traditional
    domain: str | None = None
    in_comparison: bool = False
    inbox_number: int | None = None
    inbox_issue_id: int | None = _big()
    inbox_closed: bool = False
    inbox_body_digest: str | None = None
    created_at: datetime
    updated_at: datetime


class Delivery(SQLModel, table=True):
    """One signed webhook as it arrived; `payload` is the raw body as text."""

    __tablename__ = "delivery"
    __table_args__ = (
        Index("delivery_waiting", "unit", "sequence", postgresql_where=text("state = 'waiting'")),
        Index("delivery_state", "state", "received_at"),
    )
    guid: str = Field(primary_key=True)
    sequence: int | None = Field(default=None, sa_column=Column(BigInteger, Identity(always=True), nullable=False))
    unit: str  # the unit of work it belongs to: issue:REPOSITORY:NUMBER, repository:ID or installation:ID
    event: str
    action: str | None = None
    installation_id: int | None = _big()
    repository_id: int | None = _big()
    number: int | None = None
    sender_id: int | None = _big()
    payload: str = Field(sa_column=Column(Text, nullable=False))
    state: str = "waiting"  # waiting | done | failed
    attempts: int = 0
    error: str | None = None
    received_at: datetime
    not_before: datetime
    done_at: datetime | None = None


class Record(SQLModel, table=True):
    """An issue's line of the study: its indicators, verdicts and where the conversation about it stands."""

    __tablename__ = "record"
    __table_args__ = (
        UniqueConstraint("repository_id", "number"),
        Index("record_closed", "repository_id", "closed_at"),
    )
    issue_id: int = _id()
    repository_id: int = _big(nullable=False)
    number: int
    title: str
    html_url: str | None = None
    created_at: datetime
    created_at_estimated: bool = False
    closed_at: datetime
    is_open: bool = False
    locked: bool = False
    reopened: int = 0
    first_close_days: float | None = None
    state_reason: str | None = None
    state: str = "collected"  # collected | proposed | confirmed | corrected | rejected | disputed
    eligible_system: bool = False
    eligible_bug: bool = False
    exclusions: list[str] = _list()
    category: str | None = None
    category2: str | None = None
    none_kind: str | None = None
    category_source: str | None = None  # decision | label | study
    selection: str | None = None  # random | targeted | volunteered | imported
    selection_probability: float | None = None
    blind: bool = False
    asked_at: datetime | None = None
    decided_at: datetime | None = None
    bug_type: str | None = None
    open_days: float | None = None
    issue_comments: int | None = None
    fix_comments: int | None = None
    issue_participants: int | None = None
    fix_participants: int | None = None
    changed_lines: int | None = None
    changed_files: int | None = None
    comments_until_reproduced: int | None = None
    comments_until_reproduced_source: str | None = None
    description_words: int | None = None
    attached_files: int | None = None
    code_lines: int | None = None
    members: int | None = None
    participation_percent: float | None = None
    non_members: int | None = None
    fix_kind: str | None = None
    fix_link: str | None = None
    fix_merged_at: datetime | None = None
    languages: list[str] | None = Field(default=None, sa_column=Column(ARRAY(Text)))
    languages_with_tests: list[str] | None = Field(default=None, sa_column=Column(ARRAY(Text)))
    mpl: bool | None = None
    mpl_with_tests: bool | None = None
    change_entropy: float | None = None
    change_entropy_with_tests: float | None = None
    gathered_at: datetime


class Span(SQLModel, table=True):
    """One stretch of an issue being open; `position` counts from 0."""

    __tablename__ = "span"
    issue_id: int = _id()
    position: int = Field(primary_key=True)
    opened_at: datetime
    closed_at: datetime | None = None
    closed_by_id: int | None = _big()
    state_reason: str | None = None


class Fix(SQLModel, table=True):
    """The change that closed an issue, with GitHub's own totals."""

    __tablename__ = "fix"
    issue_id: int = _id()
    kind: str
    link: str
    repository: str | None = None
    number: int | None = None
    sha: str | None = None
    landed: bool = False
    merged_at: datetime | None = None
    additions: int | None = None
    deletions: int | None = None
    changed_files: int | None = None
    files_truncated: bool = False


class FixFile(SQLModel, table=True):
    """One file of a fix with its added and deleted lines."""

    __tablename__ = "fix_file"
    issue_id: int = _id()
    path: str = Field(primary_key=True)
    additions: int
    deletions: int


class Person(SQLModel, table=True):
    """Somebody who took part; only the account's own number and public name are kept."""

    __tablename__ = "person"
    id: int = _id()
    login: str | None = None
    kind: str  # human | bot
    updated_at: datetime


class Participation(SQLModel, table=True):
    """What one person did in one issue or its fix: author, commenter, fix_author or reviewer."""

    __tablename__ = "participation"
    issue_id: int = _id()
    person_id: int = _id()
    role: str = Field(primary_key=True)
    member: bool | None = None


class EvidenceText(SQLModel, table=True):
    """The text a prediction was made from, compressed; kept only while the repository is installed."""

    __tablename__ = "evidence"
    issue_id: int = _id()
    repository_id: int = _big(nullable=False, index=True)
    text: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    gathered_at: datetime


class Proposal(SQLModel, table=True):
    """What the model says of one issue; the newest one of an issue counts."""

    __tablename__ = "proposal"
    id: int | None = Field(default=None, sa_column=Column(BigInteger, primary_key=True, autoincrement=True))
    issue_id: int = _big(nullable=False, index=True)
    model: str
    category: str
    probability: float
    second: str
    second_probability: float
    system_related: float
    proposed: bool
    reason: str | None = None
    words: list[str] = _list()
    probabilities: dict[str, float] = _json()
    created_at: datetime


class Decision(SQLModel, table=True):
    """What a person decided; rows are only ever added, and `undone_at` is the one thing that is set later."""

    __tablename__ = "decision"
    __table_args__ = (UniqueConstraint("source"),)
    id: int | None = Field(default=None, sa_column=Column(BigInteger, primary_key=True, autoincrement=True))
    issue_id: int = _big(nullable=False, index=True)
    repository_id: int = _big(nullable=False)
    person_id: int | None = _big()
    category: str
    category2: str | None = None
    none_kind: str | None = None
    via: str  # comment | tick | label | study | import
    blind: bool = False
    source: str  # where it was said, e.g. comment:ID:line, so that it is never counted twice
    decided_at: datetime
    undone_at: datetime | None = None


class Command(SQLModel, table=True):
    """A command that was read in a comment, kept so that a second delivery of the same event runs it no second time."""

    __tablename__ = "command"
    __table_args__ = (
        UniqueConstraint("delivery", "position", "number"),
        Index("command_pending", "repository_id", "number", postgresql_where=text("state = 'pending'")),
    )
    id: int | None = Field(default=None, sa_column=Column(BigInteger, primary_key=True, autoincrement=True))
    delivery: str
    position: int
    repository_id: int = _big(nullable=False)
    number: int  # of the issue it is about
    comment_id: int = _big(nullable=False)
    written_in: int  # number of the issue the comment stands in: that one, or the inbox
    person_id: int = _big(nullable=False)
    text: str
    state: str  # pending | done | refused | confused
    created_at: datetime
    done_at: datetime | None = None


class Written(SQLModel, table=True):
    """What the App created on GitHub, by its hidden marker, so that it is created once."""

    __tablename__ = "written"
    repository_id: int = _id()
    marker: str = Field(primary_key=True)
    kind: str
    github_id: int = _big(nullable=False)
    number: int | None = None
    url: str | None = None
    created_at: datetime


class Report(SQLModel, table=True):
    """One posted report; a repository has one a period."""

    __tablename__ = "report"
    __table_args__ = (UniqueConstraint("repository_id", "period"),)
    id: int | None = Field(default=None, sa_column=Column(BigInteger, primary_key=True, autoincrement=True))
    repository_id: int = _big(nullable=False)
    period: str
    number: int | None = None
    issue_id: int | None = _big()
    url: str | None = None
    state: str = "due"  # due | posted | closed
    body_digest: str | None = None
    created_at: datetime
    posted_at: datetime | None = None


class ModelVersion(SQLModel, table=True):
    """A model that made proposals, by the name it gives itself."""

    __tablename__ = "model_version"
    version: str = Field(primary_key=True)
    state: str = "champion"
    created_at: datetime
