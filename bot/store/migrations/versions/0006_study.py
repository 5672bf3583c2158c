"""Create what the study's tools keep: the drawn list, notes, resolutions, and what frameworks are matched by."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006_study"
down_revision = "0004_backfill"

_INDICATORS = ("watches", "stars", "forks", "commits", "contributors")


def upgrade() -> None:
    """Create three tables, and a repository's five indicators, when they were read, and its match."""
    op.create_table(
        "study_issue",
        sa.Column("issue_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("drawn_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("issue_id"),
    )
    op.create_index(op.f("ix_study_issue_repository_id"), "study_issue", ["repository_id"], unique=False)
    op.create_table(
        "study_note",
        sa.Column("issue_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("coder", sa.String(), nullable=False),
        sa.Column("draft", sa.String(), nullable=True),
        sa.Column("note", sa.String(), nullable=True),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("issue_id", "coder"),
    )
    op.create_table(
        "study_resolution",
        sa.Column("issue_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("category2", sa.String(), nullable=True),
        sa.Column("none_kind", sa.String(), nullable=True),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("resolved_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("issue_id"),
    )
    for name in _INDICATORS:
        op.add_column("repository", sa.Column(name, sa.Integer(), nullable=True))
    op.add_column("repository", sa.Column("indicators_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("repository", sa.Column("matched_with", sa.BigInteger(), nullable=True))
