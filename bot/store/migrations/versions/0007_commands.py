"""Create what the commands `fix` and `reproduced` state, the links still looked for, and the words of an answer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007_commands"
down_revision = "0006_study"


def upgrade() -> None:
    """Create two tables and a column."""
    op.create_table(
        "statement",
        sa.Column("id", sa.BigInteger(), server_default=sa.text("nextval('decision_id_seq')"), nullable=False),
        sa.Column("issue_id", sa.BigInteger(), nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("fix_repository", sa.String(), nullable=True),
        sa.Column("fix_number", sa.Integer(), nullable=True),
        sa.Column("fix_sha", sa.String(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("said_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("undone_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("source"),
    )
    op.create_index(op.f("ix_statement_issue_id"), "statement", ["issue_id"], unique=False)
    op.create_index(op.f("ix_statement_repository_id"), "statement", ["repository_id"], unique=False)
    op.create_table(
        "awaited_link",
        sa.Column("issue_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("issue_id"),
    )
    op.create_index(op.f("ix_awaited_link_repository_id"), "awaited_link", ["repository_id"], unique=False)
    op.create_index(op.f("ix_awaited_link_due_at"), "awaited_link", ["due_at"], unique=False)
    op.add_column("command", sa.Column("words", sa.String(), nullable=True))
