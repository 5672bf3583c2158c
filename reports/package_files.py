"""Write the replication package: JSONL files, `package.json` with their digests, and a README of every definition."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from reports.definitions import definitions_markdown
from reports.errors import ReportInputError
from reports.markdown import LONGEST_NOTE
from reports.markdown import plain as safe
from reports.rows import Decision, Participant, Record, Repository, Rows

SCHEMA_VERSION: Final = 1
MANIFEST: Final = "package.json"

Row = Repository | Record | Participant | Decision


def write_package(rows: Rows, out: Path, models: Sequence[str]) -> Mapping[str, int]:
    """Write the rows into the folder `out`, which is made if absent, and return how many rows each file holds.

    `models` are the versions that made the proposals. The same rows give the same bytes. Raises ReportInputError if
    the folder cannot be written.
    """
    repositories = sorted(rows.repositories, key=lambda one: one.repository_id)
    records = sorted(rows.records, key=lambda one: (one.repository_id, one.number, one.issue_id))
    participants = sorted(rows.participants or (), key=lambda one: (one.issue_id, one.person))
    decisions = sorted(rows.decisions or (), key=_said)
    tables: dict[str, Sequence[Row]] = {
        "repositories.jsonl": repositories,
        "records.jsonl": records,
        "participants.jsonl": participants,
        "decisions.jsonl": decisions,
    }
    contents = {name: "".join(f"{_line(row)}\n" for row in table) for name, table in tables.items()}
    counts = {name: len(table) for name, table in tables.items()}
    readme = _readme(counts, dict.fromkeys(note for one in repositories for note in one.notes))
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, content in {**contents, "README.md": readme}.items():
            (out / name).write_text(content, encoding="utf-8", newline="\n")
        manifest = json.dumps(_manifest(rows, models, counts, contents), indent=2)
        (out / MANIFEST).write_text(f"{manifest}\n", encoding="utf-8", newline="\n")
    except OSError as error:
        raise ReportInputError(f"{out} cannot be written: {error.strerror}.") from error
    return counts


def plain(row: Row) -> dict[str, Any]:
    """Return a row as the package holds it: its own fields in their order, then those of newer packages."""
    own = {one.name: _value(getattr(row, one.name)) for one in fields(row) if one.name != "unknown"}
    return {**own, **dict(row.unknown)}


def _said(decision: Decision) -> tuple[int, datetime, str, str]:
    return (decision.issue_id, decision.decided_at or datetime.min.replace(tzinfo=UTC), decision.coder, decision.via)


def _line(row: Row) -> str:
    return json.dumps(plain(row), ensure_ascii=False, allow_nan=False)


def _value(value: object) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return list(value) if isinstance(value, tuple) else value


def _manifest(
    rows: Rows, models: Sequence[str], counts: Mapping[str, int], contents: Mapping[str, str]
) -> dict[str, object]:
    closed = sorted(record.closed_at for record in rows.records if record.closed_at is not None)
    return {
        "schema_version": SCHEMA_VERSION,
        "models": sorted(set(models)),
        "period": {"first": _value(closed[0]), "last": _value(closed[-1])} if closed else None,
        "counts": dict(counts),
        "sha256": {name: hashlib.sha256(content.encode()).hexdigest() for name, content in contents.items()},
    }


def _readme(counts: Mapping[str, int], notes: Iterable[str]) -> str:
    quoted = "".join(f"> **Note:** {safe(note, LONGEST_NOTE)}\n\n" for note in notes)
    files = "\n".join(f"- `{name}`: {count:,} rows" for name, count in counts.items())
    return (
        f"# Replication package\n\n{quoted}"
        "Closed issues as Rootcause recorded them. People appear under keyed hashes whose key is not in this package; "
        "ages of accounts are whole years and followers have two significant digits.\n\n"
        f"{files}\n\n"
        "Times are UTC in ISO 8601. `null` always means *not known*, never zero. `package.json` names the schema's "
        "version and each file's SHA-256. The reports can be computed again with "
        "`rootcause report build --records FOLDER --period YYYY-MM --out OUT`.\n\n"
        f"{definitions_markdown(level=2)}"
    )
