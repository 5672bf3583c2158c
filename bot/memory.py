"""Memory of a process tree as the kernel shares it out: the sum of PSS over the processes, in bytes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import psutil


def proportional_set_size(roots: Iterable[int]) -> int | None:
    """Return the PSS of the given processes and all that they started, or None where the kernel does not tell it.

    PSS counts a page shared by n processes as 1/n of it in each, so the sum counts nothing twice. Processes that end
    meanwhile count as nothing.
    """
    total, told = 0, False
    for process in _tree(roots):
        try:
            rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        except OSError:
            continue
        for line in rollup.splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1]) * 1024
                told = True
    return total if told else None


def _tree(roots: Iterable[int]) -> set[int]:
    found: set[int] = set()
    for root in roots:
        try:
            process = psutil.Process(root)
            found |= {root, *(child.pid for child in process.children(recursive=True))}
        except psutil.NoSuchProcess:
            continue
    return found
