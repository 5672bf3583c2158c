"""What researchers code apart from the repositories' maintainers: the drawn list, their notes, their resolutions."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field, SQLModel

from bot.store.tables.columns import big_number, github_key


class StudyIssue(SQLModel, table=True):
    """One closed issue that was drawn to be coded, with its probability of being drawn and the seed of its order."""

    __tablename__ = "study_issue"
    issue_id: int = github_key()
    repository_id: int = big_number(nullable=False, index=True)
    probability: float
    seed: int = big_number(nullable=False)
    drawn_at: datetime


class StudyNote(SQLModel, table=True):
    """What a coder wrote beside a category, or the new code that a coder proposes instead of one.

    A new code is a draft: it is shown to the researchers alone and enters no table.
    """

    __tablename__ = "study_note"
    issue_id: int = github_key()
    coder: str = Field(primary_key=True)
    draft: str | None = None
    note: str | None = None
    written_at: datetime


class StudyResolution(SQLModel, table=True):
    """What the coders agreed on after they had disagreed; it stands for all that was decided up to then."""

    __tablename__ = "study_resolution"
    issue_id: int = github_key()
    category: str
    category2: str | None = None
    none_kind: str | None = None
    note: str
    resolved_at: datetime
