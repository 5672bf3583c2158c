"""Check a package before it is imported: its manifest and digests, and that a database can hold its texts."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path

from reports.errors import ReportInputError
from reports.package_files import MANIFEST, SCHEMA_VERSION, plain
from reports.rows import Decision, Participant, Rows

_FILE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}", re.ASCII)
_ZERO = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
_LONGEST_PERSON = 200
_DEEPEST = 50
"""Lists and objects inside each other: far above any field, far below what cannot be written again."""


def check_package(folder: Path) -> None:
    """Raise ReportInputError with a sentence if the folder is no package, of a newer schema, or damaged."""
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        version, digests = manifest["schema_version"], dict(manifest["sha256"])
    except OSError:
        raise ReportInputError(f"{path} is not there: give a folder that rootcause export wrote.") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ReportInputError(f"{path} is not a package's manifest.") from None
    if version != SCHEMA_VERSION:
        raise ReportInputError(
            f"{path} has the schema version {version!r:.40}, and this version reads {SCHEMA_VERSION}: update Rootcause."
        )
    for name, digest in digests.items():
        if not isinstance(name, str) or _FILE.fullmatch(name) is None:
            raise ReportInputError(f"{path} names the file {name!r:.60}, which is not in the package.")
        try:
            found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        except OSError as error:
            raise ReportInputError(f"{folder / name} cannot be read: {error.strerror}.") from None
        if found != digest:
            raise ReportInputError(f"{folder / name} is not as it was exported: its SHA-256 differs.")


def require_storable(rows: Rows) -> None:
    """Raise ReportInputError for the first row with a text or a number that no database holds.

    Those are U+0000, halves of surrogate pairs, NaN, infinity and deep nesting, which only fields of newer packages
    can have, and names of people that are longer than any keyed hash.
    """
    tables = (rows.repositories, rows.records, rows.participants or (), rows.decisions or ())
    for table in tables:
        for row in table:
            if _is_deeper([value for _, value in row.unknown]):
                raise _unfit(row)
            try:
                written = json.dumps(plain(row), ensure_ascii=False, allow_nan=False)
                written.encode("utf-8")
            except ValueError:
                raise _unfit(row) from None
            person = row.person if isinstance(row, Participant) else row.coder if isinstance(row, Decision) else ""
            if _ZERO.search(written) or len(person) > _LONGEST_PERSON:
                raise _unfit(row)


def _is_deeper(values: list[object]) -> bool:
    """Tell whether values lie deeper inside each other than `_DEEPEST`."""
    for _ in range(_DEEPEST):
        if not values:
            return False
        values = [inner for one in values for inner in _inside(one)]
    return True


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _unfit(row: object) -> ReportInputError:
    which = " ".join(
        f"{name} {getattr(row, name)}" for name in ("repository_id", "issue_id") if getattr(row, name, None) is not None
    )
    return ReportInputError(
        f"The {type(row).__name__.lower()} of {which} cannot be stored: it has a character (U+0000, or half of a "
        "surrogate pair), a number (NaN or infinite), a value nested too deeply or a person's name that no export "
        "writes."
    )
