"""Create the tables of backfills and of the reading budget, and mark the records that came from one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004_backfill"
down_revision = "0003_people"

_COUNTS = ("seen", "recorded", "eligible", "with_fix", "unknown", "attempts")


def upgrade() -> None:
    """Create two tables and a column."""
    op.create_table(
        "backfill",
        sa.Column("id", sa.BigInteger(), autoincrement=True, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("parameters", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("by_job", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("cursor", sa.String(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("draw", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("page", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=True),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in _COUNTS),
        sa.Column("unreadable", postgresql.ARRAY(sa.Integer()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("not_before", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    going_on = sa.text("state = 'going_on'")
    op.create_index("backfill_going_on", "backfill", ["repository_id"], postgresql_where=going_on)
    due = sa.text("state = 'going_on' AND by_job")
    op.create_index("backfill_due", "backfill", ["not_before"], postgresql_where=due)
    op.create_table(
        "read_budget",
        sa.Column("installation_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("resource", sa.String(), nullable=False),
        sa.Column("spent", sa.Integer(), nullable=False),
        sa.Column("allowance", sa.Integer(), nullable=False),
        sa.Column("resets_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("installation_id", "resource"),
    )
    op.add_column("record", sa.Column("backfilled", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.alter_column("record", "backfilled", server_default=None)
