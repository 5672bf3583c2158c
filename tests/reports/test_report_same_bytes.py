"""A report is the same bytes, figures included, whatever process, time zone and order of hashes it comes from."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from reports import build_report, read_records, render, report_json
from reports.figures.choose import plans
from reports.figures.draw import draw
from reports.package_files import write_package
from tests.reports.enriched import enriched_rows
from tests.reports.synthetic import PERIOD

ROOT = Path(__file__).parents[2]
FIGURES = ("root-causes", "roles")
"""Two of eighteen, each light and dark, as SVG and PNG: all of them are drawn in one way, and that takes long."""


def digests(package: Path) -> list[str]:
    """Return a digest of each part of the package's report, in a fixed order."""
    report = build_report(read_records(package), PERIOD, repository_id=1)
    drawn = [one for plan in plans(report) if plan.heading.name in FIGURES for one in draw(plan)]
    parts = [
        report_json(report).encode(),
        render(report).encode(),
        *(part for one in drawn for part in (one.svg, one.png)),
    ]
    return [hashlib.sha256(part).hexdigest() for part in parts]


def test_the_same_bytes_in_another_process_another_time_zone_and_another_order_of_hashes(tmp_path: Path) -> None:
    write_package(enriched_rows(2, 6), tmp_path, ())
    code = (
        "import sys; from pathlib import Path; from tests.reports.test_report_same_bytes import digests;"
        "print(*digests(Path(sys.argv[1])))"
    )
    other = {**os.environ, "PYTHONHASHSEED": "4711", "TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONPATH": str(ROOT)}
    answer = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], check=True, env=other, cwd=ROOT, capture_output=True, text=True
    )
    ours = digests(tmp_path)
    assert len(ours) == 2 + len(FIGURES) * 4
    assert answer.stdout.split() == ours
