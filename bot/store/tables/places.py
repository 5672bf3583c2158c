"""Where the App is, installations and repositories, and where issues went."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, DateTime, Index, event, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import Field, SQLModel

from bot.secrecy import SECRECY
from bot.store.tables.columns import big_number, github_key, words


class Installation(SQLModel, table=True):
    """One installation of the App, with the write budget that all its replicas share."""

    __tablename__ = "installation"
    id: int = github_key()
    account_id: int | None = big_number()
    account_login: str | None = None
    account_type: str | None = None
    repository_selection: str | None = None
    state: str = "active"  # active | suspended | removed
    created_at: datetime
    as_of: datetime | None = None  # GitHub's own time of what is known of it
    seen_at: datetime | None = None  # when the event came that told so
    removed_at: datetime | None = None
    recent_writes: list[datetime] = Field(
        default_factory=list,
        sa_column=Column(ARRAY(DateTime(timezone=True)), nullable=False, server_default=text("'{}'")),
    )
    background_writes: list[datetime] = Field(  # those of them that nobody waits for, as of reports
        default_factory=list,
        sa_column=Column(ARRAY(DateTime(timezone=True)), nullable=False, server_default=text("'{}'")),
    )


class Repository(SQLModel, table=True):
    """One GitHub repository and what the operator or its configuration says of the framework it holds."""

    __tablename__ = "repository"
    id: int = github_key()
    installation_id: int | None = big_number(index=True)
    full_name: str = Field(index=True)
    private: bool = False
    archived: bool = False
    fork: bool = False
    state: str = "observe"  # observe | active | silent | removed
    observe_until: datetime | None = None
    paradigm: str | None = None  # ml | traditional
    domain: str | None = None
    in_comparison: bool = False
    share: str = Field(default="group", sa_column_kwargs={"server_default": "group"})  # group | named | off
    watches: int | None = None
    stars: int | None = None
    forks: int | None = None
    commits: int | None = None
    contributors: int | None = None
    indicators_at: datetime | None = None  # when the five before were read
    notes: list[str] = words()  # what every reader of its numbers must know
    matched_with: int | None = big_number()  # the repository of the other paradigm it was matched with
    inbox_number: int | None = None
    inbox_issue_id: int | None = big_number()
    inbox_closed: bool = False
    # whether a label of ours was to be put on an issue and does not exist: it is made by the set-up alone
    labels_missing: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    inbox_read_edit: str | None = None  # GitHub's id of the newest edit of the inbox whose ticks were taken
    created_at: datetime
    updated_at: datetime
    as_of: datetime | None = None  # GitHub's own time of the name and the flags
    left_at: datetime | None = None  # when the App was taken away; None as well where it never was
    left_installation_id: int | None = big_number()  # where it was until then
    forgotten_at: datetime | None = None  # when the people in its records were deleted


class MovedIssue(SQLModel, table=True):
    """An issue that was transferred, by what it was: in another repository it is another issue."""

    __tablename__ = "moved_issue"
    __table_args__ = (Index("moved_issue_place", "repository_id", "number"),)
    issue_id: int = github_key()
    repository_id: int = big_number(nullable=False)
    number: int
    to_issue_id: int = big_number(nullable=False)
    to_repository_id: int = big_number(nullable=False)
    to_number: int
    moved_at: datetime


def _note_name(repository: Repository) -> None:
    """Let logs name a repository by its number alone for as long as it is private."""
    facts = repository.__dict__
    name = facts.get("full_name")
    if name is None or "private" not in facts:
        return
    if facts["private"]:
        SECRECY.hide_repository(facts["id"], name)
    else:
        SECRECY.show_repository(name)


event.listen(Repository, "load", lambda row, _: _note_name(row))
event.listen(Repository, "refresh", lambda row, _, __: _note_name(row))
event.listen(Repository, "after_insert", lambda _, __, row: _note_name(row))
event.listen(Repository, "after_update", lambda _, __, row: _note_name(row))
