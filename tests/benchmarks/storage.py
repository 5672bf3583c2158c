"""What the bot's queries take, and how the database grows, with a million records and a million deliveries.

Run `python -m tests.benchmarks.storage [--size 10000]`: it fills an embedded database of its own, lets a whole bot work
on it, with a local GitHub, and explains every statement of the process just before it runs. Printed are the slowest of
each part, and it ends with an error where one of the live path takes over 20 ms at the median or reads a large table
row by row. The folder, up to 6 GB, is removed at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import structlog
from sqlalchemy import text

from bot.features.monthly_report import publish
from bot.features.pruning import prune_now
from bot.schedule import TIMETABLE
from bot.settings import Settings
from bot.store.database import Database, database
from bot.sweep import sweep
from tests.benchmarks.explaining import Explained, explaining
from tests.benchmarks.storage_rows import fill
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.inboxes import lines, tick
from tests.support.running import Running, running_bot

MOST_MILLISECONDS = 20.0
TIMES = 4
_LIVE = "live"
_SHOWN = 12
_LETTERS = 400


async def live(bot: Running) -> None:
    """Close issues, speak about them in all ways, label, edit, reopen, tick in the inbox, and lose one."""
    for number in range(1, TIMES + 1):
        bot.sandbox.seed_issue(REPOSITORY, leaking(number), emit=True)
        await bot.settle()
    for number, words in enumerate(("confirm", "none question", "similar", "explain"), 1):
        said = bot.sandbox.comment(REPOSITORY, number, "triage-person", f"/rootcause {words}")
        await bot.settle()
        bot.sandbox.edit_comment(said.id, "triage-person", "/rootcause undo")
        await bot.settle()
    for number in range(1, TIMES):
        bot.sandbox.comment(REPOSITORY, number, "triage-person", "/rootcause similar")
        await bot.settle()
    bot.sandbox.comment(REPOSITORY, 1, "stranger", "/rootcause confirm")
    bot.sandbox.label(REPOSITORY, 1, "write-person", "bug")
    bot.sandbox.edit_issue(REPOSITORY, 2, "write-person", title="Another title")
    bot.sandbox.reopen(REPOSITORY, 3, "write-person")
    await bot.settle()
    for number in lines((await bot.inbox()).body)[:1]:
        await tick(bot, "write-person", number)
        await bot.settle()
    bot.sandbox.lock(REPOSITORY, 2, "write-person")
    bot.sandbox.delete_issue(REPOSITORY, 4, "admin-person")
    await bot.settle()
    await bot.refresh()
    for _ in range(TIMES):
        await sweep(bot.services)


async def pages(bot: Running) -> None:
    """Ask for what people and machines look at."""
    for path in ("/", "/readyz", "/metrics", "/reports", f"/reports/{REPOSITORY}", "/figures/none-light-0.svg"):
        async with bot.session.get(bot.web.make_url(path)) as answer:
            await answer.read()


async def clock(bot: Running) -> None:
    """Ask for all that the timetable has, and delete what is old."""
    for entry in TIMETABLE:
        await entry.ask(bot.services)
    await prune_now(bot.services)


async def report(bot: Running) -> None:
    """Build and post a month's report."""
    await publish(bot.services, bot.sandbox.repository(REPOSITORY).id, "2026-10")


PARTS: tuple[tuple[str, Callable[[Running], Awaitable[None]]], ...] = (
    (_LIVE, live),
    ("pages", pages),
    ("clock", clock),
    ("report", report),
)


def gigabytes(folder: Path) -> float:
    """Return how much the files in a folder take."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**30


@asynccontextmanager
async def filled(size: int) -> AsyncIterator[tuple[Database, Running]]:
    """Start a bot on a database that is filled before it is installed anywhere."""
    with tempfile.TemporaryDirectory(prefix="rootcause-benchmark-") as name:
        async with database(Settings(data_dir=Path(name), database_url=None)) as store, running_bot(store) as bot:
            bot.prepare()
            began = time.monotonic()
            await fill(store.engine, size, bot.sandbox.repository(REPOSITORY).id)
            used = await asyncio.to_thread(gigabytes, Path(name))
            sys.stdout.write(f"{size:,} records and deliveries in {time.monotonic() - began:.0f} s, {used:.1f} GB\n")
            bot.sandbox.seed_issue(REPOSITORY, leaking(100), emit=True)
            await bot.settle()  # the first inbox chooses for weeks of which it never saw anything
            yield store, bot


async def print_sizes(store: Database, size: int) -> None:
    """Print each table's size, with its indexes, for a thousand issues."""
    query = text("SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r' AND reltuples > 5000")
    async with store.sessions() as session:
        rows = sorted(await session.execute(query), key=lambda row: -row[1])
    each = [f"{name} {1000 * total / size / 2**20:.2f}" for name, total in rows]
    whole = 1000 * sum(total for name, total in rows if name != "delivery") / size / 2**20
    sys.stdout.write(f"MB for a thousand issues: {', '.join(each)}; without deliveries {whole:.2f}\n")


def print_statements(explained: Explained, part: str) -> list[str]:
    """Print the slowest statements of a part; return those that are too slow for the live path."""
    slow = []
    found = sorted((one for one in explained.statements.values() if one.part == part), key=lambda one: -one.middle)
    executions = sum(len(one.milliseconds) for one in found)
    sys.stdout.write(f"\n{part}: {len(found)} statements, {executions} executions, load {os.getloadavg()[0]:.1f}\n")
    for place, one in enumerate(found):
        scans = f", reads all of {' and '.join(sorted(one.scans))}" if one.scans else ""
        line = (
            f"  {one.middle:7.2f} ms, longest {max(one.milliseconds):7.2f}, {one.blocks:6} blocks, "
            f"{len(one.milliseconds):3} times{scans}: {one.query[:_LETTERS]}"
        )
        if place < _SHOWN or scans:
            sys.stdout.write(line + "\n")
        if one.middle > MOST_MILLISECONDS or one.scans:
            slow.append(line)
    return slow


async def main(size: int) -> None:
    """Fill, work, print; end with an error where a query of the live path is too slow."""
    free = shutil.disk_usage(tempfile.gettempdir()).free / 2**30
    if free < 8:
        raise SystemExit(f"only {free:.0f} GB are free")
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    explained, slow = Explained(), dict[str, list[str]]()
    async with filled(size) as (store, bot):
        await print_sizes(store, size)
        with explaining(explained):
            for part, work in PARTS:
                explained.part = part
                await work(bot)
                slow[part] = print_statements(explained, part)
            explained.part = None
    if slow[_LIVE]:
        raise SystemExit("\ntoo slow for the live path:\n" + "\n".join(slow[_LIVE]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1_000_000, help="how many records, and how many deliveries")
    asyncio.run(main(parser.parse_args().size))
