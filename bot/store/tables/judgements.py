"""What the model says, what people decide, and what is reported."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Index, LargeBinary, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from bot.store.tables.columns import big_number, github_key, mapping, numbers, optional_words, own_key, words


class EvidenceText(SQLModel, table=True):
    """The text a prediction was made from, compressed; kept only while the repository is installed."""

    __tablename__ = "evidence"
    issue_id: int = github_key()
    repository_id: int = big_number(nullable=False, index=True)
    text: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    gathered_at: datetime


class LaterComments(SQLModel, table=True):
    """What people wrote after the closing that counts, compressed: kept apart, since nothing is computed from it."""

    __tablename__ = "later_comments"
    issue_id: int = github_key()
    repository_id: int = big_number(nullable=False, index=True)
    comments: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class Proposal(SQLModel, table=True):
    """What the model says of one issue; the newest one of an issue counts."""

    __tablename__ = "proposal"
    __table_args__ = (Index("proposal_newest", "issue_id", "id"),)
    id: int | None = own_key()
    issue_id: int = big_number(nullable=False)
    model: str
    category: str
    probability: float
    second: str
    second_probability: float
    system_related: float
    proposed: bool
    reason: str | None = None
    facts: list[str] = words()
    words: list[str] = words()
    probabilities: dict[str, float] = mapping()
    created_at: datetime


class ModelVersion(SQLModel, table=True):
    """A model by the name it gives itself: one that was trained here, or one that came with a version (`shipped`).

    At most one is `champion`; while none is, the shipped one predicts. `file` holds the newest few models only.
    """

    __tablename__ = "model_version"
    __table_args__ = (Index("model_champion", "state", unique=True, postgresql_where=text("state = 'champion'")),)
    version: str = Field(primary_key=True)
    state: str  # shipped | candidate | shadow | champion | retired
    created_at: datetime
    training_hash: str | None = None
    row_ids: list[int] = numbers()  # ids of the decisions that it learned from, beside the bundled corpus
    figures: dict[str, Any] = mapping()
    file: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    promoted_at: datetime | None = None


class Decision(SQLModel, table=True):
    """What a person decided; rows are only ever added, and `undone_at` is the one thing that is set later."""

    __tablename__ = "decision"
    __table_args__ = (
        UniqueConstraint("source"),
        Index("decision_undone", "undone_at", postgresql_where=text("undone_at IS NOT NULL")),
    )
    id: int | None = own_key()
    issue_id: int = big_number(nullable=False, index=True)
    repository_id: int = big_number(nullable=False)
    person_id: int | None = big_number()
    category: str
    category2: str | None = None
    none_kind: str | None = None
    via: str  # comment | tick | label | study | import
    blind: bool = False
    maintains: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})  # the person, by rights
    source: str  # where it was said, e.g. comment:DELIVERY:POSITION:NUMBER, so that it never counts twice
    decided_at: datetime
    undone_at: datetime | None = None


class Report(SQLModel, table=True):
    """One posted report; a repository has one a period.

    It stands in `target_id`; `pinned` says that we pinned it, `figures` the names of the files that its text may show
    (None where it was posted before that was noted).
    """

    __tablename__ = "report"
    __table_args__ = (UniqueConstraint("repository_id", "period"),)
    id: int | None = own_key()
    repository_id: int = big_number(nullable=False)
    period: str
    number: int | None = None
    issue_id: int | None = big_number()
    url: str | None = None
    state: str = "due"  # due | posted | closed
    target_id: int | None = big_number()
    pinned: bool = False
    figures: list[str] | None = optional_words()
    created_at: datetime
    posted_at: datetime | None = None
