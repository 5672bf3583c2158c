"""Find without reading whole tables what is old, asked or decided, and remember which figures a report shows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0021_storage"
down_revision = "0020_missed"


def upgrade() -> None:
    """Change indexes of nearly everything, and add a column to reports."""
    _index_deliveries_and_jobs()
    _index_records()
    op.drop_index("command_unanswered", "command")
    op.create_index("command_issue", "command", ["repository_id", "number"])
    op.create_index("written_number", "written", ["repository_id", "number"])
    left = sa.text("left_alone IS NOT NULL")
    op.create_index("shown_left", "shown", ["repository_id", "left_alone_at"], postgresql_where=left)
    op.drop_index("ix_proposal_issue_id", "proposal")
    op.create_index("proposal_newest", "proposal", ["issue_id", "id"])
    undone = sa.text("undone_at IS NOT NULL")
    op.create_index("decision_undone", "decision", ["undone_at"], postgresql_where=undone)
    op.add_column("report", sa.Column("figures", ARRAY(sa.Text()), nullable=True))


def _index_deliveries_and_jobs() -> None:
    op.drop_index("delivery_state", "delivery")
    op.create_index("delivery_received", "delivery", ["received_at"])
    op.create_index("delivery_failed", "delivery", ["received_at"], postgresql_where=sa.text("state = 'failed'"))
    op.execute(
        "CREATE INDEX rootcause_jobs_ended_idx ON procrastinate_jobs (id) "
        "WHERE status IN ('succeeded', 'failed', 'cancelled', 'aborted')"
    )


def _index_records() -> None:
    op.create_index("record_disputed", "record", ["repository_id"], postgresql_where=sa.text("state = 'disputed'"))
    confirmed, newest = sa.text("state IN ('confirmed', 'corrected', 'rejected')"), sa.text("closed_at DESC")
    op.create_index("record_confirmed", "record", [newest, "issue_id"], postgresql_where=confirmed)
    here: list[str | sa.TextClause] = ["repository_id", newest, "issue_id"]
    op.create_index("record_confirmed_here", "record", here, postgresql_where=confirmed)
    op.create_index("record_gathered", "record", ["repository_id", "gathered_at"])
    asked = sa.text("decided_at IS NULL AND (asked_at IS NOT NULL OR selection IS NOT NULL)")
    op.create_index("record_asked", "record", ["repository_id", "asked_at"], postgresql_where=asked)
    sampled = sa.text("selection = 'random' AND decided_at IS NOT NULL")
    op.create_index("record_sampled", "record", ["repository_id", "category"], postgresql_where=sampled)
    decided = sa.text("decided_at IS NOT NULL AND is_open IS false AND backfilled IS false")
    op.create_index(
        "record_decided", "record", ["repository_id", "eligible_system", "eligible_bug"], postgresql_where=decided
    )
