"""Rows of replication packages that were imported, as the package holds them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Field, SQLModel

from bot.store.tables.columns import big_number, mapping


class Imported(SQLModel, table=True):
    """One row of an imported package; the same key imported again replaces it."""

    __tablename__ = "imported"
    kind: str = Field(primary_key=True)  # repository | record | participant | decision
    key: str = Field(primary_key=True)
    repository_id: int = big_number(nullable=False)
    issue_id: int | None = big_number()
    closed_at: datetime | None = None  # of the issue, for records and what belongs to them
    row: dict[str, Any] = mapping()
