"""The issues a demo plays through: the built-in samples, or a file in the sandbox's schema."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from bot.demo.errors import InputError
from bot.demo.samples import load_samples
from bot.text import storable

_STATE_REASONS = ("completed", "not_planned", "duplicate", "reopened")
_SHA = re.compile(r"[0-9a-fA-F]{7,64}")
_NAME = re.compile(r"[A-Za-z0-9-]{1,100}/[A-Za-z0-9._-]{1,100}")
_MOST_NUMBER = 2**31 - 1
_MOST_LINES = 10**6
"""Added or deleted in one file; the sum over a fix's files must fit its column."""


class _WrongError(Exception):
    """What is wrong with a line, before its number is known."""


def read_issues(path: Path | None, reference: datetime) -> list[dict[str, Any]]:
    """Return the issues in the order of their closings, each number of a repository once: its last line counts.

    Without a file these are the samples, whose closings lie in the month of `reference` and before it. Raises
    `InputError` for a file that is missing, is no JSON lines, or lacks what every issue needs.
    """
    issues = load_samples(reference) if path is None else list(_from_file(path))
    unique = {_key(issue, issue["number"]): issue for issue in issues}
    if not unique:
        raise InputError(f"there is no issue in {path}")
    for issue in unique.values():
        fix = issue["fix"]
        if fix is not None and fix["kind"] == "pull_request" and _key(issue, fix["number"]) in unique:
            raise InputError(f"the fix of {issue['repository']}#{issue['number']} has the number of another issue")
    return sorted(unique.values(), key=lambda issue: (datetime.fromisoformat(issue["closed_at"]), *_key(issue, 0)))


def _key(issue: Mapping[str, Any], number: int) -> tuple[str, int]:
    """Return what tells an issue or a fix from others; names of repositories are the same in any case."""
    return issue["repository"].casefold(), number


def _from_file(path: Path) -> Iterator[dict[str, Any]]:
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8-sig") as lines:
            yield from _numbered(lines)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text") from None


def _numbered(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield _issue(_parsed(line))
            except _WrongError as error:
                raise InputError(f"line {number} {error}") from None


def _parsed(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise _WrongError("is not JSON") from None
    if not isinstance(found, dict):
        raise _WrongError("is not a JSON object")
    return found


def _issue(found: dict[str, Any]) -> dict[str, Any]:
    repository = _text(found, "repository")
    if _NAME.fullmatch(repository) is None or repository.endswith(("/.", "/..")):
        raise _WrongError("must name its repository as owner/name")
    reason = {"state_reason": found["state_reason"]} if found.get("state_reason") is not None else {}
    if reason.get("state_reason", "completed") not in _STATE_REASONS:
        raise _WrongError(f"has a state_reason that is none of {', '.join(_STATE_REASONS)}")
    return {
        "repository": repository,
        "number": _number(found, "number", 1, _MOST_NUMBER),
        "title": _text(found, "title"),
        "body": _optional_text(found, "body"),
        "author": _login(found),
        "labels": [storable(_text({"labels": name}, "labels")) for name in _list(found, "labels")],
        "created_at": _moment(found, "created_at"),
        "closed_at": _moment(found, "closed_at"),
        "comments": [_comment(_object(row, "comments")) for row in _list(found, "comments")],
        "fix": None if found.get("fix") is None else _fix(_object(found["fix"], "fix")),
        **reason,
    }


def _comment(found: dict[str, Any]) -> dict[str, Any]:
    return {
        "author": _login(found),
        "created_at": _moment(found, "created_at"),
        "body": _optional_text(found, "body") or "",
    }


def _fix(found: dict[str, Any]) -> dict[str, Any]:
    kind = found.get("kind")
    if kind not in ("pull_request", "commit"):
        raise _WrongError("has a fix whose kind is neither 'pull_request' nor 'commit'")
    return {
        "kind": kind,
        "number": _number(found, "number", 1, _MOST_NUMBER) if kind == "pull_request" else None,
        "sha": _sha(found, needed=kind == "commit"),
        "merged_at": None if found.get("merged_at") is None else _moment(found, "merged_at"),
        "files": None
        if found.get("files") is None
        else [_file(_object(row, "files")) for row in _list(found, "files")],
    }


def _sha(found: Mapping[str, Any], *, needed: bool) -> str | None:
    sha = found.get("sha")
    if (needed or sha is not None) and not (isinstance(sha, str) and _SHA.fullmatch(sha)):
        raise _WrongError("has a fix whose sha is not one of git's")
    return sha


def _file(found: dict[str, Any]) -> dict[str, Any]:
    lines = {name: _number({name: found.get(name) or 0}, name, 0, _MOST_LINES) for name in ("additions", "deletions")}
    return {"path": _text(found, "path"), "status": _optional_text(found, "status"), **lines}


def _object(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _WrongError(f"must have objects in {name!r}")
    return value


def _list(found: Mapping[str, Any], name: str) -> list[Any]:
    value = found.get(name)
    if value is not None and not isinstance(value, list):
        raise _WrongError(f"must have a list in {name!r}")
    return value or []


def _text(found: Mapping[str, Any], name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str):
        raise _WrongError(f"must have a text in {name!r}")
    return value


def _optional_text(found: Mapping[str, Any], name: str) -> str | None:
    return None if found.get(name) is None else _text(found, name)


def _login(found: Mapping[str, Any]) -> str | None:
    return storable(_optional_text(found, "author") or "") or None


def _number(found: Mapping[str, Any], name: str, least: int, most: int) -> int:
    value = found.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise _WrongError(f"must have a whole number from {least} to {most} in {name!r}")
    return value


def _moment(found: Mapping[str, Any], name: str) -> str:
    value = _text(found, name)
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise _WrongError(f"must have a date and time in ISO 8601 in {name!r}") from None
    if moment.tzinfo is None:
        raise _WrongError(f"must have a time zone, such as Z, in {name!r}")
    if not 1970 < moment.year < 9999:
        raise _WrongError(f"must have a year after 1970 in {name!r}")
    return value
