"""Check a package's manifest: a schema this version reads, and files that are as they were written."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from reports.errors import ReportInputError
from reports.package_files import MANIFEST, SCHEMA_VERSION


def check_package(folder: Path) -> None:
    """Raise ReportInputError with a sentence if the folder is no package, of a newer schema, or damaged."""
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        version, digests = manifest["schema_version"], dict(manifest["sha256"])
    except OSError:
        raise ReportInputError(f"{path} is not there: give a folder that rootcause export wrote.") from None
    except (ValueError, KeyError, TypeError):
        raise ReportInputError(f"{path} is not a package's manifest.") from None
    if version != SCHEMA_VERSION:
        raise ReportInputError(
            f"{path} has the schema version {version!r:.40}, and this version reads {SCHEMA_VERSION}: update Rootcause."
        )
    for name, digest in digests.items():
        if Path(name).name != name:
            raise ReportInputError(f"{path} names the file {name!r:.60}, which is not in the package.")
        try:
            found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        except OSError as error:
            raise ReportInputError(f"{folder / name} cannot be read: {error.strerror}.") from None
        if found != digest:
            raise ReportInputError(f"{folder / name} is not as it was exported: its SHA-256 differs.")
