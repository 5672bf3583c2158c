"""Where the App is: installations and repositories."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, DateTime, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import Field, SQLModel

from bot.store.tables.columns import big_number, github_key


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
    removed_at: datetime | None = None
    recent_writes: list[datetime] = Field(
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
    matched_with: int | None = big_number()  # the repository of the other paradigm it was matched with
    inbox_number: int | None = None
    inbox_issue_id: int | None = big_number()
    inbox_closed: bool = False
    created_at: datetime
    updated_at: datetime
