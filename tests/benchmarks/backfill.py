"""How long a backfill of 8,530 real issues takes, with how much memory, and what killing it does.

Run by hand: `python -m tests.benchmarks.backfill [owner/name]`. Reads ../shared/data/closed-issues.jsonl.gz.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlmodel import col, select

from bot.memory import proportional_set_size
from bot.settings import Settings
from bot.store.database import Database, database
from bot.store.tables import Backfill, Fix, Participation, Record, Span

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data" / "closed-issues.jsonl.gz"
MOST_SECONDS, MOST_MEGABYTES, KILLS = 600.0, 400, 5


@contextmanager
def github(folder: Path, only: str | None) -> Iterator[dict[str, Any]]:
    """Start the local GitHub and wait until it is filled."""
    command = [sys.executable, "-m", "tests.benchmarks.backfill_server", str(DATA), str(folder)]
    process = subprocess.Popen([*command, *([only] if only else [])], cwd=ROOT)
    try:
        while not (folder / "ready.json").exists():
            if process.poll() is not None:
                raise SystemExit("the local GitHub did not start")
            time.sleep(0.2)
        yield json.loads((folder / "ready.json").read_text())
    finally:
        process.kill()
        process.wait()


class Run:
    """Backfills of all repositories one after the other, in processes that may be killed."""

    def __init__(self, folder: Path, ready: dict[str, Any], store: Database, data_dir: Path) -> None:
        self.store, self.folder = store, folder
        self.repositories = sorted(ready["repositories"], key=lambda name: (ready["repositories"][name], name))
        self.peak, self.seconds, self.last = 0, 0.0, 0.0
        self.environment = os.environ | {
            "ROOTCAUSE_APP_ID": str(ready["app_id"]),
            "ROOTCAUSE_PRIVATE_KEY_FILE": str(folder / "app.pem"),
            "ROOTCAUSE_GITHUB_API_URL": ready["address"],
            "ROOTCAUSE_DATA_DIR": str(data_dir),
        }
        self.environment.pop("DATABASE_URL", None)

    async def all(self, kills: int, expected: float, seed: int = 1) -> list[str]:
        """Read everything; end the process of the largest repository `kills` times at random moments.

        `expected` is how many seconds that one takes undisturbed; it is started again each time.
        """
        chance, lines = random.Random(seed), []  # noqa: S311  moments to kill at
        for name in self.repositories:
            for _ in range(kills if name == self.repositories[-1] else 0):
                await self._one(name, chance.uniform(2.0, max(3.0, 1.5 * expected / (kills + 1))))
                await self._check_goes_on(name)
            started = self.seconds
            lines.append(await self._one(name, None))
            self.last = self.seconds - started
        return lines

    async def _one(self, name: str, kill_after: float | None) -> str:
        started = time.monotonic()
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "backfill", name, cwd=ROOT, env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        ended = asyncio.create_task(process.communicate())
        while not ended.done():
            await asyncio.wait([ended], timeout=1.0)
            self._measure(process.pid)
            if kill_after is not None and time.monotonic() - started > kill_after and not ended.done():
                process.kill()
        self.seconds += time.monotonic() - started
        out, errors = ended.result()
        if process.returncode and kill_after is None:
            raise SystemExit(f"{name} failed: {errors.decode()[-2000:]}")
        return out.decode().strip()

    def _measure(self, pid: int) -> None:
        server = self.store.embedded
        roots = [pid, *([int(server.start.split()[0])] if server else [])]
        self.peak = max(self.peak, proportional_set_size(roots) or 0)

    async def _check_goes_on(self, name: str) -> None:
        """Note where the killed run stopped, for `repeated`."""
        async with self.store.sessions() as session:
            newest = select(Backfill).order_by(col(Backfill.id).desc()).limit(1)
            row = (await session.execute(newest)).scalars().first()
        with (self.folder / "asked.jsonl").open("a") as log:
            log.write(json.dumps({"killed": name, "cursor": row.cursor if row else None}) + "\n")


def repeated(folder: Path) -> int:
    """Count the pages that were asked for again although they were finished when the process was killed."""
    order: dict[tuple[str | None, str | None], int] = {}
    floor, count = 0, 0
    for line in (folder / "asked.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if "killed" in entry:
            floor = order.get((entry["killed"].partition("/")[0], entry["cursor"]), len(order))
        elif entry["name"] == "IssuesPage":
            place = order.setdefault((entry["owner"], entry["after"]), len(order))
            count += place < floor
    return count


async def contents(store: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Return everything recorded, without what says when."""
    tables: tuple[Any, ...] = (Record, Span, Fix, Participation)
    found: dict[str, list[tuple[Any, ...]]] = {}
    async with store.sessions() as session:
        for table in tables:
            names = sorted(set(table.model_fields) - {"gathered_at"})
            rows = (await session.execute(select(table))).scalars()
            found[table.__tablename__] = sorted(tuple(repr(getattr(row, name)) for name in names) for row in rows)
    return found


async def measure(only: str | None, *, with_kills: bool) -> None:
    """Run once undisturbed and once killed five times; print the figures and end with an error where one is missed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with github(folder, only) as ready:
            issues = sum(ready["repositories"].values())
            outcomes, expected = [], 0.0
            for kills in (0, KILLS) if with_kills else (0,):
                data_dir = folder / f"data-{kills}"
                (folder / "asked.jsonl").write_text("")
                async with database(Settings(data_dir=data_dir, database_url=None)) as store:
                    run = Run(folder, ready, store, data_dir)
                    lines = await run.all(kills, expected)
                    expected = run.last
                    outcomes.append(await contents(store))
                print(*lines, sep="\n")  # noqa: T201
                asked = (folder / "asked.jsonl").read_text().splitlines()
                figures = {
                    "issues": issues, "recorded": len(outcomes[-1]["record"]), "kills": kills,
                    "seconds": round(run.seconds, 1), "peak_memory_mb": round(run.peak / 2**20),
                    "requests": len(asked), "finished_pages_asked_again": repeated(folder),
                }  # fmt: skip
                print(json.dumps(figures), flush=True)  # noqa: T201
                assert figures["recorded"] == issues, "every issue is recorded"
                assert figures["finished_pages_asked_again"] == 0
            assert all(outcome == outcomes[0] for outcome in outcomes), "killed or not, the result is the same"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", nargs="?", help="only the issues of this one")
    parser.add_argument("--no-kills", action="store_true", help="only the undisturbed run")
    chosen = parser.parse_args()
    asyncio.run(measure(chosen.repository, with_kills=not chosen.no_kills))
