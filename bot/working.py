"""That a command is at work, shown on a terminal alone: what it does and for how long already."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show a line on standard error while the block lasts, and take it away at its end; nothing where that is piped."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    # What goes to standard output has to stay there: `rich` would write it above the line, so to standard error.
    shared = sys.stdout.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=shared) as progress:
        progress.add_task(what, total=None)
        yield
