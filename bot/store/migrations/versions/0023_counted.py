"""Keep what all processes counted together, and find at once how long the oldest of what waits has waited."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023_counted"
down_revision = "0021_storage"


def upgrade() -> None:
    """Create the table of the shared counters, and an index of the deliveries that wait."""
    op.create_table(
        "counted",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("labels", sa.String(), primary_key=True),
        sa.Column("value", sa.Double(), nullable=False),
    )
    op.create_index("delivery_due", "delivery", ["not_before"], postgresql_where=sa.text("state = 'waiting'"))
