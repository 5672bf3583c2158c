"""GitHub's limits as the replicas share them: what is used of a window, and what of it is not answered yet."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Integer, text
from sqlmodel import Field, SQLModel

from bot.store.tables.columns import github_key


def _count(start: int = 0) -> Any:
    return Field(default=start, sa_column=Column(Integer, nullable=False, server_default=text(str(start))))


class GitHubLimit(SQLModel, table=True):
    """One window of one account; an installation's number, 0 for the read token, -1 for the App itself.

    Requests that are not answered yet are counted by the minute they were booked in, this one or the one before:
    what is older was asked by a process that died, and is taken as used. Written by the function `github_limit_enter`.
    """

    __tablename__ = "github_limit"
    installation_id: int = github_key()
    resource: str = Field(primary_key=True)  # core | graphql | search
    allowance: int = _count(5000)  # GitHub's limit of the whole window
    used: int = _count()  # as the newest answer of this window says
    resets_at: datetime | None = None  # None until GitHub said so of the present window
    closed_until: datetime | None = None  # a refusal keeps every replica out
    strikes_reading: int = _count()  # refusals in a row that named no moment
    strikes_writing: int = _count()
    minute_at: datetime
    minute: int = _count()
    open_now: int = _count()  # requests without an answer
    open_before: int = _count()
    cost_now: int = _count()  # what they take of the window
    cost_before: int = _count()
    points_now: int = _count()  # of the minute's limit, answered or not
    points_before: int = _count()
