"""The drawn list as a CSV file, for a coder who works in a spreadsheet: out with the texts, in with the answers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.decisions.answers import Answer, read_cells
from bot.decisions.errors import StudyError
from bot.store.drawing import Closed
from bot.store.study import Listed
from classifier import FixText, IssueText

ANSWER_COLUMNS = ("category", "second", "none_kind", "new_code", "note")
COLUMNS = ("issue_id", "repository", "number", "title", "text", "comments", "fix", *ANSWER_COLUMNS)
LIST_COLUMNS = (
    "issue_id", "repository", "number", "title", "html_url", "closed_at",
    "eligible_system", "eligible_bug", "probability", "seed",
)  # fmt: skip

LONGEST_CELL = 32_000
"""Characters of a cell; spreadsheets keep 32,767 and drop the rest without a word."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""

csv.field_size_limit(16 * 1024 * 1024)


@dataclass(frozen=True)
class Row:
    """One filled-in row: its number as a spreadsheet counts, its issue, and its answer or what is wrong with it."""

    number: int
    issue_id: int | None
    answer: Answer | None
    mistake: str | None = None


def write_sheet(issues: Sequence[tuple[Listed, IssueText]], own: Mapping[int, Answer]) -> str:
    """Return the CSV text: each issue with what its reader saw, and the coder's own earlier answers, nobody else's."""
    lines = (
        [_cell(value) for value in (*_shown(issue, text), *_said(own.get(issue.issue_id)))] for issue, text in issues
    )
    return _csv(COLUMNS, lines)


def write_list(drawn: Sequence[Closed], probability: Mapping[int, float], seed: int) -> str:
    """Return the CSV text of a drawn list, in the order it is to be coded in."""
    lines = (
        [
            str(one.issue_id),
            one.repository,
            str(one.number),
            _cell(one.title),
            one.html_url or "",
            one.closed_at.isoformat(),
            str(one.eligible_system).lower(),
            str(one.eligible_bug).lower(),
            f"{probability[one.issue_id]:.6g}",
            str(seed),
        ]
        for one in drawn
    )
    return _csv(LIST_COLUMNS, lines)


def read_sheet(text: str) -> Iterator[Row]:
    """Yield the rows that were filled in, or that cannot be read; commas, semicolons and tabs part cells.

    Raises:
        StudyError: the file has no header with an `issue_id` and a `category` or `new_code`.
    """
    text = text.removeprefix("\ufeff")
    header = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count))
    try:
        columns = [name.strip().casefold() for name in next(reader, [])]
        if "issue_id" not in columns or not {"category", "new_code"} & set(columns):
            raise StudyError(
                "The file's first line must name its columns, among them issue_id and category; "
                "rootcause study code export writes such a file."
            )
        for number, cells in enumerate(reader, start=2):
            # A short row lacks its last cells, a long one has some that no column names.
            read = _read(number, dict(zip(columns, cells, strict=False)))
            if read is not None:
                yield read
    except csv.Error as error:
        raise StudyError(f"Line {reader.line_num} is not CSV: {error}.") from error


def _read(number: int, cells: Mapping[str, str]) -> Row | None:
    category, second, none_kind, new_code, note = (_uncell(cells.get(name, "")) for name in ANSWER_COLUMNS)
    given = cells.get("issue_id", "").strip()
    issue_id = int(given) if given.isascii() and given.isdigit() and len(given) < 19 else None
    try:
        answer = read_cells(category, second, none_kind, new_code, note)
    except StudyError as error:
        return Row(number, issue_id, None, str(error))
    if answer is None:
        return None
    if issue_id is None:
        return Row(number, None, None, f"{given[:40]!r} is no issue_id.")
    return Row(number, issue_id, answer)


def _shown(issue: Listed, text: IssueText) -> tuple[str, ...]:
    comments = "\n\n".join(f"[{position}] {comment.body}" for position, comment in enumerate(text.comments, start=1))
    return (
        str(issue.issue_id),
        issue.repository,
        str(issue.number),
        text.title,
        text.body,
        comments,
        fix_lines(text.fix) if text.fix else "",
    )


def fix_lines(fix: FixText) -> str:
    """Return what a coder reads about a fix: its title, its size and its files."""
    size = "" if fix.additions is None or fix.deletions is None else f" (+{fix.additions} -{fix.deletions})"
    files = "".join(f"\n  {file.path}" for file in fix.files)
    return f"{fix.title or 'a commit'}{size}{files}"


def _said(answer: Answer | None) -> tuple[str, ...]:
    if answer is None:
        return ("",) * len(ANSWER_COLUMNS)
    said = (answer.category, answer.category2, answer.none_kind, answer.draft, answer.note)
    return tuple(value or "" for value in said)


def _cell(value: str) -> str:
    """Return a cell that a spreadsheet neither cuts silently nor takes for a formula."""
    if len(value) > LONGEST_CELL:
        value = f"{value[:LONGEST_CELL]} [{len(value) - LONGEST_CELL:,} more characters are not shown]"
    return f"'{value}" if value.startswith(_FORMULA) else value


def _uncell(value: str) -> str:
    return value[1:] if value.startswith("'") and value[1:].startswith(_FORMULA) else value


def _csv(columns: Sequence[str], lines: Iterator[list[str]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows(lines)
    return out.getvalue()
