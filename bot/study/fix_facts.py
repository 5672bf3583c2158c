"""Read a file of fix facts: how closed issues were fixed, taken from git histories alone, as records of a report.

A line is `{"repository", "paradigm": "ml"|"traditional", "number", "created_at", "created_at_estimated", "closed_at",
"fix": {"kind": "pull_request"|"commit", "number", "sha", "files": [{"path", "additions", "deletions"}]}}`; the file may
be compressed with gzip. What git does not tell (comments, people, texts, labels) stays unknown in the records.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from bot.decisions.errors import StudyError
from bot.evidence.languages import change_entropy, languages_of
from bot.evidence.model import FixFile
from bot.frameworks import known_framework
from bot.texts.terminal import harmless
from reports import Record, Repository, Rows

_SECONDS_PER_DAY = 86_400
_MADE_IDS = 2**52
"""Ids made here begin there: far above GitHub's, and still exact in JSON."""

_PARADIGMS = ("ml", "traditional")
_KINDS = ("pull_request", "commit")


@dataclass(frozen=True)
class _Line:
    """One line of the file, to be read field by field; a wrong field ends in a sentence that says where it stands."""

    where: str
    values: Mapping[str, Any]

    def fail(self, wrong: str) -> NoReturn:
        raise StudyError(f"{self.where}: {wrong}.")

    def text(self, name: str) -> str:
        value = self.values.get(name)
        if not isinstance(value, str) or not value:
            self.fail(f"{name!r} must be a text")
        return value

    def one_of(self, name: str, allowed: tuple[str, ...]) -> str:
        value = self.text(name)
        if value not in allowed:
            self.fail(f"{name!r} must be one of {', '.join(allowed)}")
        return value

    def count(self, name: str) -> int:
        value = self.values.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _MADE_IDS:
            self.fail(f"{name!r} must be a whole number, not negative")
        return value

    def moment(self, name: str) -> datetime:
        try:
            moment = datetime.fromisoformat(self.text(name))
            return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail(f"{name!r} must be a time in ISO 8601")

    def inside(self, name: str) -> _Line:
        value = self.values.get(name)
        if not isinstance(value, dict):
            self.fail(f"{name!r} must be an object")
        return _Line(self.where, value)

    def list_inside(self, name: str) -> list[_Line]:
        value = self.values.get(name)
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            self.fail(f"{name!r} must be a list of objects")
        return [_Line(self.where, one) for one in value]


def read_fix_facts(path: Path) -> Rows:
    """Return the file's repositories and records, in its order; participants and decisions are not known.

    Each record is `eligible_bug`, since its fix landed, and not `eligible_system`, since how much was written is not
    known. `changed_lines` is the sum over the files, which a git history lists in full. Ids of the study's frameworks
    are GitHub's where they are known; all others are made from the names, the same on every machine.

    Raises:
        StudyError: the file cannot be read, or a line is wrong, or says a second time how an issue was fixed.
    """
    records: dict[tuple[str, int], Record] = {}
    for line in _lines(path):
        record = _record(line)
        if records.setdefault((record.repository.lower(), record.number), record) is not record:
            line.fail(f"{harmless(record.repository)}#{record.number} is there twice")
    if not records:
        raise StudyError(f"{path} holds no facts.")
    repositories = {record.repository_id: _repository(record) for record in records.values()}
    return Rows(repositories=tuple(repositories.values()), records=tuple(records.values()))


def _lines(path: Path) -> Iterator[_Line]:
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            for number, text in enumerate(lines, start=1):
                if text.strip():
                    yield _parsed(f"{path}, line {number}", text)
    except (OSError, EOFError, zlib.error) as error:
        raise StudyError(f"Cannot read {path}: {getattr(error, 'strerror', None) or error}.") from None
    except UnicodeDecodeError:
        raise StudyError(f"{path} is no text in UTF-8.") from None


def _parsed(where: str, text: str) -> _Line:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise StudyError(f"{where}: this is no JSON.") from None
    if not isinstance(found, dict):
        raise StudyError(f"{where}: this is no JSON object.")
    return _Line(where, found)


def _record(line: _Line) -> Record:
    fix = line.inside("fix")
    files = [_file(one) for one in fix.list_inside("files")]
    repository, number = line.text("repository"), line.count("number")
    created_at, closed_at = line.moment("created_at"), line.moment("closed_at")
    found = languages_of(file.path for file in files)
    framework = known_framework(repository)
    known_id = framework.repository_id if framework else None
    return Record(
        repository_id=known_id or _made_id(repository.lower()),
        issue_id=_made_id(f"{repository.lower()}#{number}"),
        number=number,
        repository=repository,
        paradigm=line.one_of("paradigm", _PARADIGMS),
        created_at=created_at,
        created_at_estimated=line.values.get("created_at_estimated") is not False,
        closed_at=closed_at,
        eligible_bug=True,
        selection="imported",
        open_days=None if closed_at < created_at else (closed_at - created_at).total_seconds() / _SECONDS_PER_DAY,
        changed_lines=sum(file.additions + file.deletions for file in files),
        changed_files=len(files),
        fix_kind=fix.one_of("kind", _KINDS),
        fix_link="commit_keyword",
        fix_merged_at=closed_at,
        languages=found.languages,
        languages_with_tests=found.languages_with_tests,
        mpl=found.mpl if found.languages else None,
        mpl_with_tests=found.mpl_with_tests if found.languages_with_tests else None,
        change_entropy=change_entropy(files, with_tests=False),
        change_entropy_with_tests=change_entropy(files, with_tests=True),
    )


def _file(line: _Line) -> FixFile:
    return FixFile(line.text("path"), line.count("additions"), line.count("deletions"))


def _repository(record: Record) -> Repository:
    framework = known_framework(record.repository)
    return Repository(
        repository_id=record.repository_id,
        repository=record.repository,
        paradigm=record.paradigm,
        domain=framework.domain if framework else None,
        in_comparison=True,
    )


def _made_id(name: str) -> int:
    return _MADE_IDS + int.from_bytes(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:6], "big")
