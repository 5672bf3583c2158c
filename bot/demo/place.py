"""The demo's folder: one for each input, one demo at a time in it, and nothing left running of one that was killed."""

from __future__ import annotations

import fcntl
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from bot.demo.errors import DemoFailedError, InputError

CHILDREN = ("web", "worker")
"""The commands that a demo runs beside itself."""

_LEFT = (*CHILDREN, "serve")
"""The commands that may be left of a demo, or of `rootcause dev`, that was killed."""

_STOP_SECONDS = 15.0


def folder_for(issues_file: Path | None, data_dir: Path) -> Path:
    """Return the folder of an input's demo, so that samples and real issues, or two files, never end in one report.

    Raises `InputError` where the file cannot be read, or is a pipe or device, whose lines can be read once only.
    """
    if issues_file is None:
        return data_dir.absolute() / "demo" / "samples"
    try:
        mode = issues_file.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # the latter cannot be opened, and says so
            raise InputError(f"{issues_file} is no regular file, and is read twice: write the issues into one first")
        with issues_file.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256")
    except OSError as error:
        raise InputError(f"cannot read {issues_file}: {error.strerror}") from None
    return data_dir.absolute() / "demo" / f"issues-{digest.hexdigest()[:12]}"


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Make the folder and keep other demos out of it; what a killed demo left running there is ended first.

    Raises `DemoFailedError` where another demo is in it, and OSError where it cannot be written.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise DemoFailedError(
            f"another demo runs in {folder}; end it first, with Ctrl-C where it was started"
        ) from None
    try:
        _end_leftovers(folder)
        yield
    finally:
        os.close(descriptor)


def _end_leftovers(folder: Path) -> None:
    """End the web and worker processes of this folder: nobody holds its lock, so their demo was killed."""
    left = [process for process in psutil.process_iter() if _is_child(process, folder)]
    for process in left:
        process.terminate()
    for process in psutil.wait_procs(left, timeout=_STOP_SECONDS)[1]:
        process.kill()


def _is_child(process: psutil.Process, folder: Path) -> bool:
    try:
        command = process.cmdline()[-3:]
        return (
            command[:2] == ["-m", "bot"]
            and command[2:] in [[child] for child in _LEFT]
            and process.environ().get("ROOTCAUSE_DATA_DIR") == str(folder)
        )
    except psutil.Error:
        return False
