"""Keep what readers must know with the repository that it is about, for whichever report has its numbers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0025_notes"
down_revision = "0024_failed_jobs"


def upgrade() -> None:
    """Add the column, fill it from the posted reports, and take theirs away."""
    op.add_column("repository", sa.Column("notes", ARRAY(sa.Text()), nullable=False, server_default=sa.text("'{}'")))
    op.execute(
        "UPDATE repository SET notes = told.notes FROM ("
        "SELECT repository_id, array_agg(DISTINCT note) AS notes FROM report, unnest(notes) AS note GROUP BY 1"
        ") AS told WHERE told.repository_id = repository.id"
    )
    op.drop_column("report", "notes")
