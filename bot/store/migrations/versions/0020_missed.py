"""Remember which deliveries were asked for again, and up to where closed issues were compared with the records."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020_missed"
down_revision = "0019_limits"


def upgrade() -> None:
    """Create three tables."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "redelivery",
        sa.Column("guid", sa.String(), nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=True),
        sa.Column("sent_at", moment, nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("asked_at", moment, nullable=True),
        sa.Column("given_up_at", moment, nullable=True),
        sa.PrimaryKeyConstraint("guid"),
    )
    op.create_table(
        "deliveries_look",
        sa.Column("app_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("asked_at", moment, nullable=True),
        sa.Column("looked_at", moment, nullable=True),
        sa.PrimaryKeyConstraint("app_id"),
    )
    op.create_table(
        "closings_seen",
        sa.Column("repository_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("since", moment, nullable=False),
        sa.Column("newest_at", moment, nullable=True),
        sa.Column("etag", sa.String(), nullable=True),
        sa.Column("all_seen", sa.Boolean(), nullable=False, server_default=sa.text("true")),
        sa.Column("looked_at", moment, nullable=True),
        sa.PrimaryKeyConstraint("repository_id"),
    )
