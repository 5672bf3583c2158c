"""Replication packages: refused in a sentence, or rows that a database holds, that are written again and reported."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import strategies as st

from bot.store.imported import _keyed, _values
from reports import Decision, Participant, ReportInputError, Rows, build_report, read_records, render, report_json
from reports.package_check import check_package, require_storable
from reports.package_files import MANIFEST, plain, write_package
from tests.hostile.mutations import CHANGES, VALUES, Changes, changed, json_bytes
from tests.hostile.surface import Surface
from tests.reports.synthetic import PERIOD, synthetic_rows

_PART = b"\x1e"
"""What stands between the files of a package in a case; a fifth one is the manifest, else the right one is written."""

_NAMES = ("records.jsonl", "repositories.jsonl", "participants.jsonl", "decisions.jsonl", MANIFEST)
_AGAIN = 1
"""The form, by its remainder, that is written again besides, which costs ten times as much as reading."""
_REPORT = 255
"""The form that is a report besides, which costs a hundred times as much as reading."""

_FOLDER = TemporaryDirectory(prefix="rootcause-packages-")


def _target(case: bytes) -> None:
    form, content = (case[0], case[1:]) if case else (0, b"")
    folder = Path(_FOLDER.name) / "given"
    _write(folder, content.split(_PART, len(_NAMES) - 1))
    try:
        check_package(folder)
        rows = read_records(folder)
        require_storable(rows)
    except ReportInputError:
        return
    _is_storable(rows)
    if form % 8 == _AGAIN:
        _is_written_again(rows)
    if form == _REPORT:
        _is_reported(rows)


def _write(folder: Path, parts: list[bytes]) -> None:
    folder.mkdir(exist_ok=True)
    for name in _NAMES:
        (folder / name).unlink(missing_ok=True)
    given = dict(zip(_NAMES, parts, strict=False))
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in given.items()}
    for name, content in {MANIFEST: json.dumps({"schema_version": 1, "sha256": digests}).encode(), **given}.items():
        (folder / name).write_bytes(content)


def _is_storable(rows: Rows) -> None:
    """Hold rows against what the table of imported rows takes: keys that differ, texts and numbers of JSONB."""
    seen = set()
    for one in _keyed(rows):
        values = _values(one)
        assert (one.kind, one.key) not in seen
        seen.add((one.kind, one.key))
        assert 0 <= one.repository_id < 2**63
        assert "\0" not in one.key
        assert len(one.key) < 300
        one.key.encode()
        written = json.dumps(values["row"], allow_nan=False)
        assert json.loads(written) == values["row"]


def _is_written_again(rows: Rows) -> None:
    out = Path(_FOLDER.name) / "again"
    write_package(rows, out, [])
    check_package(out)
    again = read_records(out)
    for name in ("repositories", "records", "participants", "decisions"):
        assert _sorted(getattr(again, name)) == _sorted(getattr(rows, name)), name


def _sorted(table: tuple[Any, ...] | None) -> list[str]:
    return sorted(json.dumps(plain(row), sort_keys=True) for row in table or ())


def _is_reported(rows: Rows) -> None:
    try:
        report = build_report(
            rows, PERIOD, repository_id=rows.repositories[0].repository_id if rows.repositories else None
        )
    except ReportInputError:
        return
    text = render(report)
    text.encode()
    assert len(text) <= 65_536
    json.dumps(json.loads(report_json(report)), allow_nan=False)


def _made(repositories: int, records: int) -> dict[str, list[dict[str, Any]]]:
    rows = synthetic_rows(repositories, records)
    about = rows.records[0]
    people = [
        Participant(person=f"p{one.number}", repository_id=one.repository_id, issue_id=one.issue_id, roles=("author",))
        for one in rows.records
    ]
    said = [
        Decision(issue_id=one.issue_id, coder=f"c{number}", category=one.category or "none", decided_at=one.closed_at)
        for one in rows.records
        for number in range(1 + (one is about))
    ]
    named = [replace(one, share="named", stars=10, watches=1) for one in rows.repositories]
    tables: tuple[Iterable[Any], ...] = (rows.records, named, people, said)
    return {name: [_plain(row) for row in table] for name, table in zip(_NAMES, tables, strict=False)}


def _plain(row: Any) -> dict[str, Any]:
    return {name: value for name, value in plain(row).items() if value is not None}


def _case(tables: dict[str, list[dict[str, Any]]], form: int = 0) -> bytes:
    return bytes([form]) + _PART.join(b"".join(json_bytes(row) + b"\n" for row in rows) for rows in tables.values())


_SMALL, _LARGER = _made(1, 1), _made(2, 4)


def _with(tables: dict[str, list[dict[str, Any]]], changes: list[tuple[str, Changes]], form: int) -> bytes:
    return _case({**tables, **{name: changed(tables[name], some) for name, some in changes}}, form)


_CHANGED = st.lists(st.tuples(st.sampled_from(_NAMES[:4]), CHANGES), min_size=1, max_size=2)
_MANIFESTS = st.one_of(
    CHANGES.map(lambda changes: changed({"schema_version": 1, "sha256": {"records.jsonl": "0" * 64}}, changes)),
    st.dictionaries(st.sampled_from(["schema_version", "sha256", "counts"]), st.integers() | st.text(max_size=9)),
    st.sampled_from(["../x", "/etc/hostname", "records.jsonl\0", ".", "a" * 300]).map(
        lambda name: {"schema_version": 1, "sha256": {name: ""}}
    ),
)

SURFACE = Surface(
    target=_target,
    seeds=(
        _case(_SMALL, _AGAIN),
        _case(_SMALL),
        _case(_LARGER),
        b"\0" + _PART.join([b"", b"", b"", b"", b'{"schema_version": 1, "sha256": {}}']),
    ),
    words=tuple(
        word.encode()
        for word in (
            *(f'"{name}": ' for table in _SMALL.values() for name in table[0]),
            *(
                "null",
                "true",
                "[]",
                "{}",
                "NaN",
                "1e999",
                "-1",
                "9223372036854775808",
                "\\u0000",
                "\\ud800",
                "[[[[[[[[[[",
            ),
            *(
                "2026-11-05T00:00:00Z",
                "0001-01-01T00:00:00+14:00",
                "9999-12-31T23:59:59-14:00",
                '"x": ',
                "\x1e",
                "\n",
                "\ufeff",
            ),
        )
    ),
    made=st.one_of(
        _CHANGED.map(lambda changes: _with(_SMALL, changes, _AGAIN)),
        _CHANGED.map(lambda changes: _with(_LARGER, changes, 0)),
        _CHANGED.map(lambda changes: _with(_LARGER, changes, _REPORT)),
        _MANIFESTS.map(lambda made: _case(_SMALL) + _PART + json_bytes(made)),
        st.tuples(st.sampled_from([_AGAIN, _REPORT]), st.dictionaries(st.text(max_size=8), VALUES, max_size=3)).map(
            lambda made: _case({**_SMALL, "records.jsonl": [{**_SMALL["records.jsonl"][0], **made[1]}]}, made[0])
        ),
        st.tuples(st.integers(1, 4_000), st.binary(max_size=6)).map(
            lambda made: _case(_LARGER)[: made[0]] + made[1] + _case(_LARGER)[made[0] + len(made[1]) :]
        ),
    ),
    longest=16_384,
)
