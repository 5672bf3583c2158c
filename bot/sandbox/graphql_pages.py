"""Connections of GraphQL: one page of a list with its cursors."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.sandbox.graphql_cost import QueryError


@dataclass(frozen=True)
class Page:
    """The rows from `start` to before `end` of a list."""

    rows: Sequence[Any]
    start: int
    end: int

    @property
    def nodes(self) -> Sequence[Any]:
        """The rows of the page."""
        return self.rows[self.start : self.end]

    @property
    def edges(self) -> list[dict[str, Any]]:
        """The rows of the page, each with its cursor."""
        return [{"cursor": write_cursor(index), "node": self.rows[index]} for index in range(self.start, self.end)]

    @property
    def info(self) -> dict[str, Any]:
        """What `pageInfo` says."""
        some = self.end > self.start
        return {
            "startCursor": write_cursor(self.start) if some else None,
            "endCursor": write_cursor(self.end - 1) if some else None,
            "hasNextPage": self.end < len(self.rows),
            "hasPreviousPage": self.start > 0,
        }


def cut(
    rows: Sequence[Any],
    first: int | None = None,
    last: int | None = None,
    after: str | None = None,
    before: str | None = None,
) -> Page:
    """Return the page that the arguments of a connection ask for; raise QueryError for a cursor that is none."""
    start = read_cursor(after) + 1 if after else 0
    end = min(read_cursor(before), len(rows)) if before else len(rows)
    start = min(start, end)
    if first is not None:
        end = min(end, start + first)
    if last is not None:
        start = max(start, end - last)
    return Page(rows, start, end)


def write_cursor(index: int) -> str:
    """Return the cursor of a row."""
    return base64.b64encode(f"cursor:v2:{index}".encode()).decode()


def read_cursor(text: str) -> int:
    """Return the row of a cursor."""
    try:
        return int(base64.b64decode(text, validate=True).decode().removeprefix("cursor:v2:"))
    except (binascii.Error, ValueError):
        raise QueryError("INVALID_CURSOR_ARGUMENTS", f"`{text}` does not appear to be a valid cursor.") from None
