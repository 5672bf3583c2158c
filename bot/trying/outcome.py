"""What a try came to: figures for a program, and lines for a person."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from bot.trying.reading import Latest
from reports import Record, Report


@dataclass(frozen=True)
class Tried:
    """The records of the latest closings, their report and page, and what the reading cost."""

    full_name: str
    latest: Latest
    records: tuple[Record, ...]
    report: Report
    html: str
    requests: int
    points: int

    @property
    def counts(self) -> dict[str, int]:
        """Counts of issues; a fix is unknown where something closed the issue that may not be read."""
        records = self.records
        return {
            "closings": len(self.latest.numbers),
            "read": self.latest.read,
            "recorded": len(records),
            "eligible": sum(one.eligible_bug or one.eligible_system for one in records),
            "with_fix": sum(one.fix_kind is not None for one in records),
            "unknown": sum(one.fix_kind is None and one.fix_link == "private" for one in records),
            "proposed": sum(one.state == "proposed" for one in records),
        }


def coverage(tried: Tried) -> str:
    """Say in one line what was read and what of it is known."""
    counts = {name: f"{count:,}" for name, count in tried.counts.items()}
    line = (
        f"{tried.full_name}: {counts['closings']} latest closings, {counts['read']} read now, "
        f"{counts['recorded']} recorded, {counts['eligible']} eligible, {counts['with_fix']} with a fix, "
        f"{counts['unknown']} unknown; {tried.requests:,} requests, {tried.points:,} points."
    )
    if tried.latest.unreadable:
        line += " Not readable: " + ", ".join(f"#{number}" for number in tried.latest.unreadable) + "."
    return line


def figures(tried: Tried, path: Path, address: str | None) -> dict[str, Any]:
    """Return what `--json` prints; `page_url` is None where the page is not served."""
    period = tried.report.period
    return {
        "repository": tried.full_name,
        "period": period.name,
        "window_months": period.window_months,
        **tried.counts,
        "unreadable": list(tried.latest.unreadable),
        "requests": tried.requests,
        "points": tried.points,
        "page_path": str(path),
        "page_url": address,
        "report_path": str(path.with_name("report.md")),
    }


def tell(tried: Tried, path: Path, address: str | None, *, as_json: bool) -> None:
    """Print where to look, and the figures as the JSON line that ends standard output."""
    if address is not None:
        say(f"page  {address} (open until Ctrl-C)", as_json=as_json)
    say(f"file  {path}", as_json=as_json)
    if as_json:
        sys.stdout.write(json.dumps(figures(tried, path, address)) + "\n")
        sys.stdout.flush()


def say(text: str, *, as_json: bool) -> None:
    """Print a line for a person; where standard output is for a program, to standard error."""
    Console(stderr=as_json).print(text, soft_wrap=True, markup=False, highlight=False)
