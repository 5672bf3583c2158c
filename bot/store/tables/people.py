"""People: accounts that took part, how much they contributed in a year, and the key that hides who they are."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, LargeBinary
from sqlmodel import Field, SQLModel

from bot.store.tables.columns import github_key


class Person(SQLModel, table=True):
    """Somebody who took part: the account's number, its public name, and what its profile showed when it was read.

    `read_at` with nothing beside it: the account could not be read. `profile_role` is all that is kept of its words.
    """

    __tablename__ = "person"
    id: int = github_key()
    login: str | None = None
    kind: str  # human | bot
    updated_at: datetime
    node_id: str | None = None  # by which GraphQL finds the account whatever it is called
    created_at: datetime | None = None
    followers: int | None = None
    profile_role: str | None = None  # engineer | senior engineer | researcher | both | unknown
    read_at: datetime | None = None


class Contribution(SQLModel, table=True):
    """A person's contributions of one calendar year (UTC): in one repository, and everywhere in public."""

    __tablename__ = "contribution"
    person_id: int = github_key()
    repository_id: int = github_key()
    year: int = Field(primary_key=True)
    in_repository: int | None = None
    everywhere: int | None = None
    read_at: datetime


class Secret(SQLModel, table=True):
    """A random key that is made once in a database and never leaves it."""

    __tablename__ = "secret"
    name: str = Field(primary_key=True)
    value: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
