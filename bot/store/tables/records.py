"""The study's line for every closed issue, with its spans, its fix and who took part."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from bot.store.tables.columns import big_number, github_key, optional_words, words

_CONFIRMED = "state IN ('confirmed', 'corrected', 'rejected')"


class Record(SQLModel, table=True):
    """An issue's line of the study: its indicators, verdicts and where the conversation about it stands."""

    __tablename__ = "record"
    __table_args__ = (
        UniqueConstraint("repository_id", "number"),
        Index("record_closed", "repository_id", "closed_at"),
        Index("record_disputed", "repository_id", postgresql_where=text("state = 'disputed'")),
        Index("record_confirmed", text("closed_at DESC"), "issue_id", postgresql_where=text(_CONFIRMED)),
        Index(
            "record_confirmed_here",
            "repository_id",
            text("closed_at DESC"),
            "issue_id",
            postgresql_where=text(_CONFIRMED),
        ),
        Index("record_gathered", "repository_id", "gathered_at"),
        Index(
            "record_asked",
            "repository_id",
            "asked_at",
            postgresql_where=text("decided_at IS NULL AND (asked_at IS NOT NULL OR selection IS NOT NULL)"),
        ),
        Index(
            "record_sampled",
            "repository_id",
            "category",
            postgresql_where=text("selection = 'random' AND decided_at IS NOT NULL"),
        ),
        Index(
            "record_decided",
            "repository_id",
            "eligible_system",
            "eligible_bug",
            postgresql_where=text("decided_at IS NOT NULL AND is_open IS false AND backfilled IS false"),
        ),
    )
    issue_id: int = github_key()
    repository_id: int = big_number(nullable=False)
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
    exclusions: list[str] = words()
    category: str | None = None
    category2: str | None = None
    none_kind: str | None = None
    category_source: str | None = None  # decision | label | study
    backfilled: bool = False  # read from the history, not at its closing: never asked about
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
    issue_form: bool | None = None
    members: int | None = None
    participation_percent: float | None = None
    non_members: int | None = None
    member_contributions: int | None = None
    fix_author_contributions: int | None = None
    fix_kind: str | None = None
    fix_link: str | None = None  # how the fix was found, one of FixLink: no address
    fix_merged_at: datetime | None = None
    languages: list[str] | None = optional_words()
    languages_with_tests: list[str] | None = optional_words()
    mpl: bool | None = None
    mpl_with_tests: bool | None = None
    change_entropy: float | None = None
    change_entropy_with_tests: float | None = None
    gathered_at: datetime


class Span(SQLModel, table=True):
    """One stretch of an issue being open; `position` counts from 0."""

    __tablename__ = "span"
    issue_id: int = github_key()
    position: int = Field(primary_key=True)
    opened_at: datetime
    closed_at: datetime | None = None
    closed_by_id: int | None = big_number()
    state_reason: str | None = None


class Fix(SQLModel, table=True):
    """The change that closed an issue, with GitHub's own totals."""

    __tablename__ = "fix"
    issue_id: int = github_key()
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
    issue_id: int = github_key()
    path: str = Field(primary_key=True)
    additions: int
    deletions: int


class Participation(SQLModel, table=True):
    """What one person did in one issue or its fix: author, commenter, fix_author or reviewer."""

    __tablename__ = "participation"
    issue_id: int = github_key()
    person_id: int = github_key()
    role: str = Field(primary_key=True)
    member: bool | None = None
