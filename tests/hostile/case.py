"""Run cases of one surface in a process of its own: `python -m tests.hostile.case --help`.

An engine makes cases until its time or its number of cases is up. `replay` runs the files it is given, one by one, as
they would run in life: without an engine that watches, so that their time is the surface's own.
"""

from __future__ import annotations

import argparse
import faulthandler
import importlib
import resource
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.hostile.record import Record

if TYPE_CHECKING:
    from tests.hostile.surface import Surface

ROOT = Path(__file__).resolve().parents[2]
WATCHED = ["bot", "classifier", "reports", "markdown_it", "yaml"]
"""Packages whose branches guide atheris."""

UNWATCHED = ("bot/store", "bot/github", "bot/features", "bot/sandbox", "reports/figures")
"""Folders of these that no hostile input reaches here."""

MOST_MEMORY_MB = 2_048
_ADDRESS_SPACE = 8 * 1024**3
_AT_ONCE = 100
"""Cases that hypothesis makes from one seed; each seed begins with the simplest."""


def main() -> None:
    """Run an engine; a crash ends the process with a traceback, its input being the record's current case."""
    given = _arguments()
    engines: dict[str, Callable[[argparse.Namespace, Record], None]] = {
        "atheris": _run_atheris,
        "hypothesis": _run_hypothesis,
        "replay": _replay,
    }
    with Record(given.record) as record:
        engines[given.engine](given, record)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.case")
    parser.add_argument("engine", choices=("atheris", "hypothesis", "replay"))
    parser.add_argument("module", help="the surface's module, such as tests.hostile.grammar")
    parser.add_argument("files", nargs="*", type=Path, help="of replay: the cases")
    parser.add_argument("--record", type=Path, required=True, help="the file that keeps what ran")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--cases", type=int, default=sys.maxsize)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cut", type=float, default=60.0, help="seconds after which one case is stopped")
    return parser.parse_args()


def _surface(module: str) -> Surface:
    found: Surface = importlib.import_module(module).SURFACE
    return found


def _watched(surface: Surface, record: Record, cut: float) -> Callable[[bytes], None]:
    """Return the target with its times written down; a case that takes too long ends the process."""

    def run(case: bytes) -> None:
        record.begin(case)
        faulthandler.dump_traceback_later(cut, exit=True)
        began = time.process_time()
        surface.target(case)
        record.end(case, time.process_time() - began)
        faulthandler.cancel_dump_traceback_later()

    return run


def _run_atheris(given: argparse.Namespace, record: Record) -> None:
    # Without a wheel for this Python there is none, and no types in any case.
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=WATCHED, exclude=_unwatched()):
        surface = _surface(given.module)
    corpus = given.record.with_suffix(".corpus")
    corpus.mkdir()
    for number, seed in enumerate(surface.seeds):
        (corpus / f"seed-{number:04d}").write_bytes(seed)
    words = given.record.with_suffix(".words")
    words.write_text("".join(f'"{"".join(f"{chr(92)}x{byte:02x}" for byte in word)}"\n' for word in surface.words))
    options = {
        "max_total_time": given.seconds,
        "seed": given.seed,
        "max_len": surface.longest,
        "dict": words,
        "rss_limit_mb": MOST_MEMORY_MB,
        "artifact_prefix": f"{given.record}.",
        "verbosity": 0,
    }
    if given.cases < sys.maxsize:
        options["runs"] = given.cases
    arguments = [sys.argv[0], *(f"-{name}={value}" for name, value in options.items()), str(corpus)]
    atheris.Setup(arguments, _watched(surface, record, given.cut))
    atheris.Fuzz()


def _unwatched() -> list[str]:
    """Return the names of modules that atheris need not watch, which it knows by their whole names only."""
    files = (file for folder in UNWATCHED for file in (ROOT / folder).rglob("*.py"))
    return [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files]


def _run_hypothesis(given: argparse.Namespace, record: Record) -> None:
    # Not at the top: atheris watches only what is imported after it.
    from hypothesis import HealthCheck, Phase, seed, settings
    from hypothesis import given as made_by

    _limit_memory()
    surface = _surface(given.module)
    run = _watched(surface, record, given.cut)
    until = time.monotonic() + given.seconds
    for turn in count():
        left = given.cases - record.cases
        if left <= 0 or time.monotonic() > until:
            return

        @seed(given.seed * 1_000_003 + turn)
        @settings(
            max_examples=min(_AT_ONCE, left),
            phases=(Phase.generate, Phase.shrink),
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @made_by(surface.made)
        def check(case: bytes) -> None:
            if time.monotonic() <= until:
                run(case)

        check()


def _replay(given: argparse.Namespace, record: Record) -> None:
    _limit_memory()
    run = _watched(_surface(given.module), record, given.cut)
    for file in given.files:
        run(file.read_bytes())


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))


if __name__ == "__main__":
    main()
