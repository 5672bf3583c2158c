"""What can be taken away from a report's page: its tables as CSV, and its repository's rows as a package."""

from __future__ import annotations

import csv
import io
import json
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reports import Rows
from reports.package_files import write_package

_INTERVALS = ("ci", "_ci")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The earliest date that a ZIP file knows: the same rows give the same bytes."""


def tables_as_csv(report_json: str) -> dict[str, bytes]:
    """Return each table of `report.json` as CSV by its key: a column for each value, unknown ones empty.

    Of a table within a table the keys are joined by `_`, of an interval the ends stand in `_low` and `_high`.
    """
    content = json.loads(report_json)
    tables: dict[str, Any] = {**content["tables"], "agreement": _agreement(content["agreement"])}
    if tables["this_repository"] is not None:
        tables["this_repository"] = tables["this_repository"]["rows"]
    return {key: _csv([dict(_flat(row)) for row in rows]) for key, rows in tables.items() if rows}


def _agreement(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"between": key, **cell} for key, cell in found.items()]


def _flat(row: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in row.items():
        name = f"{before}{key}"
        if isinstance(value, dict):
            yield from _flat(value, f"{name}_")
        elif key.endswith(_INTERVALS):
            low, high = value if value is not None else (None, None)
            yield f"{name}_low", low
            yield f"{name}_high", high
        elif isinstance(value, list):
            yield name, "; ".join(f"{mix}: {number}" for mix, number in value)
        else:
            yield name, value


def _csv(rows: list[dict[str, Any]]) -> bytes:
    columns = list(dict.fromkeys(key for row in rows for key in row))
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_harmless(row.get(key)) for key in columns] for row in rows)
    return text.getvalue().encode()


def _harmless(value: Any) -> Any:
    """Keep a spreadsheet from taking a name for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def rows_of(rows: Rows, repository_id: int) -> Rows:
    """Return the rows of one repository alone; the one it was matched with may not want to be known."""
    records = tuple(one for one in rows.records if one.repository_id == repository_id)
    issues = {one.issue_id for one in records}
    return Rows(
        repositories=tuple(
            replace(one, matched_with=None) for one in rows.repositories if one.repository_id == repository_id
        ),
        records=records,
        participants=tuple(one for one in rows.participants or () if one.issue_id in issues),
        decisions=tuple(one for one in rows.decisions or () if one.issue_id in issues),
    )


def package(rows: Rows) -> bytes:
    """Return the rows as a replication package in a ZIP file; the same rows give the same bytes."""
    models = {one.proposal_model for one in rows.records if one.proposal_model is not None}
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        write_package(rows, Path(folder), sorted(models))
        for path in sorted(Path(folder).iterdir()):
            archive.writestr(zipfile.ZipInfo(path.name, _LONG_AGO), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()
