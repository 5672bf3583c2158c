"""What starting and doing nothing cost: `--help`, `serve` from its start to ready, then at rest with all its processes.

Usage: python -m tests.benchmarks.start [SECONDS]

`serve` runs set up against a local GitHub, with an embedded database that an earlier start made. At rest it is watched
for SECONDS (60). Prints each figure with what is wanted; the exit code is 0 where all are kept. Beside the clock's time
stands that of the processor, which says more on a machine that does other things too.
"""

from __future__ import annotations

import tests.support.compiled  # noqa: F401 - before anything that it keeps compiled

# isort: split

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import psutil

from bot.clock import SystemClock
from bot.memory import proportional_set_size
from bot.sandbox.sandbox import Sandbox
from tests.support.ports import free_port

HELP_SECONDS, START_SECONDS, IDLE_SHARE, IDLE_BYTES = 0.5, 6.0, 0.02, 250e6
_SETTLES_SECONDS = 20.0
"""After its start a process looks for what it missed; rest comes after that."""

_ROOTCAUSE = Path(sys.executable).with_name("rootcause")


@dataclass(frozen=True)
class Figure:
    """One measured figure, the bound it has to keep, and how both read."""

    name: str
    value: float
    most: float
    text: str

    def told(self) -> str:
        return f"{'kept' if self.value < self.most else 'MISSED':<7}{self.name}: {self.text}"


def ask_for_help() -> Figure:
    """Measure `rootcause --help`, the best of five."""
    taken = []
    for _ in range(5):
        before, started = _children_seconds(), time.monotonic()
        subprocess.run([_ROOTCAUSE, "--help"], check=True, stdout=subprocess.DEVNULL)
        taken.append((time.monotonic() - started, _children_seconds() - before))
    clock, processor = min(taken)[0], min(one for _, one in taken)
    return Figure("rootcause --help", clock, HELP_SECONDS, f"{clock:.2f} s ({processor:.2f} s of a core), under 0.5 s")


def _children_seconds() -> float:
    times = os.times()
    return times.children_user + times.children_system


async def serve(environment: Mapping[str, str], port: int) -> tuple[subprocess.Popen[bytes], float]:
    """Start `serve`; return it once it is ready, and after how many seconds that was."""
    started = time.monotonic()
    log = (Path(environment["ROOTCAUSE_DATA_DIR"]) / "serve.log").open("wb")
    process = subprocess.Popen([_ROOTCAUSE, "serve"], env=dict(environment), stderr=log)  # noqa: ASYNC220
    async with aiohttp.ClientSession() as session:
        while process.poll() is None:
            try:
                async with session.get(f"http://127.0.0.1:{port}/readyz") as answer:
                    if answer.status == 200:
                        return process, time.monotonic() - started
            except aiohttp.ClientError:
                pass
            await asyncio.sleep(0.02)
    raise SystemExit(f"serve ended with {process.returncode}")


def stop(process: subprocess.Popen[bytes]) -> None:
    """Stop it as a platform does."""
    process.terminate()
    process.wait(15)


def tree(process: int) -> list[psutil.Process]:
    """Return a process and all that it started; the embedded database stands apart, under its own postmaster."""
    root = psutil.Process(process)
    return [root, *root.children(recursive=True)]


def seconds_of(processes: list[psutil.Process]) -> float:
    """Return the processor time that processes took so far, ended children included."""
    total = 0.0
    for one in processes:
        try:
            times = one.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


async def measure(seconds: float, folder: Path) -> list[Figure]:
    """Measure a warm start and the rest after it."""
    sandbox, port = Sandbox(SystemClock(), secret="a-secret"), free_port()
    async with sandbox.running() as address:
        sandbox.add_owner("acme")
        sandbox.add_repository("acme", "frame")
        sandbox.install("acme", ["frame"])
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ROOTCAUSE_")}
        environment.pop("DATABASE_URL", None)
        environment |= {
            "ROOTCAUSE_APP_ID": str(sandbox.app.id),
            "ROOTCAUSE_PRIVATE_KEY": sandbox.private_key,
            "ROOTCAUSE_WEBHOOK_SECRET": "a-secret",
            "ROOTCAUSE_GITHUB_API_URL": address,
            "ROOTCAUSE_DATA_DIR": str(folder),
            "ROOTCAUSE_HOST": "127.0.0.1",
            "PORT": str(port),
        }
        stop((await serve(environment, port))[0])
        process, started = await serve(environment, port)
        try:
            database = int((folder / "postgres/cluster/postmaster.pid").read_text().split()[0])
            roots = [process.pid, database]
            start_seconds = seconds_of([one for root in roots for one in tree(root)])
            await asyncio.sleep(_SETTLES_SECONDS)
            everything = list({one.pid: one for root in roots for one in tree(root)}.values())
            before = {one.pid: seconds_of([one]) for one in everything}
            await asyncio.sleep(seconds)
            used = {one.pid: seconds_of([one]) - before[one.pid] for one in everything}
            size = proportional_set_size(roots) or 0
        finally:
            stop(process)
    own = used[process.pid] / seconds
    share = sum(used.values()) / seconds
    return [
        Figure(
            "serve, warm, until ready",
            started,
            START_SECONDS,
            f"{started:.1f} s ({start_seconds:.1f} s of a core), under {START_SECONDS:.0f} s",
        ),
        Figure(
            f"at rest for {seconds:.0f} s",
            share,
            IDLE_SHARE,
            f"{share:.2%} of a core ({own:.2%} without the database), under {IDLE_SHARE:.0%}",
        ),
        Figure(
            "memory at rest, the whole tree (PSS)",
            size,
            IDLE_BYTES,
            f"{size / 1e6:.0f} MB, under {IDLE_BYTES / 1e6:.0f} MB",
        ),
    ]


def main() -> int:
    """Print every figure and return the exit code."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    with tempfile.TemporaryDirectory(prefix="rootcause-start-") as folder:
        figures = [ask_for_help(), *asyncio.run(measure(seconds, Path(folder)))]
    for one in figures:
        sys.stdout.write(f"{one.told()}\n")
    sys.stdout.write(f"load of the machine meanwhile: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    return 0 if all(one.value < one.most for one in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
