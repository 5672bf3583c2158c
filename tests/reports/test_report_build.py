"""From files to a folder: the shape of report.json, the same bytes twice, the sentences for wrong input, the speed."""

import json
import time
from dataclasses import fields, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from classifier import CATEGORIES
from reports import Record, ReportInputError, Repository, Rows, build_from_files, build_report, report_json
from reports.vocabulary import CATEGORY_KEYS, NONE
from tests.reports.synthetic import PERIOD, synthetic_rows


def _write(path: Path, rows: tuple[Record, ...] | tuple[Repository, ...]) -> None:
    """Write rows as the package's JSONL."""
    lines = []
    for row in rows:
        data = {one.name: getattr(row, one.name) for one in fields(row) if one.name != "unknown"}
        lines.append(
            json.dumps(data, default=lambda value: value.isoformat() if isinstance(value, datetime) else value)
        )
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    rows = synthetic_rows(4, 20)
    folder = tmp_path / "package"
    folder.mkdir()
    _write(folder / "records.jsonl", rows.records)
    _write(folder / "repositories.jsonl", rows.repositories)
    return folder


def test_files_give_the_report_of_the_rows_twice_the_same_bytes(package: Path, tmp_path: Path) -> None:
    report = build_from_files(package, PERIOD, tmp_path / "one", repository="Made-Up/Framework1")
    build_from_files(package, PERIOD, tmp_path / "two", repository="made-up/framework1")
    for name in ("report.md", "report.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert report == build_report(synthetic_rows(4, 20), PERIOD, repository_id=1)
    assert (tmp_path / "one" / "report.json").read_text(encoding="utf-8") == report_json(report)
    lone = build_from_files(package / "records.jsonl", PERIOD, tmp_path / "three")
    assert replace(lone.tables, estimated=()) == replace(report.tables, estimated=())


@cache
def _content() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(report_json(build_report(synthetic_rows(4, 20), PERIOD, notes=("a note",))))
    return content


def test_the_shape_of_report_json() -> None:
    content = _content()
    assert list(content) == ["period", "window_months", "seed", "funnel", "tables", "agreement", "coverage"]
    assert (content["period"], content["window_months"], content["seed"]) == (PERIOD, 12, 202611)
    tables = content["tables"]
    assert list(tables) == [
        "categories",
        "categories_without_dominant",
        "categories_estimated",
        "difficulty",
        "information",
        "community",
        "roles",
        "bug_types",
        "languages",
        "mpl_vs_spl",
        "this_repository",
        "repositories",
        "trend",
    ]
    rest = ["p", "q", "p_issue_level", "anova", "welch", "testable", "reason"]
    share = tables["categories"][0]
    assert list(share) == ["category", "ml", "traditional", "difference", "difference_ci", *rest]
    assert list(share["ml"]) == ["n", "total", "share", "ci", "repositories"]
    measure = tables["difficulty"][0]
    assert list(measure) == ["category", "indicator", "ml", "traditional", "cliffs_delta", "cliffs_delta_ci", *rest]
    assert list(measure["ml"]) == ["n", "repositories", "median", "q1", "q3"]
    assert list(measure["anova"]) == ["F", "p"]
    assert list(tables["information"][0]) == list(measure)
    assert [row["category"] for row in tables["categories"]] == list(CATEGORY_KEYS)
    assert len(tables["difficulty"]) == 16 * 7
    assert len(tables["information"]) == 16 * 4
    assert content["coverage"]["notes"] == ["a note"]


def test_the_categories_are_those_of_the_classifier() -> None:
    assert (*CATEGORY_KEYS, NONE) == CATEGORIES


def test_every_null_table_has_its_reason() -> None:
    content = _content()
    empty = {name for name, rows in content["tables"].items() if rows is None}
    assert empty
    assert set(content["coverage"]["not_available"]) == empty | {"agreement.people"}
    assert content["agreement"]["people"]["kappa"] is None
    assert content["agreement"]["people"]["reason"] == "no issue was coded by two people"
    assert all(content["coverage"]["not_available"].values())


def test_a_seed_can_be_given_and_is_printed() -> None:
    assert build_report(Rows(), PERIOD, seed=5).seed == 5


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"period": "November"}, "'November' is not a month"),
        ({"window_months": 0}, "window of 0 months"),
        ({"repository": "nobody/nothing"}, "no repository 'nobody/nothing'"),
        ({"records": Path("nowhere")}, "nowhere is not there"),
    ],
)
def test_wrong_input_is_said_in_a_sentence(package: Path, tmp_path: Path, changes: dict[str, Any], says: str) -> None:
    arguments: dict[str, Any] = {"records": package, "period": PERIOD, "out": tmp_path / "out"} | changes
    with pytest.raises(ReportInputError, match=says):
        build_from_files(**arguments)
    assert not (tmp_path / "out").exists()


def test_an_output_folder_that_cannot_be_is_said(package: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ReportInputError, match="cannot be written"):
        build_from_files(package, PERIOD, tmp_path / "file" / "out")


def test_an_unknown_id_is_said() -> None:
    with pytest.raises(ReportInputError, match="no repository with the id 9"):
        build_report(Rows(), PERIOD, repository_id=9)


def test_two_repositories_of_one_name_are_said(tmp_path: Path) -> None:
    rows = tuple(Record(repository_id=n, repository="o/n", issue_id=n, number=1) for n in (1, 2))
    _write(tmp_path / "records.jsonl", rows)
    with pytest.raises(ReportInputError, match="2 repositories named 'o/n'"):
        build_from_files(tmp_path, PERIOD, tmp_path / "out", repository="o/n")


def test_twenty_repositories_of_240_records_take_seconds() -> None:
    rows = synthetic_rows(10, 240)
    start = time.process_time()
    build_report(rows, PERIOD)
    assert time.process_time() - start < 5
