"""That a command is at work, shown on a terminal alone: what it does, how far it is and for how long already."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show a line on standard error while the block lasts, and take it away at its end; nothing where that is piped."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with progress(*columns, transient=True) as drawn:
        drawn.add_task(what, total=None)
        yield


def progress(*columns: ProgressColumn, transient: bool = False) -> Progress:
    """Return bars of these columns, drawn on standard error on a terminal alone; `transient` ones go at the end."""
    from rich.console import Console
    from rich.progress import Progress

    return Progress(
        *columns,
        console=Console(stderr=True),
        transient=transient,
        disable=not sys.stderr.isatty(),
        # What goes to standard output has to stay there: `rich` would write it above the bars, so to standard error.
        redirect_stdout=sys.stdout.isatty(),
    )
