"""Create what is left alone and the recent writes in an issue; note bug types and who maintains."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0014_conversation"
down_revision = "0013_labels"


def upgrade() -> None:
    """Create three tables and add columns to three."""
    op.add_column("statement", sa.Column("bug_type", sa.String(), nullable=True))
    for table in ("command", "decision"):
        op.add_column(table, sa.Column("maintains", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.create_table(
        "left_alone",
        sa.Column("repository_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("repository_id", "number"),
    )
    op.create_table(
        "circuit_breaker",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("stopped", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind"),
    )
    op.create_table(
        "issue_writes",
        sa.Column("repository_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column(
            "recent", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'[]'::jsonb"), nullable=False
        ),
        sa.PrimaryKeyConstraint("repository_id", "number"),
    )
