"""Reading records: what is accepted, and the sentence for each fault."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from reports import Record, ReportInputError, read_records

RECORD: dict[str, Any] = {"repository_id": 1, "repository": "o/n", "paradigm": "ml", "issue_id": 11, "number": 3}


def _lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_a_lone_file_makes_its_repositories(tmp_path: Path) -> None:
    path = _lines(
        tmp_path / "records.jsonl",
        RECORD | {"closed_at": "2026-11-05T01:00:00+02:00", "open_days": 3, "mpl": None, "languages": ["C/C++"]},
        RECORD | {"repository_id": 2, "issue_id": 12, "paradigm": None, "surprise": {"a": 1}},
    )
    rows = read_records(path)
    first, second = rows.records
    assert first.closed_at == datetime(2026, 11, 4, 23, tzinfo=UTC)
    assert first.open_days == 3.0
    assert first.mpl is None
    assert first.languages == ("C/C++",)
    assert second.unknown == (("surprise", {"a": 1}),)
    assert [(one.repository_id, one.in_comparison) for one in rows.repositories] == [(1, True), (2, False)]
    assert rows.participants is None
    assert rows.decisions is None


def test_a_folder_reads_every_file_it_holds(tmp_path: Path) -> None:
    _lines(tmp_path / "records.jsonl", RECORD)
    _lines(tmp_path / "repositories.jsonl", {"repository_id": 1, "repository": "o/n", "in_comparison": True})
    _lines(tmp_path / "participants.jsonl", {"person": "h", "repository_id": 1, "issue_id": 11, "roles": ["author"]})
    _lines(tmp_path / "decisions.jsonl", {"issue_id": 11, "coder": "h", "category": "none", "via": "tick"})
    rows = read_records(tmp_path)
    assert rows.repositories[0].in_comparison
    assert rows.participants is not None
    assert rows.participants[0].roles == ("author",)
    assert rows.decisions is not None
    assert rows.decisions[0].via == "tick"


def test_absent_and_null_fields_are_not_known(tmp_path: Path) -> None:
    path = _lines(
        tmp_path / "r.jsonl", RECORD | dict.fromkeys(("open_days", "category", "eligible_system", "exclusions"))
    )
    assert read_records(path).records == (
        Record(repository_id=1, issue_id=11, number=3, repository="o/n", paradigm="ml"),
    )


def test_blank_lines_and_a_byte_order_mark_are_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(f"\ufeff\n{json.dumps(RECORD)}\n\n", encoding="utf-8")
    assert len(read_records(path).records) == 1


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 2: this is not JSON"),
        ("[1]", "line 2: one JSON object"),
        ("[" * 100_000, "line 2: this is not JSON"),
        ('{"repository_id": 1, "issue_id": 12}', "line 2: the field 'number' is missing"),
        ({"number": "3"}, "'number' must be a whole number, not '3'"),
        ({"number": True}, "'number' must be a whole number"),
        ({"number": 1.5}, "'number' must be a whole number"),
        ({"open_days": -1}, "'open_days' must lie between 0 and"),
        ({"open_days": float("nan")}, "'open_days' must lie between 0 and"),
        ({"open_days": 10**400}, "'open_days' must lie between 0 and"),
        ({"closed_at": "yesterday"}, "'closed_at' must be a time in ISO 8601"),
        ({"closed_at": 5}, "'closed_at' must be a time in ISO 8601"),
        ({"closed_at": "0001-01-01T00:00:00+14:00"}, "'closed_at' must be a time in ISO 8601"),
        ({"blind": "yes"}, "'blind' must be true or false"),
        ({"exclusions": "none"}, "'exclusions' must be a list of texts"),
        ({"exclusions": [1]}, "'exclusions' must be a list of texts"),
        ({"title": 1, "category": "leak"}, "'category' must be one of api-mismatch"),
        ({"paradigm": "ai"}, "'paradigm' must be one of ml, traditional, not 'ai'"),
        ({"issue_id": 11}, "line 2: issue_id 11 is already on line 1"),
    ],
)
def test_a_fault_is_named_with_file_and_line(tmp_path: Path, line: str | dict[str, Any], says: str) -> None:
    text = line if isinstance(line, str) else json.dumps(RECORD | {"issue_id": 12} | line)
    path = tmp_path / "records.jsonl"
    path.write_text(f"{json.dumps(RECORD)}\n{text}\n", encoding="utf-8")
    with pytest.raises(ReportInputError) as caught:
        read_records(path)
    assert says in str(caught.value)
    assert str(path) in str(caught.value)
    assert len(str(caught.value)) < 400 + len(str(path))


def test_a_record_of_an_unlisted_repository_is_a_fault(tmp_path: Path) -> None:
    _lines(tmp_path / "records.jsonl", RECORD)
    _lines(tmp_path / "repositories.jsonl", {"repository_id": 2})
    with pytest.raises(ReportInputError, match=r"repository_id 1, which repositories\.jsonl does not list"):
        read_records(tmp_path)


def test_files_that_are_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(ReportInputError, match=r"records\.jsonl is not there"):
        read_records(tmp_path)
    with pytest.raises(ReportInputError, match="is not there"):
        read_records(tmp_path / "nothing.jsonl")
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe{}")
    with pytest.raises(ReportInputError, match="not UTF-8"):
        read_records(tmp_path / "bytes.jsonl")
