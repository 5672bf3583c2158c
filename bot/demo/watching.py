"""Which files of the source changed since they were last looked at, by their times of change."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

EVERY_SECONDS = 0.5

Times = Mapping[Path, int]
"""When each file was changed, in nanoseconds since 1970."""


def changes(before: Times, after: Times) -> list[Path]:
    """Return the files that are new, gone or changed, in the order of their paths."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def look(folders: Sequence[Path]) -> Times:
    """Return when each file below the folders was changed; compiled and hidden ones are left out."""
    return {path: time for folder in folders for path, time in _files(folder)}


async def next_change(folders: Sequence[Path], before: Times) -> list[Path]:
    """Wait until files differ from how they were before, looking every half second, and return them."""
    while True:
        changed = changes(before, await asyncio.to_thread(look, folders))
        if changed:
            return changed
        await asyncio.sleep(EVERY_SECONDS)


def _files(folder: Path) -> Iterator[tuple[Path, int]]:
    for path in folder.rglob("*"):
        if path.suffix == ".pyc" or path.name.startswith(".") or path.name.endswith("~"):
            continue
        try:
            if path.is_file():
                yield path, path.stat().st_mtime_ns
        except FileNotFoundError:  # an editor's file that was there for a moment
            continue
