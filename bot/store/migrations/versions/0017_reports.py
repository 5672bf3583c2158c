"""Keep where a report was posted, whether we pinned it and what its reader must know; a digest nobody read goes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0017_reports"
down_revision = "0016_inbox"


def upgrade() -> None:
    """Add three columns, the place from what the reports' addresses say, and drop one."""
    op.add_column("report", sa.Column("target_id", sa.BigInteger(), nullable=True))
    op.add_column("report", sa.Column("pinned", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.alter_column("report", "pinned", server_default=None)
    op.add_column("report", sa.Column("notes", ARRAY(sa.Text()), nullable=False, server_default=sa.text("'{}'")))
    op.execute(
        """
        UPDATE report SET target_id = coalesce(
            (
                SELECT repository.id FROM repository
                WHERE report.url LIKE '%/issues/' || report.number
                AND split_part(report.url, '/', 4) || '/' || split_part(report.url, '/', 5) = repository.full_name
                LIMIT 1
            ),
            report.repository_id
        )
        WHERE report.number IS NOT NULL
        """
    )
    op.drop_column("report", "body_digest")
