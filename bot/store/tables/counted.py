"""What all processes counted together, for their common metrics."""

from __future__ import annotations

from sqlalchemy import Column, Double
from sqlmodel import Field, SQLModel


class Counted(SQLModel, table=True):
    """One sample of a counter or a histogram: its name in Prometheus and its labels, as JSON with sorted keys."""

    __tablename__ = "counted"
    name: str = Field(primary_key=True)
    labels: str = Field(primary_key=True)
    value: float = Field(sa_column=Column(Double, nullable=False))
