"""Read the replication package: a folder of JSONL files, or a lone `records.jsonl`."""

import json
from collections.abc import Callable, Hashable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from reports.errors import ReportInputError
from reports.fields import read_row
from reports.rows import Decision, Participant, Record, Repository, Rows
from reports.vocabulary import CATEGORY_KEYS, GROUPS, NONE

Row = TypeVar("Row", Repository, Record, Participant, Decision)

_CHOICES: dict[str, tuple[str, ...]] = {
    "paradigm": GROUPS,
    "share": ("group", "named", "off"),
    "state": ("collected", "proposed", "confirmed", "corrected", "rejected", "disputed"),
    "category": (*CATEGORY_KEYS, NONE),
    "category2": (*CATEGORY_KEYS, NONE),
    "category_source": ("decision", "label", "study"),
    "selection": ("random", "targeted", "volunteered", "imported"),
    "comments_until_reproduced_source": ("command", "label", "heuristic"),
    "via": ("comment", "tick", "label", "study", "import"),
}
_WORDED_FIELDS = {
    row_type: tuple((field.name, _CHOICES[field.name]) for field in fields(row_type) if field.name in _CHOICES)
    for row_type in (Repository, Record, Participant, Decision)
}


def read_records(path: Path) -> Rows:
    """Read a package folder (only `records.jsonl` must be there) or one records file.

    Without `repositories.jsonl` each repository is made from its records, and every one whose paradigm is known
    counts as in the comparison. Raises ReportInputError with the file and line of the first fault.
    """
    folder = path if path.is_dir() else None
    records_path = folder / "records.jsonl" if folder else path
    if not records_path.is_file():
        raise ReportInputError(f"{records_path} is not there: give a folder with records.jsonl in it, or such a file.")
    records = tuple(_read(records_path, Record, lambda record: record.issue_id, "issue_id"))
    if folder is None:
        return Rows(repositories=_repositories_of(records), records=records)
    repositories = _optional(folder / "repositories.jsonl", Repository, lambda one: one.repository_id, "repository_id")
    if repositories is not None:
        _require_listed(records_path, records, repositories)
    return Rows(
        repositories=_repositories_of(records) if repositories is None else repositories,
        records=records,
        participants=_optional(folder / "participants.jsonl", Participant, None, ""),
        decisions=_optional(folder / "decisions.jsonl", Decision, None, ""),
    )


def _optional(
    path: Path, row_type: type[Row], key: Callable[[Row], Hashable] | None, key_name: str
) -> tuple[Row, ...] | None:
    return tuple(_read(path, row_type, key, key_name)) if path.is_file() else None


def _read(path: Path, row_type: type[Row], key: Callable[[Row], Hashable] | None, key_name: str) -> Iterator[Row]:
    """Read the rows of one file; blank lines are skipped, a second row of the same key is a fault."""
    seen: dict[Hashable, int] = {}
    for number, line in _lines(path):
        try:
            row = read_row(row_type, _object(line))
            _require_known_words(row)
        except ReportInputError as error:
            raise ReportInputError(f"{path}, line {number}: {error}.") from None
        if key is not None:
            first = seen.setdefault(key(row), number)
            if first != number:
                raise ReportInputError(f"{path}, line {number}: {key_name} {key(row)} is already on line {first}.")
        yield row


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line
    except UnicodeDecodeError as error:
        raise ReportInputError(f"{path} is not UTF-8 text ({error.reason}).") from None
    except OSError as error:
        raise ReportInputError(f"{path} cannot be read: {error.strerror}.") from None


def _object(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ReportInputError(f"this is not JSON ({error})") from None
    if not isinstance(data, dict):
        raise ReportInputError("one JSON object a line is expected")
    return data


def _require_known_words(row: Repository | Record | Participant | Decision) -> None:
    for name, choices in _WORDED_FIELDS[type(row)]:
        value = getattr(row, name)
        if value is not None and value not in choices:
            raise ReportInputError(f"the field {name!r} must be one of {', '.join(choices)}, not {value!r:.60}")


def _require_listed(path: Path, records: tuple[Record, ...], repositories: tuple[Repository, ...]) -> None:
    listed = {one.repository_id for one in repositories}
    for record in records:
        if record.repository_id not in listed:
            raise ReportInputError(
                f"{path}: issue_id {record.issue_id} belongs to repository_id {record.repository_id}, "
                "which repositories.jsonl does not list."
            )


def _repositories_of(records: tuple[Record, ...]) -> tuple[Repository, ...]:
    first: dict[int, Record] = {}
    for record in records:
        first.setdefault(record.repository_id, record)
    return tuple(
        Repository(
            repository_id=one.repository_id,
            repository=one.repository,
            paradigm=one.paradigm,
            in_comparison=one.paradigm is not None,
        )
        for _, one in sorted(first.items())
    )
