"""The issues a demo plays through: the built-in samples, or a file in the sandbox's schema."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from bot.demo.samples import load_samples

_NEEDED = {"repository": str, "number": int, "title": str, "created_at": str, "closed_at": str}


class InputError(Exception):
    """The file cannot be played; the message names the line and what is wrong."""


def read_issues(path: Path | None, reference: datetime) -> list[dict[str, Any]]:
    """Return the issues in the order of their closings, each number of a repository once.

    Without a file these are the samples, whose closings lie in the month of `reference` and before it. Raises
    `InputError` for a file that is missing, is no JSON lines, or lacks what every issue needs.
    """
    issues = load_samples(reference) if path is None else list(_from_file(path))
    unique = {(issue["repository"], issue["number"]): issue for issue in issues}
    if not unique:
        raise InputError(f"there is no issue in {path}")
    return sorted(unique.values(), key=lambda issue: (issue["closed_at"], issue["repository"], issue["number"]))


def _from_file(path: Path) -> Iterator[dict[str, Any]]:
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _checked(line, number)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read {path}: {error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text") from None


def _checked(line: str, number: int) -> dict[str, Any]:
    try:
        issue = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError(f"line {number} is not JSON") from None
    if not isinstance(issue, dict):
        raise InputError(f"line {number} is not a JSON object")
    for name, kind in _NEEDED.items():
        if not isinstance(issue.get(name), kind) or isinstance(issue[name], bool):
            raise InputError(f"line {number}: the field {name!r} must be a {kind.__name__}")
    if issue["repository"].count("/") != 1:
        raise InputError(f"line {number}: the repository must be written as owner/name")
    for name in ("created_at", "closed_at"):
        issue[name] = _moment(issue[name], name, number)
    return {"body": "", "author": None, "labels": [], "comments": [], "fix": None, **issue}


def _moment(value: str, name: str, number: int) -> str:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise InputError(f"line {number}: {name} is not a date and time in ISO 8601") from None
    if moment.tzinfo is None:
        raise InputError(f"line {number}: {name} needs a time zone, such as Z")
    return value
