"""Columns that several tables are made of."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, Text, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlmodel import Field


def github_key() -> Any:
    """Return a primary key column for a number that GitHub gave."""
    return Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))


def own_key() -> Any:
    """Return a primary key column for a number that the database counts up."""
    return Field(default=None, sa_column=Column(BigInteger, primary_key=True, autoincrement=True))


def big_number(*, nullable: bool = True, index: bool = False) -> Any:
    """Return a column for one of GitHub's numbers that is no key here; None by default only where it may be null."""
    column = Column(BigInteger, nullable=nullable, index=index)
    return Field(default=None, sa_column=column) if nullable else Field(sa_column=column)


def words() -> Any:
    """Return a column for a list of texts, empty by default."""
    return Field(default_factory=list, sa_column=Column(ARRAY(Text), nullable=False, server_default=text("'{}'")))


def optional_words() -> Any:
    """Return a column for a list of texts that may be unknown."""
    return Field(default=None, sa_column=Column(ARRAY(Text)))


def numbers() -> Any:
    """Return a column for a list of GitHub's or our own numbers, empty by default."""
    return Field(default_factory=list, sa_column=Column(ARRAY(BigInteger), nullable=False, server_default=text("'{}'")))


def mapping() -> Any:
    """Return a column for a JSON object that is only read back whole."""
    return Field(default_factory=dict, sa_column=Column(JSONB, nullable=False, server_default=text("'{}'")))
