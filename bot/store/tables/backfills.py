"""How far the reading of a repository's history is, and what of the hour's budget it has used."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Index, Integer, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import Field, SQLModel

from bot.store.tables.columns import big_number, github_key, mapping, own_key


class Backfill(SQLModel, table=True):
    """One reading of a repository's history; moved on in the transaction that stores the page."""

    __tablename__ = "backfill"
    __table_args__ = (
        Index("backfill_going_on", "repository_id", postgresql_where=text("state = 'going_on'")),
        Index("backfill_due", "not_before", postgresql_where=text("state = 'going_on' AND by_job")),
    )
    id: int | None = own_key()
    repository_id: int = big_number(nullable=False)
    parameters: dict[str, Any] = mapping()  # since, until, limit, sample, seed
    by_job: bool = False  # read by jobs after the installation, else by the command
    state: str = "going_on"  # going_on | done | failed
    error: str | None = None
    phase: str = "pages"  # pages | listing | numbers
    cursor: str | None = None  # where the next page of `pages` or `listing` begins
    place: int = 0  # how many of the drawn numbers are done
    draw: dict[str, Any] = mapping()  # the numbers drawn so far, with their ranks
    size: int  # issues of the next page
    page: int = 0  # pages done
    total: int | None = None
    seen: int = 0
    recorded: int = 0
    eligible: int = 0
    with_fix: int = 0
    unknown: int = 0
    unreadable: list[int] = Field(
        default_factory=list, sa_column=Column(ARRAY(Integer), nullable=False, server_default=text("'{}'"))
    )
    attempts: int = 0  # at the page that is next
    not_before: datetime | None = None
    started_at: datetime
    updated_at: datetime
    finished_at: datetime | None = None


class ReadBudget(SQLModel, table=True):
    """What background reading used of one window of an installation's limit; 0 stands for the read token."""

    __tablename__ = "read_budget"
    installation_id: int = github_key()
    resource: str = Field(primary_key=True)  # graphql | core
    spent: int = 0
    allowance: int = 5000  # GitHub's limit of the whole window
    resets_at: datetime
