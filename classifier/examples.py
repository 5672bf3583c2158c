"""Labelled issues to learn from: their shape, and how the bundled corpus is read."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from classifier.contract import CommentText, FixFileText, FixText, IssueText
from classifier.taxonomy import BUG_TYPES, CATEGORIES, NONE

CORPUS = Path(__file__).with_name("corpus")
"""The bundled corpus: JSON lines, every text written for this project."""
OWN = "own"
"""`origin` of rows that re-write no issue."""
CORPUS_WEIGHT = 0.4
"""What a row of the corpus counts beside a maintainer's decision (`classifier.md`, section 5: 0.3 to 0.5)."""
TEMPTING_WEIGHT = 0.1
"""What a row of none counts that re-writes no issue: such rows were made to tempt, and are rarer in life."""


class CorpusError(ValueError):
    """A row of a corpus cannot be learned from; the message names file, line and reason."""


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled issue.

    `group` keeps what belongs together on one side of every split: the repository, or the file of the corpus where a
    row re-writes no issue. `weight` > 0 is what the example counts; `bug_type` is None where nobody gave one.
    """

    issue: IssueText
    category: str
    group: str
    weight: float = 1.0
    bug_type: str | None = None


def read_corpus(folder: Path = CORPUS) -> tuple[Example, ...]:
    """Read every `*.jsonl` of a folder, files in alphabetical order, rows in theirs; raises CorpusError."""
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise CorpusError(f"{folder} holds no file named *.jsonl")
    return tuple(example for path in files for example in _read_file(path))


def _read_file(path: Path) -> Iterator[Example]:
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield _example(json.loads(line), path.stem)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CorpusError(f"{path.name}, line {number}: {error!r}") from error


def _example(row: dict[str, Any], file: str) -> Example:
    if row["category"] not in CATEGORIES:
        raise ValueError(f"unknown category {row['category']}")
    bug_type = row.get("bug_type")
    if bug_type is not None and bug_type not in {known.key for known in BUG_TYPES}:
        raise ValueError(f"unknown bug type {bug_type}")
    return Example(
        issue=issue_of(row),
        category=row["category"],
        group=file if row["origin"] == OWN else row["origin"],
        weight=TEMPTING_WEIGHT if row["origin"] == OWN and row["category"] == NONE else CORPUS_WEIGHT,
        bug_type=bug_type,
    )


def issue_of(row: dict[str, Any]) -> IssueText:
    """Read title, body, comments (text or object) and fix of a row; raises KeyError or TypeError where it has none."""
    fix = row.get("fix")
    comments = row.get("comments") or ()
    return IssueText(
        title=row["title"],
        body=row["body"] or "",
        comments=tuple(
            CommentText(one) if isinstance(one, str) else CommentText(one["body"], one.get("member"))
            for one in comments
        ),
        fix=None
        if not fix
        else FixText(
            fix.get("title"),
            fix.get("additions"),
            fix.get("deletions"),
            tuple(
                FixFileText(file["path"], file.get("additions"), file.get("deletions"))
                for file in fix.get("files") or ()
            ),
        ),
    )
