"""The files an evaluation reads, as labelled issues; one that does not fit is a person's mistake."""

import gzip
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from classifier.examples import Example, issue_of
from classifier.measure.nlbse import CLASSES, Report
from classifier.taxonomy import CATEGORIES


class InputError(ValueError):
    """A file cannot be evaluated on; the message names it and the reason."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A labelled issue and the day it was opened (YYYY-MM-DD), None where that is not known."""

    example: Example
    created: str | None


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Read JSON lines, compressed with gzip where the name ends so; raises InputError."""
    try:
        packed = path.read_bytes()
        text = (gzip.decompress(packed) if path.suffix == ".gz" else packed).decode()
        rows = [json.loads(line) for line in text.split("\n") if line.strip()]
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except (EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not text, or not compressed as its name says") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON lines: {error}") from error
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{path} has no rows, or rows that are no JSON objects")
    return rows


def read_coded(path: Path) -> list[Dated]:
    """Read coded issues: text, `repository` and `category` in each row, `created` where it is known."""
    return [_dated(path, row, row.get("category")) for row in read_lines(path)]


def join_labels(texts: Sequence[Path], labels: Path) -> list[Dated]:
    """Join labels (`repository`, `number`, `category`) with the texts of real threads, in the labels' order.

    Where several files have a thread, the first one counts. Raises InputError where a label has no text.
    """
    found: dict[tuple[object, object], tuple[Path, dict[str, Any]]] = {}
    for path in texts:
        for row in read_lines(path):
            found.setdefault((row.get("repository"), row.get("number")), (path, row))
    joined = []
    for label in read_lines(labels):
        key = (label.get("repository"), label.get("number"))
        if key not in found:
            names = " and ".join(str(path) for path in texts)
            raise InputError(f"{names} has no issue {key[0]}#{key[1]}, which {labels} labels")
        path, row = found[key]
        joined.append(_dated(path, row, label.get("category")))
    return joined


def read_reports(path: Path) -> list[Report]:
    """Read the benchmark's issue reports: `repository`, text and `label_original`."""
    reports = []
    for row in read_lines(path):
        label = row.get("label_original")
        if label not in CLASSES or "repository" not in row:
            raise InputError(f"{path} has a row without repository, or with the label {label!r}")
        reports.append(Report(row["repository"], _issue(path, row).issue, label))
    return reports


def blind_pairs(records: Path) -> list[tuple[str, str]]:
    """Give (proposal, decision) of the issues that were decided without seeing the proposal (`records.jsonl`)."""
    return [
        (row["proposal_category"], row["category"])
        for row in read_lines(records)
        if row.get("blind") and row.get("category_source") == "decision" and row.get("proposal_category")
        if row.get("category") in CATEGORIES
    ]


def _dated(path: Path, row: dict[str, Any], category: object) -> Dated:
    if category not in CATEGORIES:
        raise InputError(f"{path}: {row.get('repository')}#{row.get('number')} has the category {category!r}")
    read = _issue(path, row)
    created = row.get("created") or row.get("created_at")
    return Dated(Example(read.issue, str(category), read.group), str(created)[:10] if created else None)


def _issue(path: Path, row: dict[str, Any]) -> Example:
    try:
        return Example(issue_of(row), CATEGORIES[-1], str(row["repository"]))
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} has a row that is no issue: {error!r}") from error
