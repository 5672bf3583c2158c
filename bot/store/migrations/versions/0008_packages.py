"""Create what imported packages are kept in, what a repository shares, and whether an issue came by a form."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0008_packages"
down_revision = "0007_commands"


def upgrade() -> None:
    """Create one table and two columns."""
    op.create_table(
        "imported",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("issue_id", sa.BigInteger(), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("row", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
        sa.PrimaryKeyConstraint("kind", "key"),
    )
    op.create_index("imported_closed", "imported", ["repository_id", "kind", "closed_at"], unique=False)
    op.add_column("repository", sa.Column("share", sa.String(), server_default="group", nullable=False))
    op.add_column("record", sa.Column("issue_form", sa.Boolean(), nullable=True))
