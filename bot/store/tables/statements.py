"""What people say of an issue besides its cause, and the links to fixes that are still looked for."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Column, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from bot.store.tables.columns import big_number, github_key


class Statement(SQLModel, table=True):
    """A fix or a bug type that a person named, where they say it was reproduced, or that they refused the proposal.

    The newest of a kind counts, but for refusals, of which each stands. Rows are only ever added, and `undone_at` is
    the one thing that is set later. Statements and decisions are numbered by one sequence, which tells in what order
    they were made.
    """

    __tablename__ = "statement"
    __table_args__ = (UniqueConstraint("source"),)
    id: int | None = Field(
        default=None, sa_column=Column(BigInteger, primary_key=True, server_default=text("nextval('decision_id_seq')"))
    )
    issue_id: int = big_number(nullable=False, index=True)
    repository_id: int = big_number(nullable=False, index=True)
    number: int  # of the issue
    person_id: int | None = big_number()
    kind: str  # fix | reproduced | type | refused
    fix_repository: str | None = None  # as "owner/name"
    fix_number: int | None = None  # of a pull request
    fix_sha: str | None = None  # of a commit, perhaps only its beginning
    position: int | None = None  # of the comment in which it was reproduced, from 1; none where it never was
    bug_type: str | None = None
    source: str  # where it was said, as of decisions
    said_at: datetime
    undone_at: datetime | None = None


class LeftAlone(SQLModel, table=True):
    """An issue, open or closed, that nobody is asked about: its author or a maintainer said so."""

    __tablename__ = "left_alone"
    repository_id: int = github_key()
    number: int = Field(primary_key=True)
    left_at: datetime


class AwaitedLink(SQLModel, table=True):
    """A closed issue that is looked at again, since no fix of it is known that landed."""

    __tablename__ = "awaited_link"
    issue_id: int = github_key()
    repository_id: int = big_number(nullable=False, index=True)
    number: int
    due_at: datetime = Field(index=True)
