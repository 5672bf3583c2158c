"""What `rootcause report build` does: files in, a folder with the report out."""

from pathlib import Path

from reports.build import build_report, write_report
from reports.errors import ReportInputError
from reports.model import Report
from reports.package import read_records
from reports.rows import Rows


def build_from_files(
    records: Path, period: str, out: Path, window_months: int = 12, repository: str | None = None
) -> Report:
    """Read a package or a records file, build the report of `period` and write it into `out`.

    `repository` is the `owner/name` the report is for. Raises ReportInputError with a sentence for the person.
    """
    rows = read_records(records)
    repository_id = None if repository is None else _id_of(rows, repository)
    report = build_report(rows, period, window_months, repository_id)
    write_report(report, out)
    return report


def _id_of(rows: Rows, slug: str) -> int:
    found = [one.repository_id for one in rows.repositories if one.repository.casefold() == slug.casefold()]
    if len(found) == 1:
        return found[0]
    if not found:
        raise ReportInputError(f"The input holds no repository {slug!r}: write it as owner/name.")
    raise ReportInputError(f"The input holds {len(found)} repositories named {slug!r}; their names must differ.")
