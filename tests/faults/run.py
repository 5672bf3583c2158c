"""The fault run by command, as long as one likes; prints its figures and ends with 1 where anything is lost or doubled.

Usage: python -m tests.faults.run [DELIVERIES] [SEED]
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

from tests.faults.course import run

USUAL_DELIVERIES, USUAL_SEED = 2_000, 7


def main(deliveries: int = USUAL_DELIVERIES, seed: int = USUAL_SEED) -> int:
    """Run it."""
    folder = Path(tempfile.mkdtemp(prefix="rootcause-faults-"))
    figures = asyncio.run(run(folder, deliveries, seed, with_replicas=True))
    sys.stdout.write("\n".join([f"seed             {seed}", *figures.lines()]) + "\n")
    if figures.lost or figures.doubled:
        sys.stdout.write(f"the logs         {folder}\n")
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
