"""What came in and went out: deliveries, commands in comments, and what the App created."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Column, Identity, Index, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from bot.store.tables.columns import big_number, github_key, own_key


class Delivery(SQLModel, table=True):
    """One signed webhook; `payload` is what is kept of its body (`bot.trimming`), as JSON text, and the row 14 days."""

    __tablename__ = "delivery"
    __table_args__ = (
        Index("delivery_waiting", "unit", "sequence", postgresql_where=text("state = 'waiting'")),
        Index("delivery_due", "not_before", postgresql_where=text("state = 'waiting'")),
        Index("delivery_received", "received_at"),
        Index("delivery_failed", "received_at", postgresql_where=text("state = 'failed'")),
    )
    guid: str = Field(primary_key=True)
    sequence: int | None = Field(default=None, sa_column=Column(BigInteger, Identity(always=True), nullable=False))
    unit: str  # the unit of work it belongs to: issue:REPOSITORY:NUMBER, repository:ID or installation:ID
    event: str
    action: str | None = None
    installation_id: int | None = big_number()
    repository_id: int | None = big_number()
    number: int | None = None
    sender_id: int | None = big_number()
    payload: str = Field(sa_column=Column(Text, nullable=False))
    state: str = "waiting"  # waiting | done | ignored | failed
    attempts: int = 0
    error: str | None = None
    received_at: datetime
    not_before: datetime
    done_at: datetime | None = None


class FailedJob(SQLModel, table=True):
    """Why a job failed for good; the row goes with the queue's own."""

    __tablename__ = "failed_job"
    job_id: int = github_key()
    error: str


class Command(SQLModel, table=True):
    """A command that was read in a comment, kept so that a second delivery of the same event runs it no second time."""

    __tablename__ = "command"
    __table_args__ = (
        UniqueConstraint("delivery", "position", "number"),
        Index("command_issue", "repository_id", "number"),
    )
    id: int | None = own_key()
    delivery: str
    position: int
    repository_id: int = big_number(nullable=False)
    number: int  # of the issue it is about
    comment_id: int = big_number(nullable=False)
    written_in: int  # number of the issue the comment stands in: that one, or the inbox
    person_id: int = big_number(nullable=False)
    maintains: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})  # its writer, by rights
    text: str
    state: str  # pending | done | confused
    words: str | None = None  # what its writer is told beside the reaction
    created_at: datetime
    done_at: datetime | None = None  # when it was carried out and its comment answered


class Written(SQLModel, table=True):
    """What the App created on GitHub, by its hidden marker, so that it is created once."""

    __tablename__ = "written"
    __table_args__ = (Index("written_number", "repository_id", "number"),)
    repository_id: int = github_key()
    marker: str = Field(primary_key=True)
    kind: str
    github_id: int = big_number(nullable=False)
    number: int | None = None
    url: str | None = None
    created_at: datetime


class Pulled(SQLModel, table=True):
    """How far an App's own list of deliveries was read, where its deliveries are pulled."""

    __tablename__ = "pulled"
    app_id: int = github_key()
    delivered_at: datetime  # of the newest delivery that was dealt with


class CircuitBreaker(SQLModel, table=True):
    """How many writes of a kind all replicas together did not make, since they would have gone round in a circle."""

    __tablename__ = "circuit_breaker"
    kind: str = Field(primary_key=True)
    stopped: int = big_number(nullable=False)


class IssueWrites(SQLModel, table=True):
    """What the App wrote in one issue within the hour: how all replicas together see that it goes round in a circle."""

    __tablename__ = "issue_writes"
    repository_id: int = github_key()
    number: int = Field(primary_key=True)
    recent: list[dict[str, Any]] = Field(
        default_factory=list, sa_column=Column(JSONB, nullable=False, server_default=text("'[]'"))
    )
