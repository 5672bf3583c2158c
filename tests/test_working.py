"""The sign that a command is at work: on a terminal alone, and never mixed with what the command prints."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from bot.backfill.command import progress_bar
from bot.demo.outcome import progress_bars
from bot.working import working


class Terminal(io.StringIO):
    """Standard error as it is where a person looks at it."""

    def isatty(self) -> bool:
        return True


@contextmanager
def backfilling(what: str) -> Iterator[None]:
    with progress_bar() as bar:
        bar.update(bar.add_task("opening the database", total=None), description=what, completed=1, total=2)
        yield


@contextmanager
def demonstrating(what: str) -> Iterator[None]:
    with progress_bars() as show:
        show(what, 0, 0)
        show(what, 1, 2)
        yield


@pytest.mark.parametrize("going_on", [working, backfilling, demonstrating])
@pytest.mark.parametrize("kind", [Terminal, io.StringIO])
def test_a_person_sees_what_goes_on_and_a_script_only_what_comes_out(
    kind: type[io.StringIO],
    going_on: Callable[[str], AbstractContextManager[None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    error, output = kind(), io.StringIO()
    monkeypatch.setattr(sys, "stderr", error)
    monkeypatch.setattr(sys, "stdout", output)
    monkeypatch.setenv("TERM", "xterm")
    with going_on("reading much"):
        sys.stdout.write('{"found": 1}\n')
    assert output.getvalue() == '{"found": 1}\n'
    assert ("reading much" in error.getvalue(), error.getvalue() == "") == (error.isatty(), not error.isatty())
