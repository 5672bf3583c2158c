"""The sign that a command is at work: drawn on a terminal, elsewhere a line now and then, apart from its output."""

from __future__ import annotations

import io
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

import bot.working
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
        show("what came before", 5, 5)
        show(what, 0, 2)
        show(what, 1, 2)
        yield


@pytest.fixture
def patience() -> None:
    """Here a line is told as it is to people, other than in all other tests."""


EACH = pytest.mark.parametrize("going_on", [working, backfilling, demonstrating])
GoingOn = Callable[[str], AbstractContextManager[None]]


@EACH
@pytest.mark.parametrize("kind", [Terminal, io.StringIO])
def test_a_person_sees_what_goes_on_and_a_pipe_nothing_of_what_ends_soon(
    kind: type[io.StringIO], going_on: GoingOn, monkeypatch: pytest.MonkeyPatch
) -> None:
    error, output = kind(), io.StringIO()
    monkeypatch.setattr(sys, "stderr", error)
    monkeypatch.setattr(sys, "stdout", output)
    monkeypatch.setenv("TERM", "xterm")
    with going_on("reading much"):
        sys.stdout.write('{"found": 1}\n')
    assert output.getvalue() == '{"found": 1}\n'
    assert ("reading much" in error.getvalue(), error.getvalue() == "") == (error.isatty(), not error.isatty())


@EACH
def test_what_lasts_is_told_to_a_pipe_in_plain_lines(
    going_on: GoingOn, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    error = io.StringIO()
    monkeypatch.setattr(sys, "stderr", error)
    monkeypatch.setattr(bot.working, "_FIRST_LINE_SECONDS", 0.001)
    monkeypatch.setattr(bot.working, "_NEXT_LINE_SECONDS", 0.001)
    with going_on("reading much"):
        deadline = time.monotonic() + 30
        while error.getvalue().count("\n") < 3 and time.monotonic() < deadline:
            time.sleep(0.001)
    told = error.getvalue()
    counted = "" if going_on is working else ": 1 of 2"
    *_, last = told.splitlines()
    assert re.fullmatch(rf"reading much{counted}, \d+ s", last)
    assert told.count("\n") >= 3
    time.sleep(0.01)
    assert error.getvalue() == told, "nothing is told of what has ended"
    assert capsys.readouterr().out == ""


def test_a_pipe_gets_a_line_after_two_seconds_and_then_every_ten(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    class Ended:
        """The sign of the end, with a clock of its own: the third wait is cut short by it."""

        def wait(self, seconds: float) -> bool:
            waits.append(seconds)
            return len(waits) == 3

        def set(self) -> None: ...

    error = io.StringIO()
    monkeypatch.setattr(sys, "stderr", error)
    monkeypatch.setattr(bot.working, "Event", Ended)
    monkeypatch.setattr(bot.working, "monotonic", lambda: sum(waits))
    with working("reading much"):
        pass
    assert error.getvalue() == "reading much, 2 s\nreading much, 12 s\n"
