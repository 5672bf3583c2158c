"""The 803 real issues through the demo, its worker killed -9 three times on the way; prints what came of it.

Usage: python -m tests.faults.real_run [ISSUES]
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil
import psycopg

from bot.clock import SystemClock
from bot.demo.inputs import read_issues
from bot.demo.place import folder_for
from bot.sandbox.sandbox import Sandbox
from bot.store.embedded import embedded_server
from tests.faults.once import doubled_creations, doubled_questions, inboxes
from tests.support.subprocesses import ROOT, processes_below, surroundings

USUAL_FILE = ROOT.parent / "shared" / "data" / "closed-issues-with-fix.jsonl.gz"
KILLS = 3
SECONDS = 900.0
SEED = 803

_RECORDS = """
SELECT count(*) AS recorded, count(DISTINCT issue_id) AS issues, count(DISTINCT (repository_id, number)) AS numbers,
       count(*) FILTER (WHERE eligible_system) AS eligible_system, count(*) FILTER (WHERE eligible_bug) AS eligible_bug,
       count(*) FILTER (WHERE NOT (eligible_system AND eligible_bug) AND exclusions = '{}') AS without_reason
FROM record
"""
_SOURCES = "SELECT count(*) - count(DISTINCT source) FROM decision"
_UNDONE = "SELECT count(*) FROM delivery WHERE state <> 'done'"


def main(file: Path) -> int:
    """Run it; return 0 where everything came out once."""
    with tempfile.TemporaryDirectory(prefix="rootcause-real-run-") as name:
        data_dir = Path(name)
        folder = folder_for(file, data_dir)
        command = [sys.executable, "-m", "bot", "demo", "--issues", str(file), "--exit", "--json"]
        demo = subprocess.Popen(command, cwd=ROOT, env=surroundings(data_dir), stdout=subprocess.PIPE, text=True)
        try:
            killed_at = kill_workers(demo, folder, len(read_issues(file, SystemClock().now())))
            output, _ = demo.communicate(timeout=SECONDS)
        finally:
            if demo.poll() is None:
                demo.terminate()
                demo.wait()
        found = {"exit": demo.returncode, "killed_at": killed_at, **json.loads(output or "{}"), **look(folder)}
        found["left_running"] = processes_below(data_dir)
    sys.stdout.write("".join(f"{key:24}{value}\n" for key, value in found.items()))
    total = found["recorded"]
    once = found["issues"] == found["numbers"] == total and not found["without_reason"]
    quiet = not (found["doubled_questions"] or found["doubled_creations"] or found["doubled_decisions"])
    fine = demo.returncode == 0 and len(killed_at) == KILLS and not found["undone"] and not found["left_running"]
    return 0 if once and quiet and fine else 1


def kill_workers(demo: subprocess.Popen[str], folder: Path, expected: int) -> list[int]:
    """Kill the worker each time so many more issues are recorded; return how many there were."""
    generator = random.Random(SEED)  # noqa: S311 - the same kills in every run are wanted
    killed_at: list[int] = []
    for part in range(KILLS):
        wanted = int(expected * (part + generator.uniform(0.1, 0.9)) / (KILLS + 1))
        while (recorded := count_records(folder)) < wanted:
            if demo.poll() is not None:
                return killed_at
            time.sleep(0.2)
        for child in psutil.Process(demo.pid).children():
            if child.cmdline()[-2:] == ["bot", "worker"]:
                child.kill()
                killed_at.append(recorded)
    return killed_at


def count_records(folder: Path) -> int:
    """Count what is recorded so far; 0 before there is a database to ask."""
    start = folder / "postgres" / "cluster" / "postmaster.pid"
    try:
        # Only the demo may start the server: its address is known once it runs.
        if "ready" not in start.read_text():
            return 0
        with embedded_server(folder / "postgres") as server, psycopg.connect(server.conninfo) as connection:
            row = connection.execute("SELECT count(*) FROM record").fetchone()
    except (FileNotFoundError, psycopg.Error):
        return 0
    return 0 if row is None else int(row[0])


def look(folder: Path) -> dict[str, Any]:
    """Look through the database and the local GitHub that the demo left."""
    with embedded_server(folder / "postgres") as server, psycopg.connect(server.conninfo) as connection:
        asked = connection.execute(_RECORDS)
        row = asked.fetchone() or ()
        found: dict[str, Any] = dict(zip([column.name for column in asked.description or ()], row, strict=True))
        found["doubled_decisions"] = (connection.execute(_SOURCES).fetchone() or (None,))[0]
        found["undone"] = (connection.execute(_UNDONE).fetchone() or (None,))[0]
    sandbox = Sandbox(SystemClock(), storage_path=folder / "github.sqlite")
    found["inboxes"] = dict(inboxes(sandbox))
    found["doubled_questions"] = doubled_questions(sandbox)
    found["doubled_creations"] = doubled_creations(sandbox)
    sandbox.close_storage()
    return found


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else USUAL_FILE))
