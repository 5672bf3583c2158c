"""Connections of GraphQL: one page of a list with its cursors."""

from __future__ import annotations

import base64
import binascii
import bisect
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.sandbox.graphql_cost import QueryError

Key = tuple[str, int]
"""What a row is found by again: a moment in ISO 8601 and an id."""


@dataclass(frozen=True)
class Page:
    """The rows from `start` to before `end` of a list; `key` tells a row by what it is instead of where it stands."""

    rows: Sequence[Any]
    start: int
    end: int
    key: Callable[[Any], Key] | None = None

    @property
    def nodes(self) -> Sequence[Any]:
        """The rows of the page."""
        return self.rows[self.start : self.end]

    @property
    def edges(self) -> list[dict[str, Any]]:
        """The rows of the page, each with its cursor."""
        return [{"cursor": self._cursor(index), "node": self.rows[index]} for index in range(self.start, self.end)]

    @property
    def info(self) -> dict[str, Any]:
        """What `pageInfo` says."""
        some = self.end > self.start
        return {
            "startCursor": self._cursor(self.start) if some else None,
            "endCursor": self._cursor(self.end - 1) if some else None,
            "hasNextPage": self.end < len(self.rows),
            "hasPreviousPage": self.start > 0,
        }

    def _cursor(self, index: int) -> str:
        return write_cursor(index) if self.key is None else _write(json.dumps(self.key(self.rows[index])))


def cut_by_key(
    rows: Sequence[Any], key: Callable[[Any], Key], first: int | None = None, after: str | None = None, **page: Any
) -> Page:
    """Return a page of rows in the order of their keys, whose cursors hold keys; only forwards, by `first`."""
    if first is None or any(value is not None for value in page.values()):
        return cut(rows, first=first, after=after, **page)
    start = 0
    if after:
        try:
            moment, identity = json.loads(_read(after))
        except (TypeError, ValueError):
            raise _no_cursor(after) from None
        start = bisect.bisect_right(rows, (moment, identity), key=key)
    return Page(rows, start, min(len(rows), start + first), key)


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
    return _write(str(index))


def read_cursor(text: str) -> int:
    """Return the row of a cursor."""
    try:
        return int(_read(text))
    except ValueError:
        raise _no_cursor(text) from None


def _write(place: str) -> str:
    return base64.b64encode(f"cursor:v2:{place}".encode()).decode()


def _read(text: str) -> str:
    try:
        return base64.b64decode(text, validate=True).decode().removeprefix("cursor:v2:")
    except (binascii.Error, ValueError):
        raise _no_cursor(text) from None


def _no_cursor(text: str) -> QueryError:
    return QueryError("INVALID_CURSOR_ARGUMENTS", f"`{text}` does not appear to be a valid cursor.")
