"""What alembic runs for every command: our tables, on the connection that `bot.store.migrate` passes.

Migrations only go forward, and all of an upgrade is one transaction, which the caller commits.
"""

from __future__ import annotations

from alembic import context
from sqlalchemy.schema import SchemaItem
from sqlmodel import SQLModel

import bot.store.tables  # noqa: F401 - fills SQLModel.metadata


def _is_ours(_: SchemaItem, name: str | None, *__: object) -> bool:
    """Leave out the queue's tables, which the search path makes visible beside ours, and what ties ours to them."""
    return not (name or "").startswith("procrastinate_")


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    include_object=_is_ours,
)
with context.begin_transaction():
    context.run_migrations()
