"""Memory of process trees: everything a tree holds counts, and nothing counts twice."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.memory import proportional_set_size

MEGABYTE = 1024 * 1024
MUCH = 60 * MEGABYTE

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/smaps_rollup").exists(), reason="only Linux tells how memory is shared"
)

HOLDING = f"""
import os, sys
held = bytearray(os.urandom(1024)) * {MUCH // 1024}
children = int(sys.argv[1])
for _ in range(children):
    if os.fork() == 0:
        break
sys.stdout.write("x")
sys.stdout.flush()
sys.stdin.read()
"""
"""Holds 60 MB of its own and forks so often; every process says that it is there, and ends with its input."""

STARTING = """
import subprocess, sys
subprocess.run([sys.executable, "-c", sys.argv[1], "0"])
"""
"""Holds nothing and starts one that does, whose input and output are its own."""


@contextmanager
def running(*arguments: str, processes: int) -> Iterator[int]:
    """Run a program until all its processes have spoken; yield its number."""
    process = subprocess.Popen([sys.executable, "-S", "-c", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert len(process.stdout.read(processes)) == processes
        yield process.pid
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


def size_of(*roots: int) -> int:
    size = proportional_set_size(roots)
    assert size is not None
    return size


def test_what_a_process_holds_counts() -> None:
    with running(HOLDING, "0", processes=1) as pid:
        assert MUCH < size_of(pid) < MUCH + 30 * MEGABYTE


def test_what_a_process_started_counts_with_it() -> None:
    with running(STARTING, HOLDING, processes=1) as pid:
        assert MUCH < size_of(pid) < MUCH + 40 * MEGABYTE


def test_shared_memory_is_counted_once() -> None:
    with running(HOLDING, "3", processes=4) as pid:
        assert MUCH < size_of(pid) < 1.7 * MUCH


def test_a_process_named_twice_counts_once() -> None:
    with running(HOLDING, "0", processes=1) as pid:
        both, twice = size_of(os.getpid()), size_of(os.getpid(), pid, pid)
        assert twice == pytest.approx(both, rel=0.05)
        assert twice > MUCH


def test_processes_that_are_gone_count_as_nothing() -> None:
    with running(HOLDING, "0", processes=1) as pid:
        pass
    assert proportional_set_size([pid]) is None
    assert proportional_set_size([]) is None
    assert size_of(os.getpid(), pid) == pytest.approx(size_of(os.getpid()), rel=0.05)


def test_a_process_that_ended_and_was_not_waited_for_counts_as_nothing() -> None:
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    try:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert proportional_set_size([process.pid]) is None
    finally:
        process.wait()
