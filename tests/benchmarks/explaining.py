"""Explains every statement of this process just before it runs, on its own connection and with its own values."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

_EXPLAINED = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
_EXPLAIN = "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) "
_MANY_ROWS = 5_000


@dataclass
class Statement:
    """One statement in one part of the run: how long each execution took, what it read, and what it read in a row."""

    part: str
    query: str
    milliseconds: list[float] = field(default_factory=list)
    blocks: int = 0
    scans: set[str] = field(default_factory=set)

    @property
    def middle(self) -> float:
        """The median, in milliseconds: a busy machine holds up some executions of anything."""
        return statistics.median(self.milliseconds)


class Explained:
    """What was explained so far; `part` names what the process does just now."""

    def __init__(self) -> None:
        self.part: str | None = None
        self.statements: dict[tuple[str, str], Statement] = {}

    def note(self, query: str, answer: Any) -> None:
        """Take in what PostgreSQL says of one execution."""
        plan = answer[0] if isinstance(answer, list) else json.loads(answer)[0]
        words = _same(" ".join(query.split()))
        key = (self.part or "", words)
        one = self.statements.setdefault(key, Statement(self.part or "", words))
        one.milliseconds.append(plan["Planning Time"] + plan["Execution Time"])
        root = plan["Plan"]
        one.blocks = max(one.blocks, root["Shared Hit Blocks"] + root["Shared Read Blocks"])
        for node in _nodes(root):
            rows = node.get("Actual Rows", 0) + node.get("Rows Removed by Filter", 0)
            if node["Node Type"] == "Seq Scan" and rows > _MANY_ROWS:
                one.scans.add(node["Relation Name"])


def _same(query: str) -> str:
    """Shorten lists of values and of a table's columns, so that statements that differ in these alone are one."""
    values = re.sub(r"(?:%\(\w+\)[sb](?:::[A-Z]+)?(?:, )?){2,}", "...", query)
    return re.sub(r"\b(\w+)\.\w+(?:, \1\.\w+)+", r"\1.*", values)


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from _nodes(inner)


@contextmanager
def explaining(explained: Explained) -> Iterator[None]:
    """Explain what is executed while `explained` has a part; what explaining a change does is undone before it runs."""
    with ExitStack() as stack:
        for cursor in (psycopg.AsyncCursor, psycopg.AsyncServerCursor):
            stack.enter_context(_explaining_first(cursor, explained))
        yield


@contextmanager
def _explaining_first(cursor: Any, explained: Explained) -> Iterator[None]:
    execute, plain = cursor.execute, psycopg.AsyncCursor.execute

    async def explain_first(self: Any, query: Any, params: Any = None, **options: Any) -> Any:
        words = query.decode() if isinstance(query, bytes) else str(query)
        if explained.part is not None and words.lstrip().upper().startswith(_EXPLAINED):
            connection = self.connection
            begun = connection.info.transaction_status != TransactionStatus.IDLE
            async with psycopg.AsyncCursor(connection) as other:
                await plain(other, "SAVEPOINT explained" if begun else "BEGIN")
                try:
                    await plain(other, _EXPLAIN + words, params)
                    (answer,) = await other.fetchone() or ("",)
                    explained.note(words, answer)
                finally:
                    await plain(other, "ROLLBACK TO SAVEPOINT explained" if begun else "ROLLBACK")
        return await execute(self, query, params, **options)

    cursor.execute = explain_first
    try:
        yield
    finally:
        cursor.execute = execute
