"""Drop an index of imported rows that begins with the repository, by which nothing looks them up."""

from __future__ import annotations

from alembic import op

revision = "0018_imported"
down_revision = "0017_reports"


def upgrade() -> None:
    """Drop one index."""
    op.drop_index("imported_closed", table_name="imported")
