"""Install the job queue's own schema.

The text is that of the pinned procrastinate. A migration that follows a new version must therefore do nothing on a
database that this one already gave the new schema.
"""

from __future__ import annotations

from alembic import op
from procrastinate.schema import SchemaManager

revision = "0001_procrastinate"
down_revision = None


def upgrade() -> None:
    """Create the schema `procrastinate` and all that the queue keeps there."""
    op.execute("CREATE SCHEMA procrastinate")
    op.execute("SET LOCAL search_path TO procrastinate")
    # Many statements and literal percent signs: only the driver itself takes such a text, without parameters.
    op.get_bind().connection.cursor().execute(SchemaManager.get_schema())
    # A worker looks for other jobs with the same lock at each fetch; the queue's own indexes do not serve that.
    op.execute("CREATE INDEX rootcause_jobs_lock_idx ON procrastinate_jobs (lock) WHERE status IN ('todo', 'doing')")
    op.execute("SET LOCAL search_path TO public, procrastinate")
