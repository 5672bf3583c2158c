"""Remember up to which one an inbox's edits were read, and how far the list of deliveries was."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016_inbox"
down_revision = "0015_life_cycle"


def upgrade() -> None:
    """Add one column and one table."""
    op.add_column("repository", sa.Column("inbox_read_edit", sa.String(), nullable=True))
    op.create_table(
        "pulled",
        sa.Column("app_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("delivered_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("app_id"),
    )
