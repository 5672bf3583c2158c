"""Many rows out of the database in little room: a few at a time, and what they say alike as one object."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import Select
from sqlalchemy.ext.asyncio import AsyncSession

_AT_ONCE = 1_000


async def lean_rows(session: AsyncSession, wanted: Select[Any]) -> AsyncIterator[tuple[Any, ...]]:
    """Give the rows of a statement that selects columns; lists come as tuples, equal texts and lists as one object.

    Columns, since the objects that a session keeps track of take many times the room: a report may read a million.
    """
    seen: dict[Any, Any] = {}

    def same(value: Any) -> Any:
        if isinstance(value, list):
            value = tuple(value)
        elif not isinstance(value, str):
            return value
        return seen.setdefault(value, value)

    async for some in (await session.stream(wanted)).partitions(_AT_ONCE):
        for row in some:
            yield tuple(map(same, row))
