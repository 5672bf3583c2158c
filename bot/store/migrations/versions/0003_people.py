"""Keep what profiles and contributions of people show, and make the key that hides people in what is exported."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0003_people"
down_revision = "0002_records"

_KEY_BYTES = 32


def upgrade() -> None:
    """Add columns to people and records, and create the tables of contributions and of secrets with one key in it."""
    op.add_column("person", sa.Column("node_id", sa.String(), nullable=True))
    op.add_column("person", sa.Column("created_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("person", sa.Column("followers", sa.Integer(), nullable=True))
    op.add_column("person", sa.Column("profile_role", sa.String(), nullable=True))
    op.add_column("person", sa.Column("read_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("record", sa.Column("member_contributions", sa.Integer(), nullable=True))
    op.add_column("record", sa.Column("fix_author_contributions", sa.Integer(), nullable=True))
    op.create_table(
        "contribution",
        sa.Column("person_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("repository_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("in_repository", sa.Integer(), nullable=True),
        sa.Column("everywhere", sa.Integer(), nullable=True),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "repository_id", "year"),
    )
    secret = op.create_table(
        "secret",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.bulk_insert(secret, [{"name": "person", "value": secrets.token_bytes(_KEY_BYTES)}])
