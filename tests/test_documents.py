"""The documents' examples are read by the commands they are for."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.demo.inputs import read_issues
from bot.study.fix_facts import read_fix_facts
from classifier.jsonl import classify_lines
from reports import read_records
from tests.support.documented import DOCUMENTS

DOCUMENT = Path(__file__).parents[1] / "bot" / "docs" / "files.md"
CLASSIFY, RECORD, ISSUE, FACT = re.findall(r"^```json\n(.*?)\n```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)


def test_the_line_to_classify_is_classified() -> None:
    (answer,) = classify_lines([CLASSIFY], None)
    assert json.loads(answer)["id"] == 1


def test_the_record_is_read(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").write_text(RECORD + "\n")
    (record,) = read_records(tmp_path / "records.jsonl").records
    assert (record.category, record.changed_lines) == ("memory-leak", 16)


def test_the_issue_is_read(tmp_path: Path) -> None:
    (tmp_path / "issues.jsonl").write_text(ISSUE + "\n")
    (issue,) = read_issues(tmp_path / "issues.jsonl", datetime.now(UTC))
    assert issue["number"] == 7


def test_the_fact_is_read(tmp_path: Path) -> None:
    (tmp_path / "facts.jsonl").write_text(FACT + "\n")
    (record,) = read_fix_facts(tmp_path / "facts.jsonl").records
    assert (record.languages, record.changed_lines) == (("Go",), 7)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_a_file_and_to_a_heading_of_it(document: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", document.read_text())):
        path, _, heading = target.partition("#")
        if path.startswith("https:"):
            continue
        there = document.parent / path if path else document
        assert there.exists(), target
        titles = re.findall(r"^#+ (.*)$", there.read_text(), re.MULTILINE) if heading else []
        assert not heading or heading in {re.sub(r"[^a-z0-9 -]", "", one.lower()).replace(" ", "-") for one in titles}
