"""The sign that a command is at work: on a terminal alone, and never mixed with what the command prints."""

from __future__ import annotations

import io
import sys

import pytest

from bot.working import working


class Terminal(io.StringIO):
    """Standard error as it is where a person looks at it."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("error", [Terminal(), io.StringIO()])
def test_a_person_sees_what_goes_on_and_a_script_only_what_comes_out(
    error: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = io.StringIO()
    monkeypatch.setattr(sys, "stderr", error)
    monkeypatch.setattr(sys, "stdout", output)
    monkeypatch.setenv("TERM", "xterm")
    with working("reading much"):
        sys.stdout.write('{"found": 1}\n')
    assert output.getvalue() == '{"found": 1}\n'
    assert ("reading much" in error.getvalue()) is error.isatty()
