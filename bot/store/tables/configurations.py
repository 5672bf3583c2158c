"""The files by which repositories and owners set the App up, as they were last read."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from bot.store.tables.columns import github_key, mapping


class ConfigurationFile(SQLModel, table=True):
    """A repository's own file (`scope` repository, by its id), or an owner's defaults (`owner`, by the installation).

    `document` holds the keys of the newest version without mistakes, which counts; `mistakes` are those of the newest
    version, each a list of line, column and sentence. The rest is about the one issue that shows them.
    """

    __tablename__ = "configuration_file"
    scope: str = Field(primary_key=True)  # repository | owner
    id: int = github_key()
    found: bool = False  # whether there is such a file
    etag: str | None = None
    sha: str | None = None
    document: dict[str, Any] = mapping()
    mistakes: list[list[Any]] = Field(
        default_factory=list, sa_column=Column(JSONB, nullable=False, server_default=text("'[]'"))
    )
    checked_at: datetime
    woke: bool = False  # whether the file's being there ended the repository's silence
    issue_number: int | None = None
    issue_state: str | None = None  # open | closed, as we left it | lost: deleted or moved by a person
    issue_shows: str | None = None  # a digest of the mistakes in it
