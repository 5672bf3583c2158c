"""Create what the configuration files of repositories and owners are kept in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0011_configuration"
down_revision = "0010_figures"


def upgrade() -> None:
    """Create one table."""
    op.create_table(
        "configuration_file",
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("found", sa.Boolean(), nullable=False),
        sa.Column("etag", sa.String(), nullable=True),
        sa.Column("sha", sa.String(), nullable=True),
        sa.Column("document", JSONB(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("mistakes", JSONB(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("checked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("woke", sa.Boolean(), nullable=False),
        sa.Column("issue_number", sa.Integer(), nullable=True),
        sa.Column("issue_state", sa.String(), nullable=True),
        sa.Column("issue_shows", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("scope", "id"),
    )
