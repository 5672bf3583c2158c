"""Keep compiled bytecode in one folder for the tests and all their processes; to be imported before all else.

Compiling the libraries and the tests takes half a minute in each process of a run, reading them back seconds. It is
kept even where the surroundings forbid it beside the sources.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

BYTECODE = Path(sys.pycache_prefix or Path(tempfile.gettempdir()) / f"rootcause-tests-bytecode-{os.getuid()}")
"""A folder in which Python mirrors the places of the sources; it outlives the run."""

BYTECODE.mkdir(mode=0o700, parents=True, exist_ok=True)
if BYTECODE.stat().st_uid != os.getuid():
    raise PermissionError(f"{BYTECODE} belongs to somebody else, and what is compiled there would be run here")
sys.dont_write_bytecode, sys.pycache_prefix = False, str(BYTECODE)
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)
