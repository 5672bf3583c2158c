"""Figures that posted reports show by address."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, LargeBinary
from sqlmodel import Field, SQLModel

from bot.store.tables.columns import github_key


class Figure(SQLModel, table=True):
    """One file of a figure; its name holds a digest of the bytes, so that what it names never changes."""

    __tablename__ = "figure"
    name: str = Field(primary_key=True)
    content_type: str
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    created_at: datetime


class FigureUse(SQLModel, table=True):
    """A repository whose report shows a figure: those of the groups are the same in many reports."""

    __tablename__ = "figure_use"
    name: str = Field(primary_key=True)
    repository_id: int = github_key()
