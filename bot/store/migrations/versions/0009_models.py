"""Keep trained models in the database: their files, what they learned from, their figures, and one champion."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

revision = "0009_models"
down_revision = "0008_packages"


def upgrade() -> None:
    """Add what a model was trained from, its figures, its file, and what it saw in a fix; older ones were `shipped`."""
    op.add_column("model_version", sa.Column("training_hash", sa.String(), nullable=True))
    op.add_column(
        "model_version",
        sa.Column("row_ids", ARRAY(sa.BigInteger()), server_default=sa.text("'{}'"), nullable=False),
    )
    op.add_column("model_version", sa.Column("figures", JSONB(), server_default=sa.text("'{}'"), nullable=False))
    op.add_column("model_version", sa.Column("file", sa.LargeBinary(), nullable=True))
    op.add_column("model_version", sa.Column("promoted_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("proposal", sa.Column("facts", ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False))
    op.execute("UPDATE model_version SET state = 'shipped'")
    op.create_index(
        "model_champion", "model_version", ["state"], unique=True, postgresql_where=sa.text("state = 'champion'")
    )
