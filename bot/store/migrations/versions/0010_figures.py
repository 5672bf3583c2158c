"""Create the tables of figures that posted reports show by address."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010_figures"
down_revision = "0009_models"


def upgrade() -> None:
    """Create two tables: the files, and whose reports show them."""
    op.create_table(
        "figure",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("content_type", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "figure_use",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("repository_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("name", "repository_id"),
    )
