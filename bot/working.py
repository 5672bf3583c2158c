"""That a command is at work, shown on standard error: drawn on a terminal, elsewhere a plain line now and then."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

_FIRST_LINE_SECONDS = 2.0
_NEXT_LINE_SECONDS = 10.0


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show what goes on while the block lasts: a line that is taken away at its end, or plain ones on no terminal."""
    if not sys.stderr.isatty():
        with _telling(lambda: what):
            yield
        return
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with progress(*columns, transient=True) as drawn:
        drawn.add_task(what, total=None)
        yield


@contextmanager
def progress(*columns: ProgressColumn, transient: bool = False) -> Iterator[Progress]:
    """Draw bars of these columns while the block lasts, `transient` ones until then; on no terminal tell the newest."""
    from rich.console import Console
    from rich.progress import Progress

    bars = Progress(
        *columns,
        console=Console(stderr=True),
        transient=transient,
        # What goes to standard output has to stay there: `rich` would write it above the bars, so to standard error.
        redirect_stdout=sys.stdout.isatty(),
    )
    with bars if sys.stderr.isatty() else _telling(lambda: _newest(bars)):
        yield bars


@contextmanager
def _telling(what: Callable[[], str]) -> Iterator[None]:
    """Write what goes on, and for how long, once it has lasted two seconds and every ten seconds from then on."""
    began, ended = monotonic(), Event()

    def tell() -> None:
        wait = _FIRST_LINE_SECONDS
        while not ended.wait(wait):
            wait = _NEXT_LINE_SECONDS
            sys.stderr.write(f"{what()}, {monotonic() - began:.0f} s\n")
            sys.stderr.flush()

    # A thread, since much of the work is not asynchronous; it keeps no process from its end.
    thread = Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _newest(bars: Progress) -> str:
    if not bars.tasks:
        return "working"
    task = bars.tasks[-1]
    return task.description + ("" if task.total is None else f": {task.completed:.0f} of {task.total:.0f}")
