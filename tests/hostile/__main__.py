"""Throw hostile input at every surface: `python -m tests.hostile [--seconds 60 | --cases 200000] [SURFACE ...]`.

Ends by itself, with 1 where a case crashed or took more than two seconds of CPU; its input is kept in a file. A case is
run again by `python -m tests.hostile.case replay MODULE FILE --record RECORD`.
"""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import sys
import tempfile
from pathlib import Path

from tests.hostile.run import SURFACES, Budget, run_surfaces, table


def main() -> int:
    """Run what is asked for, print the table and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile")
    parser.add_argument("surfaces", nargs="*", metavar="SURFACE", help=f"of {', '.join(SURFACES)}; all by default")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--seconds", type=int, default=60, help="for each surface; 60 by default")
    amount.add_argument("--cases", type=int, help="for each surface, however long they take")
    parser.add_argument("--at-once", type=int, default=2, help="surfaces side by side; 2 by default")
    parser.add_argument("--seed", type=int, default=1, help="the same one makes the same cases; 1 by default")
    given = parser.parse_args()
    if unknown := [name for name in given.surfaces if name not in SURFACES]:
        parser.error(f"there is no surface {unknown[0]}; the surfaces are {', '.join(SURFACES)}")
    if importlib.util.find_spec("atheris") is None:
        parser.error("atheris is not installed: it comes with the development packages on Linux, up to Python 3.13")
    folder = Path(tempfile.mkdtemp(prefix="rootcause-hostile-"))
    chosen = {name: SURFACES[name] for name in given.surfaces or SURFACES}
    outcomes = run_surfaces(chosen, Budget(given.seconds, given.cases, given.seed), folder, given.at_once)
    failures = [failure for one in outcomes for failure in one.failures]
    sys.stdout.write(table(outcomes) + "\n")
    if not failures:
        shutil.rmtree(folder)
        return 0
    sys.stdout.write("\n".join([*failures, f"what was left behind: {folder}"]) + "\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
