"""What the demo shows of itself: progress bars while it runs, its figures and addresses at the end."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn

from bot.demo.play import Played
from bot.demo.seeding import Show
from bot.working import progress

_MEGABYTE = 1024 * 1024


@contextmanager
def progress_bars() -> Iterator[Show]:
    """Draw one bar for each thing that goes on; yield what is told of it."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with progress(*columns) as drawn:
        bars: dict[str, TaskID] = {}

        def show(doing: str, done: int, total: int) -> None:
            if doing not in bars:
                bars[doing] = drawn.add_task(doing, total=total)
            drawn.update(bars[doing], completed=done, total=total)

        yield show


def outcome_of(played: Played, path: Path, address: str, seconds: float, peak_bytes: int | None) -> dict[str, Any]:
    """Return the figures that `--json` prints; `peak_memory_mb` is None where the kernel does not tell memory."""
    numbers = played.figures
    return {
        "deliveries": played.deliveries,
        "recorded": numbers.recorded,
        "eligible": numbers.eligible,
        "proposed": numbers.proposed,
        "confirmed": numbers.confirmed,
        "corrected": numbers.corrected,
        "report_url": f"{address}/web/{played.repository.full_name}/issues/{played.report.number}",
        "report_path": str(path),
        "report_number": played.report.number,
        "seconds": round(seconds, 1),
        "peak_memory_mb": None if peak_bytes is None else round(peak_bytes / _MEGABYTE),
    }


def tell(played: Played, outcome: dict[str, Any], address: str, *, as_json: bool) -> None:
    """Print where to look, and the figures: in words, or as the JSON line that ends standard output."""
    if played.inbox is not None:
        say(f"inbox   {address}/web/{played.inbox.full_name}/issues/{played.inbox.inbox_number}", as_json=as_json)
    say(f"report  {outcome['report_url']}\nfile    {_from_here(Path(outcome['report_path']))}", as_json=as_json)
    if as_json:
        sys.stdout.write(json.dumps(outcome) + "\n")
        sys.stdout.flush()
        return
    memory = outcome["peak_memory_mb"]
    say(
        f"{outcome['recorded']} issues recorded, {outcome['eligible']} eligible, {outcome['proposed']} proposed, "
        f"{outcome['confirmed']} confirmed, {outcome['corrected']} corrected; {outcome['seconds']} s, "
        f"{'memory not known' if memory is None else f'{memory} MB at most'}",
        as_json=False,
    )


def _from_here(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def say(text: str, *, as_json: bool) -> None:
    """Print lines for a person; where standard output is for a program, to standard error."""
    Console(stderr=as_json).print(text, soft_wrap=True, markup=False, highlight=False)
