"""A process whose event loop is stuck ends by itself and says where it stands; one that is well is left alone."""

from __future__ import annotations

import subprocess
import sys

_PROGRAM = """
import asyncio, time
from bot.watchdog import watched

async def main():
    async with watched(0.3):
        await asyncio.sleep(0.6)
        print("well", flush=True)
        {stuck}
    print("ended", flush=True)

asyncio.run(main())
"""


def run(stuck: str) -> subprocess.CompletedProcess[str]:
    program = _PROGRAM.format(stuck=stuck)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False)


def test_a_stuck_process_ends_and_says_where() -> None:
    done = run("time.sleep(20)")
    assert (done.returncode, done.stdout) == (1, "well\n")
    assert "in main" in done.stderr


def test_one_that_is_well_is_left_alone() -> None:
    done = run("await asyncio.sleep(0.4); time.sleep(0.05)")
    assert (done.returncode, done.stdout, done.stderr) == (0, "well\nended\n", "")
