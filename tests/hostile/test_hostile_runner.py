"""The runner itself: a crash and a hang are found, and said with the input that brought them about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.run import Budget, run_surface, table

pytest.importorskip("atheris", reason="atheris has no wheel for this system")


def test_a_planted_crash_and_a_planted_hang_are_found(tmp_path: Path) -> None:
    outcome = run_surface("planted", "tests.hostile.planted", Budget(seconds=0, cases=50_000, cut=0.5), tmp_path)
    crashed = (tmp_path / "planted-atheris.failed").read_bytes()
    assert crashed.startswith(b"cr")
    assert "ZeroDivisionError: planted" in (tmp_path / "planted-atheris.log").read_text(errors="replace")
    hung = (tmp_path / "planted-hypothesis.failed").read_bytes()
    assert hung == b"hang"
    assert "Timeout (0:00:00.500000)!" in (tmp_path / "planted-hypothesis.log").read_text(errors="replace")
    assert [failure.split(";")[0] for failure in outcome.failures] == [
        f"planted: a crash, or more than 0 s: {tmp_path / 'planted-atheris.failed'}",
        f"planted: a crash, or more than 0 s: {tmp_path / 'planted-hypothesis.failed'}",
    ]
    assert 0 < outcome.atheris < 50_000
    assert table([outcome]).splitlines()[1].split()[-1] == "2"
