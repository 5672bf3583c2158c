"""Create what is written after the closings that count is kept in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012_later"
down_revision = "0011_configuration"


def upgrade() -> None:
    """Create one table."""
    op.create_table(
        "later_comments",
        sa.Column("issue_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("comments", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("issue_id"),
    )
    op.create_index(op.f("ix_later_comments_repository_id"), "later_comments", ["repository_id"], unique=False)
