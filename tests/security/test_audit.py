"""The look-up of known vulnerabilities fails on a finding, and goes on with a sentence where nobody can be asked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

AUDIT = Path(__file__).parents[2] / ".ci" / "audit"
FLAW = {"id": "PYSEC-2026-1", "fix_versions": ["1.2"]}
FINE: dict[str, Any] = {"name": "fine", "version": "1.0", "vulns": []}
BAD: dict[str, Any] = {"name": "bad", "version": "1.1", "vulns": [FLAW]}
UNKNOWN: dict[str, Any] = {"name": "unheard", "skip_reason": "Dependency not found on PyPI"}


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        (
            {"dependencies": [FINE, UNKNOWN]},
            0,
            "1 packages looked up, 0 vulnerabilities known\nnot in the database: unheard",
        ),
        ({"dependencies": [FINE, BAD]}, 1, "bad 1.1 has PYSEC-2026-1; fixed in 1.2"),
        ({"dependencies": [UNKNOWN]}, 0, "cannot be asked, so nothing was checked: it knows none"),
        (None, 0, "cannot be asked, so nothing was checked: no answer"),
    ],
    ids=["clean", "found", "unknown", "away"],
)
def test_the_audit(tmp_path: Path, answer: object, code: int, said: str) -> None:
    tool = tmp_path / "uvx"
    told = "exit 1" if answer is None else f"echo '{json.dumps(answer)}'; exit {code}"
    tool.write_text(f"#!/bin/sh\n{told}\n")
    tool.chmod(0o755)
    done = subprocess.run(
        [sys.executable, str(AUDIT)],
        env={"PATH": f"{tmp_path}:/bin:/usr/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said in done.stdout, done.stderr
    assert done.returncode == code
