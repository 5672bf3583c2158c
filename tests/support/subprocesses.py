"""What tests with processes of Rootcause share: their surroundings, and finding what is left of them."""

from __future__ import annotations

import os
from pathlib import Path

import psutil

from bot.store.embedded_folder import open_folder
from tests.support.compiled import BYTECODE

ROOT = Path(__file__).parents[2]


def surroundings(data_dir: Path, **more: str) -> dict[str, str]:
    """Return this process's environment without settings of ours, and with the data folder and those given.

    Bytecode goes to a folder of its own, so that only the first of many processes pays for compiling.
    """
    dropped = {"DATABASE_URL", "DATABASE_URL_FILE", "PORT", "PYTHONDONTWRITEBYTECODE"}
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith("ROOTCAUSE_") and name not in dropped
    }
    return {**inherited, "PYTHONPYCACHEPREFIX": str(BYTECODE), "ROOTCAUSE_DATA_DIR": str(data_dir), **more}


def processes_below(folder: Path) -> list[str]:
    """Name every process of Rootcause, and every embedded server, whose data lies below a folder."""
    found = [
        f"server in {path}" for path in folder.rglob("postgres") if (path / "server.lock").exists() and _lives(path)
    ]
    for process in psutil.process_iter():
        try:
            own = process.environ().get("ROOTCAUSE_DATA_DIR", "")
            if process.pid != os.getpid() and own and Path(own).is_relative_to(folder):
                found.append(f"{process.pid} {' '.join(process.cmdline())}")
        except psutil.Error:
            continue
    return found


def _lives(path: Path) -> bool:
    return open_folder(path).server_lives()
