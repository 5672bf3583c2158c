"""Keeps the state in one SQLite file, written through with one commit a batch, so that it outlives its process."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from bot.sandbox import records, state

KINDS: dict[str, type[Any]] = {
    "account": state.Account,
    "installation": state.Installation,
    "repository": state.Repository,
    "label": state.Label,
    "issue": state.Issue,
    "comment": state.Comment,
    "reaction": state.Reaction,
    "pull_request": state.PullRequest,
    "commit": state.Commit,
    "event": state.TimelineEvent,
    "token": records.Token,
    "delivery": records.Delivery,
    "write": records.Write,
    "violation": records.Violation,
}
KIND_OF: dict[type[Any], str] = {kept: kind for kind, kept in KINDS.items()}
_ADAPTERS: dict[str, TypeAdapter[Any]] = {kind: TypeAdapter(kept) for kind, kept in KINDS.items()}


class Storage:
    """One SQLite file (or memory, where `path` is None) with a row an object and a few named values."""

    def __init__(self, path: Path | None) -> None:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(path or ":memory:", isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=NORMAL")
        self._connection.execute(
            "CREATE TABLE IF NOT EXISTS kept (kind TEXT, id INTEGER, body BLOB, PRIMARY KEY (kind, id)) WITHOUT ROWID"
        )
        self._connection.execute("CREATE TABLE IF NOT EXISTS named (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID")

    def load(self) -> Iterator[Any]:
        """Yield every object kept, by kind and id."""
        for kind, adapter in _ADAPTERS.items():
            for (body,) in self._connection.execute("SELECT body FROM kept WHERE kind = ? ORDER BY id", (kind,)):
                yield adapter.validate_json(body)

    def values(self) -> dict[str, str]:
        """Return the named values (the App's key, the counters of ids)."""
        return dict(self._connection.execute("SELECT name, value FROM named"))

    def save(self, put: Iterable[Any], gone: Iterable[tuple[str, int]], values: dict[str, str]) -> None:
        """Delete, then write objects and set named values in one transaction."""
        rows = [(KIND_OF[type(kept)], kept.id, _ADAPTERS[KIND_OF[type(kept)]].dump_json(kept)) for kept in put]
        with self._connection:
            self._connection.execute("BEGIN")
            self._connection.executemany("DELETE FROM kept WHERE kind = ? AND id = ?", gone)
            self._connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", rows)
            self._connection.executemany("INSERT OR REPLACE INTO named VALUES (?, ?)", values.items())

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
