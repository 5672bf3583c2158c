"""The CSV file between a coder and the database: what goes out, what comes back, what a spreadsheet does to it."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.decisions.answers import Answer
from bot.decisions.errors import StudyError
from bot.store.study import Listed
from bot.study.sheet import LONGEST_CELL, Row, read_sheet, write_sheet
from classifier import CommentText, IssueText

ISSUE = Listed(7, "acme/frame", 12, "Leak")


def test_texts_go_out_harmless_and_whole_lines_come_back() -> None:
    text = IssueText(
        "=HYPERLINK(1)", 'He said "leak",\nthen left;', (CommentText("-1 for that"), CommentText("x" * 40_000))
    )
    written = write_sheet([(ISSUE, text)], {7: Answer("memory-leak", "resource-usage", note="=sum")})
    (row,) = csv.DictReader(io.StringIO(written, newline=""))
    assert row["title"] == "'=HYPERLINK(1)"
    assert row["text"] == text.body
    assert row["comments"].startswith("[1] -1 for that\n\n[2] xxx")
    assert len(row["comments"]) < LONGEST_CELL + 60
    assert row["comments"].endswith("more characters are not shown]")
    assert list(read_sheet(written)) == [Row(2, 7, Answer("memory-leak", "resource-usage", note="=sum"))]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_what_spreadsheets_make_of_it_is_read(delimiter: str) -> None:
    lines = ["\ufeffIssue_ID,Category,note,extra", "7,leak,why,1,2,3", "8,,,", "9,io", ""]
    rows = list(read_sheet("\r\n".join(lines).replace(",", delimiter)))
    assert rows == [Row(2, 7, Answer("memory-leak", note="why")), Row(4, 9, Answer("io-slowdown"))]


def test_what_cannot_be_used_is_named_by_line_and_the_rest_is_read() -> None:
    rows = list(read_sheet("issue_id,category\n7,leek-soup\nseven,io\n\n8,io\n"))
    assert [(row.number, row.issue_id, row.answer) for row in rows] == [
        (2, 7, None),
        (3, None, None),
        (5, 8, Answer("io-slowdown")),
    ]
    assert "leek-soup" in (rows[0].mistake or "")
    assert "'seven' is no issue_id" in (rows[1].mistake or "")


@pytest.mark.parametrize("text", ["", "\n", "title,category\nx,io\n", "issue_id,note\n7,why\n"])
def test_a_file_without_the_columns_is_refused(text: str) -> None:
    with pytest.raises(StudyError, match="issue_id and category"):
        list(read_sheet(text))


@given(st.text(), st.text(), st.text(max_size=50))
def test_any_text_survives_the_way_out_and_any_file_is_rows_or_a_sentence(title: str, body: str, noise: str) -> None:
    written = write_sheet([(ISSUE, IssueText(title, body))], {7: Answer("data-race")})
    assert [row.answer for row in read_sheet(written)] == [Answer("data-race")]
    try:
        list(read_sheet(f"issue_id,category\n{noise}"))
    except StudyError as error:
        assert str(error)  # noqa: PT017
