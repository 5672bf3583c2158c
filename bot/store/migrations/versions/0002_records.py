"""Create the tables of installations, deliveries, records, decisions and reports."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002_records"
down_revision = "0001_procrastinate"


def upgrade() -> None:
    """Create every table of ours."""
    op.create_table(
        "command",
        sa.Column("id", sa.BigInteger(), autoincrement=True, nullable=False),
        sa.Column("delivery", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("comment_id", sa.BigInteger(), nullable=False),
        sa.Column("written_in", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("delivery", "position", "number"),
    )
    op.create_index(
        "command_unanswered",
        "command",
        ["repository_id", "number"],
        unique=False,
        postgresql_where=sa.text("done_at IS NULL"),
    )
    op.create_table(
        "decision",
        sa.Column("id", sa.BigInteger(), autoincrement=True, nullable=False),
        sa.Column("issue_id", sa.BigInteger(), nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=True),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("category2", sa.String(), nullable=True),
        sa.Column("none_kind", sa.String(), nullable=True),
        sa.Column("via", sa.String(), nullable=False),
        sa.Column("blind", sa.Boolean(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("undone_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("source"),
    )
    op.create_index(op.f("ix_decision_issue_id"), "decision", ["issue_id"], unique=False)
    op.create_table(
        "delivery",
        sa.Column("guid", sa.String(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("unit", sa.String(), nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=True),
        sa.Column("installation_id", sa.BigInteger(), nullable=True),
        sa.Column("repository_id", sa.BigInteger(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("sender_id", sa.BigInteger(), nullable=True),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("not_before", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("guid"),
    )
    op.create_index("delivery_state", "delivery", ["state", "received_at"], unique=False)
    op.create_index(
        "delivery_waiting",
        "delivery",
        ["unit", "sequence"],
        unique=False,
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_table(
        "evidence",
        sa.Column("issue_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.Column("gathered_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("issue_id"),
    )
    op.create_index(op.f("ix_evidence_repository_id"), "evidence", ["repository_id"], unique=False)
    op.create_table(
        "fix",
        sa.Column("issue_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("link", sa.String(), nullable=False),
        sa.Column("repository", sa.String(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("sha", sa.String(), nullable=True),
        sa.Column("landed", sa.Boolean(), nullable=False),
        sa.Column("merged_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("additions", sa.Integer(), nullable=True),
        sa.Column("deletions", sa.Integer(), nullable=True),
        sa.Column("changed_files", sa.Integer(), nullable=True),
        sa.Column("files_truncated", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("issue_id"),
    )
    op.create_table(
        "fix_file",
        sa.Column("issue_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("additions", sa.Integer(), nullable=False),
        sa.Column("deletions", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("issue_id", "path"),
    )
    op.create_table(
        "installation",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=True),
        sa.Column("account_login", sa.String(), nullable=True),
        sa.Column("account_type", sa.String(), nullable=True),
        sa.Column("repository_selection", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "recent_writes",
            postgresql.ARRAY(sa.DateTime(timezone=True)),
            server_default=sa.text("'{}'"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "model_version",
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("version"),
    )
    op.create_table(
        "participation",
        sa.Column("issue_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("person_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("member", sa.Boolean(), nullable=True),
        sa.PrimaryKeyConstraint("issue_id", "person_id", "role"),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("login", sa.String(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "proposal",
        sa.Column("id", sa.BigInteger(), autoincrement=True, nullable=False),
        sa.Column("issue_id", sa.BigInteger(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.Column("second", sa.String(), nullable=False),
        sa.Column("second_probability", sa.Float(), nullable=False),
        sa.Column("system_related", sa.Float(), nullable=False),
        sa.Column("proposed", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("words", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column(
            "probabilities", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False
        ),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_proposal_issue_id"), "proposal", ["issue_id"], unique=False)
    op.create_table(
        "record",
        sa.Column("issue_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("html_url", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at_estimated", sa.Boolean(), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("locked", sa.Boolean(), nullable=False),
        sa.Column("reopened", sa.Integer(), nullable=False),
        sa.Column("first_close_days", sa.Float(), nullable=True),
        sa.Column("state_reason", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("eligible_system", sa.Boolean(), nullable=False),
        sa.Column("eligible_bug", sa.Boolean(), nullable=False),
        sa.Column("exclusions", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("category", sa.String(), nullable=True),
        sa.Column("category2", sa.String(), nullable=True),
        sa.Column("none_kind", sa.String(), nullable=True),
        sa.Column("category_source", sa.String(), nullable=True),
        sa.Column("selection", sa.String(), nullable=True),
        sa.Column("selection_probability", sa.Float(), nullable=True),
        sa.Column("blind", sa.Boolean(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("bug_type", sa.String(), nullable=True),
        sa.Column("open_days", sa.Float(), nullable=True),
        sa.Column("issue_comments", sa.Integer(), nullable=True),
        sa.Column("fix_comments", sa.Integer(), nullable=True),
        sa.Column("issue_participants", sa.Integer(), nullable=True),
        sa.Column("fix_participants", sa.Integer(), nullable=True),
        sa.Column("changed_lines", sa.Integer(), nullable=True),
        sa.Column("changed_files", sa.Integer(), nullable=True),
        sa.Column("comments_until_reproduced", sa.Integer(), nullable=True),
        sa.Column("comments_until_reproduced_source", sa.String(), nullable=True),
        sa.Column("description_words", sa.Integer(), nullable=True),
        sa.Column("attached_files", sa.Integer(), nullable=True),
        sa.Column("code_lines", sa.Integer(), nullable=True),
        sa.Column("members", sa.Integer(), nullable=True),
        sa.Column("participation_percent", sa.Float(), nullable=True),
        sa.Column("non_members", sa.Integer(), nullable=True),
        sa.Column("fix_kind", sa.String(), nullable=True),
        sa.Column("fix_link", sa.String(), nullable=True),
        sa.Column("fix_merged_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("languages", postgresql.ARRAY(sa.Text()), nullable=True),
        sa.Column("languages_with_tests", postgresql.ARRAY(sa.Text()), nullable=True),
        sa.Column("mpl", sa.Boolean(), nullable=True),
        sa.Column("mpl_with_tests", sa.Boolean(), nullable=True),
        sa.Column("change_entropy", sa.Float(), nullable=True),
        sa.Column("change_entropy_with_tests", sa.Float(), nullable=True),
        sa.Column("gathered_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("issue_id"),
        sa.UniqueConstraint("repository_id", "number"),
    )
    op.create_index("record_closed", "record", ["repository_id", "closed_at"], unique=False)
    op.create_table(
        "report",
        sa.Column("id", sa.BigInteger(), autoincrement=True, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("period", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("issue_id", sa.BigInteger(), nullable=True),
        sa.Column("url", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("body_digest", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("posted_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("repository_id", "period"),
    )
    op.create_table(
        "repository",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("installation_id", sa.BigInteger(), nullable=True),
        sa.Column("full_name", sa.String(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.Column("fork", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("observe_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("paradigm", sa.String(), nullable=True),
        sa.Column("domain", sa.String(), nullable=True),
        sa.Column("in_comparison", sa.Boolean(), nullable=False),
        sa.Column("inbox_number", sa.Integer(), nullable=True),
        sa.Column("inbox_issue_id", sa.BigInteger(), nullable=True),
        sa.Column("inbox_closed", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_repository_full_name"), "repository", ["full_name"], unique=False)
    op.create_index(op.f("ix_repository_installation_id"), "repository", ["installation_id"], unique=False)
    op.create_table(
        "span",
        sa.Column("issue_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed_by_id", sa.BigInteger(), nullable=True),
        sa.Column("state_reason", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("issue_id", "position"),
    )
    op.create_table(
        "written",
        sa.Column("repository_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("marker", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("github_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("url", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("repository_id", "marker"),
    )
