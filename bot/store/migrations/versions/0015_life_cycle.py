"""Create what follows installations, repositories and issues: what is known as of when, what left, what moved."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015_life_cycle"
down_revision = "0014_conversation"


def upgrade() -> None:
    """Add columns and create one table."""
    moment = sa.DateTime(timezone=True)
    for name in ("as_of", "seen_at"):
        op.add_column("installation", sa.Column(name, moment, nullable=True))
    for name in ("as_of", "left_at", "forgotten_at"):
        op.add_column("repository", sa.Column(name, moment, nullable=True))
    op.add_column("repository", sa.Column("left_installation_id", sa.BigInteger(), nullable=True))
    op.create_table(
        "moved_issue",
        sa.Column("issue_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("to_issue_id", sa.BigInteger(), nullable=False),
        sa.Column("to_repository_id", sa.BigInteger(), nullable=False),
        sa.Column("to_number", sa.Integer(), nullable=False),
        sa.Column("moved_at", moment, nullable=False),
        sa.PrimaryKeyConstraint("issue_id"),
    )
    op.create_index("moved_issue_place", "moved_issue", ["repository_id", "number"], unique=False)
