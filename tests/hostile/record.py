"""What a run of cases leaves behind whatever becomes of its process: counts and inputs, in a file mapped to memory."""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

LONGEST_CASE = 1024 * 1024
"""Bytes of a case that are kept."""

_HEAD = struct.Struct("<QdQQ")
_SIZE = _HEAD.size + 2 * LONGEST_CASE


@dataclass(frozen=True)
class Ran:
    """`cases` ran whole, the slowest in so many seconds of CPU; `current` is the one that ran last, or runs."""

    cases: int
    slowest_seconds: float
    slowest: bytes
    current: bytes


class Record:
    """The file while cases run; the kernel keeps what is in it however the process ends."""

    def __init__(self, path: Path) -> None:
        with path.open("wb") as made:
            made.truncate(_SIZE)
        with path.open("r+b") as opened:
            self._memory = mmap.mmap(opened.fileno(), _SIZE)
        self.cases = 0
        self._slowest_seconds = 0.0
        self._slowest_length = 0
        self._current_length = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._memory.close()

    def begin(self, case: bytes) -> None:
        """Note the case that begins now."""
        self._current_length = self._keep(case, _HEAD.size + LONGEST_CASE)
        self._write()

    def end(self, case: bytes, seconds: float) -> None:
        """Note that the case is over."""
        self.cases += 1
        if seconds > self._slowest_seconds:
            self._slowest_seconds = seconds
            self._slowest_length = self._keep(case, _HEAD.size)
        self._write()

    def _keep(self, case: bytes, at: int) -> int:
        kept = case[:LONGEST_CASE]
        self._memory[at : at + len(kept)] = kept
        return len(kept)

    def _write(self) -> None:
        _HEAD.pack_into(self._memory, 0, self.cases, self._slowest_seconds, self._slowest_length, self._current_length)


def read_record(path: Path) -> Ran:
    """Return what a record holds; one that was never begun holds nothing."""
    content = path.read_bytes() if path.is_file() else bytes(_SIZE)
    cases, seconds, slowest, current = _HEAD.unpack_from(content)
    first, second = _HEAD.size, _HEAD.size + LONGEST_CASE
    return Ran(cases, seconds, content[first : first + slowest], content[second : second + current])
