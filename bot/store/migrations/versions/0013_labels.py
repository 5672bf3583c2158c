"""Create what is remembered of the labels and comments on closed issues, and whether labels await their set-up."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013_labels"
down_revision = "0012_later"


def upgrade() -> None:
    """Create one table and a column."""
    op.create_table(
        "shown",
        sa.Column("issue_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("prefix", sa.String(), nullable=False),
        sa.Column("due", sa.Boolean(), nullable=False),
        sa.Column("label", sa.String(), nullable=True),
        sa.Column("label_changes", sa.Integer(), nullable=False),
        sa.Column("left_alone", sa.String(), nullable=True),
        sa.Column("left_alone_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("comment_id", sa.BigInteger(), nullable=True),
        sa.Column("comment_digest", sa.String(), nullable=True),
        sa.Column("commented_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("passed_over", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("issue_id"),
    )
    op.create_index("shown_due", "shown", ["repository_id"], postgresql_where=sa.text("due"))
    op.create_index("shown_commented", "shown", ["repository_id", "commented_at"])
    op.add_column(
        "repository", sa.Column("labels_missing", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )
