"""How long a full refit takes, and how webhooks fare meanwhile.

Run `python -m tests.benchmarks.refit`. Labels are the bundled corpus drawn again and again, with a fifth of the words
left out each time: good for time, not for accuracy. First the fit alone, in one thread, for 1,000 and 10,000 labels:
`user` is this process's own processor time, which does not depend on what else the machine does. Then a web process on
a database of its own takes 40 signed deliveries a second, once left alone and once while a refit of 1,000 decisions
runs beside it, as a worker starts it: comparison with the champion, storing and promotion included.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it comes without types

from bot.learning.process import refit_apart
from bot.settings import Settings
from bot.store.database import Database, database
from classifier import IssueText
from classifier.examples import Example, read_corpus
from classifier.training import read_rows, train
from tests.benchmarks.ingest import SECRET, web_process
from tests.benchmarks.knocking import Requests
from tests.support.decided import LISTED, OTHER, add_issue, add_repositories

SIZES = (1_000, 10_000)
DECISIONS = 1_000
A_SECOND = 40
CONNECTIONS = 4
ISSUES = 2_000
QUIET_SECONDS = 10.0


def drawn(number: int, seed: int = 1) -> list[Example]:
    """Return so many examples, each a row of the corpus without a fifth of its words, from twenty repositories."""
    corpus = read_corpus()
    generator = random.Random(seed)  # noqa: S311 - the same examples in every run are wanted
    return [
        replace(row, issue=_thinned(row.issue, generator), group=f"owner/name-{at % 20}", weight=1.0)
        for at, row in enumerate(generator.choices(corpus, k=number))
    ]


def _thinned(issue: IssueText, generator: random.Random) -> IssueText:
    def thin(text: str) -> str:
        return " ".join(word for word in text.split(" ") if generator.random() > 0.2)

    comments = tuple(replace(one, body=thin(one.body)) for one in issue.comments)
    return replace(issue, title=thin(issue.title), body=thin(issue.body), comments=comments)


def measure_fits() -> None:
    for size in SIZES:
        examples = drawn(size)
        started, processor = time.perf_counter(), time.process_time()
        rows = read_rows(examples)
        read, read_processor = time.perf_counter() - started, time.process_time() - processor
        train(rows, "benchmark")
        whole, whole_processor = time.perf_counter() - started, time.process_time() - processor
        sys.stdout.write(
            f"{size:>6,} labels: {whole:6.1f} s ({whole_processor:.1f} s user), of which reading the texts "
            f"{read:.1f} s ({read_processor:.1f} s user)\n"
        )
        sys.stdout.flush()


async def post_steadily(port: int, requests: Requests, until: asyncio.Event) -> list[float]:
    """Post `A_SECOND` deliveries a second over a few connections until told to stop; return the waits in seconds."""
    waits: list[float] = []

    async def one() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while not until.is_set():
            request = requests.next()
            started = time.perf_counter()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            await reader.readexactly(int(length.partition(b":")[2]))
            waits.append(time.perf_counter() - started)
            if not head.startswith(b"HTTP/1.1 202"):
                raise SystemExit(f"refused: {head.splitlines()[0].decode()}")
            await asyncio.sleep(CONNECTIONS / A_SECOND)
        writer.close()

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
    return sorted(waits)


def told(name: str, waits: Sequence[float]) -> None:
    """Print a series' median and 99th percentile."""
    median, late = (1000 * waits[int(len(waits) * share)] for share in (0.5, 0.99))
    sys.stdout.write(f"webhooks {name}: {len(waits):,} answered, median {median:.1f} ms, p99 {late:.1f} ms\n")
    sys.stdout.flush()


async def fill(opened: Database) -> None:
    async with opened.sessions.begin() as session:
        add_repositories(session)
        for number, row in enumerate(drawn(DECISIONS, seed=2), start=1):
            await add_issue(session, number, (LISTED, OTHER)[number % 2], row.issue, row.category)


async def measure_webhooks(port: int, data_dir: Path) -> None:
    async with database(Settings(data_dir=data_dir)) as opened:
        await fill(opened)
        requests, quiet, over = Requests(SECRET, ISSUES), asyncio.Event(), asyncio.Event()
        asyncio.get_running_loop().call_later(QUIET_SECONDS, quiet.set)
        told("left alone", await post_steadily(port, requests, quiet))
        posting = asyncio.create_task(post_steadily(port, requests, over))
        started = time.perf_counter()
        outcome = await refit_apart(opened)
        over.set()
        told("during the refit", await posting)
        took = time.perf_counter() - started
        sys.stdout.write(f"the refit of {DECISIONS:,} decisions took {took:.1f} s and was {outcome.result}\n")


def main() -> None:
    with threadpool_limits(1):
        measure_fits()
    with tempfile.TemporaryDirectory() as folder, web_process(Path(folder)) as (port, _):
        asyncio.run(measure_webhooks(port, Path(folder) / "data"))


if __name__ == "__main__":
    main()
