"""Run surfaces side by side, each engine in a process of its own, and say what came of it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.hostile.record import Ran, read_record

ROOT = Path(__file__).resolve().parents[2]
SURFACES = {
    "webhook": "tests.hostile.webhook",
    "grammar": "tests.hostile.grammar",
    "markdown": "tests.hostile.markdown",
    "configuration": "tests.hostile.configuration",
    "model": "tests.hostile.model_files",
    "package": "tests.hostile.packages",
}
HANG_SECONDS = 2.0
"""Of CPU that one case may take in life (issue 7, point 6)."""

_LONGEST_RUN = 6 * 3_600
_HYPOTHESIS_PART = 10
"""One case in so many is hypothesis's, and of the time a quarter: atheris makes far more of them in a second."""


@dataclass(frozen=True)
class Budget:
    """How much each surface gets: so many seconds, or, where it is not None, so many cases.

    `cut` is after how many seconds an engine stops one case: watched by it, on a busy machine, a case takes many times
    its own time.
    """

    seconds: int
    cases: int | None = None
    seed: int = 1
    cut: float = 120.0


@dataclass(frozen=True)
class Outcome:
    """What came of one surface; `failures` are sentences, each with the file of its input."""

    surface: str
    atheris: int
    hypothesis: int
    seconds: float
    slowest_seconds: float
    failures: tuple[str, ...]


def run_surfaces(surfaces: dict[str, str], budget: Budget, folder: Path, at_once: int) -> list[Outcome]:
    """Run surfaces, by name and module, `at_once` of them side by side; what they leave is in the folder."""
    with ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(lambda name: run_surface(name, surfaces[name], budget, folder), surfaces))


def run_surface(name: str, module: str, budget: Budget, folder: Path) -> Outcome:
    """Run both engines on one surface, then the slowest case of each once more, as it would run in life."""
    began = time.monotonic()
    ran: dict[str, Ran] = {}
    failures: list[str] = []
    slow: list[Path] = []
    for engine in ("atheris", "hypothesis"):
        record = folder / f"{name}-{engine}"
        ended = _process(engine, module, record, _share(engine, budget), budget.cut)
        ran[engine] = read_record(record)
        if ended != 0:
            case = _keep(folder / f"{name}-{engine}.failed", ran[engine].current)
            failures.append(f"{name}: a crash, or more than {budget.cut:.0f} s: {case}; see {record}.log")
        elif ran[engine].cases == 0:
            failures.append(f"{name}: {engine} ran no case; see {record}.log")
        if ran[engine].slowest:
            slow.append(_keep(folder / f"{name}-{engine}.slowest", ran[engine].slowest))
    replayed = folder / f"{name}-replay"
    if slow and _process("replay", module, replayed, [*map(str, slow)], budget.cut) != 0:
        failures.append(f"{name}: a crash when run again; see {replayed}.log")
    slowest = read_record(replayed)
    if slowest.slowest_seconds > HANG_SECONDS:
        case = _keep(folder / f"{name}.hang", slowest.slowest)
        failures.append(f"{name}: {slowest.slowest_seconds:.1f} s of CPU: {case}")
    return Outcome(
        name,
        ran["atheris"].cases,
        ran["hypothesis"].cases,
        time.monotonic() - began,
        slowest.slowest_seconds,
        tuple(failures),
    )


def _share(engine: str, budget: Budget) -> list[str]:
    """Return the arguments that give an engine its part of the budget."""
    small = engine == "hypothesis"
    if budget.cases is None:
        fourth = budget.seconds // 4
        given = ["--seconds", str(max(1, fourth if small else budget.seconds - fourth))]
    else:
        few = budget.cases // _HYPOTHESIS_PART
        given = ["--seconds", str(_LONGEST_RUN), "--cases", str(few if small else budget.cases - few)]
    return [*given, "--seed", str(budget.seed)]


def _process(engine: str, module: str, record: Path, arguments: list[str], cut: float) -> int:
    """Run one process to its end and return its code; what it says is in a file beside its record."""
    command = [sys.executable, "-m", "tests.hostile.case", engine, module, *arguments]
    command += ["--record", str(record), "--cut", str(cut)]
    # One thread: the time of a case is its own, and two surfaces run side by side.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    with Path(f"{record}.log").open("wb") as said:
        return subprocess.run(
            command, cwd=ROOT, env=environment, stdout=said, stderr=subprocess.STDOUT, timeout=_LONGEST_RUN, check=False
        ).returncode


def _keep(path: Path, case: bytes) -> Path:
    path.write_bytes(case)
    return path


def table(outcomes: list[Outcome]) -> str:
    """Return what came of every surface, one a line."""
    rows = [("surface", "atheris", "hypothesis", "seconds", "slowest case", "failures")]
    rows += [
        (
            one.surface,
            f"{one.atheris:,}",
            f"{one.hypothesis:,}",
            f"{one.seconds:.0f}",
            f"{one.slowest_seconds:.2f} s",
            str(len(one.failures)),
        )
        for one in outcomes
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return "\n".join(lines)
