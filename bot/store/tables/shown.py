"""What the App shows on a closed issue itself, where a repository asked for that."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, text
from sqlmodel import SQLModel

from bot.store.tables.columns import big_number, github_key


class Shown(SQLModel, table=True):
    """One closed issue that carries, or could carry, our label or our comment; `mode` and `prefix` are its closing's.

    `label` is the category whose label of ours is on the issue. `passed_over` says why there is no comment, or no
    label, though the repository asked for it; `left_alone` why its labels are never touched again.
    """

    __tablename__ = "shown"
    __table_args__ = (
        Index("shown_due", "repository_id", postgresql_where=text("due")),
        Index("shown_commented", "repository_id", "commented_at"),
        Index("shown_left", "repository_id", "left_alone_at", postgresql_where=text("left_alone IS NOT NULL")),
    )
    issue_id: int = github_key()
    repository_id: int = big_number(nullable=False)
    number: int
    mode: str  # label | comment
    prefix: str
    due: bool = True  # whether something may have changed since it was last looked at
    label: str | None = None
    label_changes: int = 0
    left_alone: str | None = None  # removed | flapping
    left_alone_at: datetime | None = None
    comment_id: int | None = big_number()
    comment_digest: str | None = None
    commented_at: datetime | None = None
    passed_over: str | None = None
