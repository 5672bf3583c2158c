"""How many signed deliveries a second the web process accepts durably, how long each waits, and what the limit is.

Run `python -m tests.benchmarks.ingest`: it starts `rootcause web` on an embedded database of its own, with fsync on as
always, and posts signed closings of 12 KB as GitHub makes them: over ten and over fifty connections as fast as they are
answered, then 200 a second. Processor time does not depend on what else the machine does, times by the clock do: beside
them are printed the load, for how long each side could have run but had no core, and how late the client itself woke
for the next delivery. Where these are long the waits are the machine's. `--profile FILE` runs the web process under
cProfile.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg

from bot.store.embedded import embedded_server
from tests.benchmarks.knocking import Client, Requests

ROOT = Path(__file__).parents[2]
SECRET = "the-secret-of-this-benchmark"
ISSUES = 2_000
RATE = 200.0
MOST = 30_000
START_SECONDS = 60.0
_SYNCS = 100


@contextmanager
def web_process(folder: Path, profile: Path | None = None) -> Iterator[tuple[int, psutil.Process]]:
    """Run `rootcause web` on a database in the folder, and yield its port and itself once it listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | {
        "ROOTCAUSE_DATA_DIR": str(folder / "data"),
        "ROOTCAUSE_WEBHOOK_SECRET": SECRET,
        "ROOTCAUSE_HOST": "127.0.0.1",
        "PORT": str(port),
    }
    profiler = [] if profile is None else ["-m", "cProfile", "-o", str(profile.resolve())]
    command = [sys.executable, *profiler, "-m", "bot", "web"]
    with (folder / "web.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=log)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit((folder / "web.log").read_text())
            time.sleep(0.1)
        yield port, psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(15)


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def seconds_of(processes: list[psutil.Process]) -> float:
    """Return the processor seconds that these processes have used so far."""
    used = [process.cpu_times() for process in processes]
    return sum(one.user + one.system for one in used)


def starved_seconds(processes: list[psutil.Process]) -> float:
    """Return for how many seconds these processes could have run so far but had no core (Linux alone tells)."""
    told = [path for one in processes for path in Path(f"/proc/{one.pid}/task").glob("*/schedstat")]
    return sum(int(path.read_text().split()[1]) for path in told) / 1e9


def sync_milliseconds(folder: Path) -> float:
    """Return how long the disk takes to keep eight kilobytes for good: the median of some tries."""
    times = []
    with (folder / "synced").open("wb") as file:
        for _ in range(_SYNCS):
            file.write(b"x" * 8192)
            file.flush()
            begun = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - begun)
    return 1000 * statistics.median(times)


class Meter:
    """What is used between two moments: processor time of each side, commits, and what the database wrote."""

    def __init__(self, web: psutil.Process, connection: psycopg.Connection) -> None:
        self._web, self._connection = web, connection
        found = connection.execute("SELECT pg_read_file('postmaster.pid')").fetchone()
        assert found is not None
        self._server = psutil.Process(int(found[0].split()[0]))

    def read(self) -> dict[str, float]:
        """Return all counters as they stand."""
        query = """
            SELECT (SELECT sum(xact_commit) FROM pg_stat_database), (SELECT wal_bytes FROM pg_stat_wal),
                   pg_total_relation_size('delivery'), (SELECT count(*) FROM delivery)
        """
        time.sleep(1.1)  # a session's counters are told once a second
        row = self._connection.execute(query).fetchone()
        assert row is not None
        counted = dict(zip(("commits", "written", "size", "rows"), map(float, row), strict=True))
        sides = {
            "web": [self._web],
            "database": [self._server, *self._server.children()],
            "client": [psutil.Process()],
        }
        used = {side: seconds_of(processes) for side, processes in sides.items()}
        starved = {f"{side} starved": starved_seconds(processes) for side, processes in sides.items()}
        return {**counted, **used, **starved, "clock": time.monotonic()}


def report(name: str, waits: list[float], before: dict[str, float], after: dict[str, float], pause: float) -> None:
    """Print what a run brought; `pause` is the seconds between the counters in which nothing was sent."""
    used = {key: after[key] - before[key] for key in after}
    seconds, count = used["clock"] - pause, len(waits)
    assert used["rows"] == count, "each is in the database"
    middle, slow = (1000 * waits[int(count * share)] for share in (0.5, 0.99))
    costs = ", ".join(f"{side} {1000 * used[side] / count:.2f}" for side in ("web", "database", "client"))
    shares = ", ".join(f"{side} {100 * used[side] / seconds:.0f} %" for side in ("web", "database", "client"))
    starved = ", ".join(f"{side} {used[f'{side} starved']:.2f} s" for side in ("web", "database", "client"))
    sys.stdout.write(
        f"{name}: {count / seconds:.0f} accepted/s, p50 {middle:.1f} ms, p99 {slow:.1f} ms, "
        f"longest {1000 * waits[-1]:.1f} ms\n"
        f"  ms of processor each: {costs}; share of one core: {shares}; load {os.getloadavg()[0]:.1f}\n"
        f"  without a core in these {seconds:.0f} s: {starved}\n"
        f"  {count / used['commits']:.1f} a commit, {used['written'] / count / 1024:.1f} KB of log and "
        f"{used['size'] / count / 1024:.2f} KB of table and indexes each\n"
        f"  the limit: a core to itself lets the web process accept {count / used['web']:.0f}/s, the database "
        f"{count / used['database']:.0f}/s\n"
    )


def main(seconds: float, profile: Path | None, place: Path | None) -> None:
    """Measure the three ways and print them."""
    requests = Requests(SECRET, ISSUES)
    with (
        tempfile.TemporaryDirectory(prefix="rootcause-benchmark-", dir=place) as name,
        web_process(Path(name), profile) as found,
    ):
        port, web = found
        sys.stdout.write(f"{requests.bytes / 1024:.1f} KB each; a sync takes {sync_milliseconds(Path(name)):.2f} ms\n")
        with (
            embedded_server(Path(name) / "data" / "postgres") as server,
            psycopg.connect(server.conninfo) as connection,
        ):
            connection.autocommit = True
            meter = Meter(web, connection)
            for connections in (10, 50):
                client = Client(port, connections, requests)
                before = meter.read()
                waits = client.as_fast_as_answered(seconds, MOST)
                report(f"{connections} connections", waits, before, meter.read(), 1.1)
                client.close()
            client = Client(port, 10, requests)
            before = meter.read()
            waits = client.in_time(RATE, seconds)
            report(f"{RATE:.0f} a second over 10 connections", waits, before, meter.read(), 1.1)
            late = sorted(client.late) or [0.0]
            sys.stdout.write(
                f"  the client itself woke late by {1000 * late[len(late) // 2]:.1f} ms (p50), "
                f"{1000 * late[int(len(late) * 0.99)]:.1f} ms (p99)\n"
            )
            client.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each of the three runs")
    parser.add_argument("--profile", type=Path, help="where to leave the web process's profile")
    parser.add_argument(
        "--folder", type=Path, help="where to make the database: in memory, to tell what the disk costs"
    )
    chosen = parser.parse_args()
    main(chosen.seconds, chosen.profile, chosen.folder)
