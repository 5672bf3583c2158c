"""Keep why a job failed for good, for as long as the queue keeps the job."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024_failed_jobs"
down_revision = "0023_counted"


def upgrade() -> None:
    """Create the table of the reasons; each goes with its job."""
    op.create_table(
        "failed_job",
        sa.Column("job_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("error", sa.String(), nullable=False),
    )
    # Named as the queue's own tables are, which are none of ours to compare.
    op.execute(
        "ALTER TABLE failed_job ADD CONSTRAINT procrastinate_jobs_failed_job "
        "FOREIGN KEY (job_id) REFERENCES procrastinate_jobs (id) ON DELETE CASCADE"
    )
