"""The demo's course: issues are closed, recorded, decided by scripted maintainers, and a report is posted."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, select, update

from bot.demo.errors import DemoFailedError
from bot.demo.maintainers import comment_for
from bot.demo.progress import (
    Figures,
    busiest_repository,
    figures,
    inbox_to_show,
    posted_report,
    questions,
    waiting,
)
from bot.demo.seeding import MAINTAINER, Show, close, install
from bot.jobs import defer_report
from bot.sandbox.sandbox import Sandbox
from bot.store.database import Database
from bot.store.tables import Record, Report, Repository

SIMULATED = "The decisions behind this are simulated: a script played the maintainers."

T = TypeVar("T")

_MOST_DELIVERY_ROUNDS = 30
_BETWEEN_ROUNDS_SECONDS = 1.0


@dataclass(frozen=True)
class Played:
    """What a run of the demo came to."""

    deliveries: int
    figures: Figures
    repository: Repository
    report: Report
    period: str
    inbox: Repository | None
    """The repository whose inbox holds the most questions; None where nothing was asked anywhere."""


class Play:
    """One run on one sandbox and one database; whatever an earlier run did already is not done again."""

    def __init__(self, sandbox: Sandbox, database: Database, show: Show) -> None:
        self._sandbox = sandbox
        self._database = database
        self._show = show
        self._deliveries = 0

    async def run(self, issues: Sequence[dict[str, Any]]) -> Played:
        """Play all issues through and return the outcome; raises `DemoFailedError` where it does not end well."""
        install(self._sandbox, issues)
        self._sandbox.put_file(_busiest(issues), ".github/rootcause.yml", "share: named\n")  # so `/reports` shows one
        await self._deliver("installing")
        close(self._sandbox, issues, self._show)
        await self._deliver("closing issues")
        await self._settle("recording", len(issues))
        truths = {(one["repository"], one["number"]): one["category"] for one in issues if one.get("sample")}
        decided = await self._decide(truths)
        await self._deliver("writing decisions")
        await self._settle("deciding", decided)
        return await self._report()

    async def _deliver(self, doing: str) -> None:
        """Send what waits; what the web process did not take, having died meanwhile, say, is sent again."""
        self._sandbox.redeliver_failed()
        for _ in range(_MOST_DELIVERY_ROUNDS):
            due = len(self._sandbox.courier.pending())
            if due:
                self._show(doing, 0, due)
            sent = await self._sandbox.deliver_pending(concurrency=20)
            accepted = sum(1 for one in sent if one.status_code == 202)
            self._deliveries += accepted
            if due:
                self._show(doing, accepted, due)
            refused = self._sandbox.redeliver_failed()
            if not refused:
                return
            await asyncio.sleep(_BETWEEN_ROUNDS_SECONDS)
        raise DemoFailedError(f"{len(refused)} deliveries were not accepted; the web process's log says why")

    async def _settle(self, doing: str, expected: int) -> None:
        """Wait until every stored delivery and every job is done."""
        while True:
            left = await self._read(waiting)
            if left.failed_deliveries or left.failed_jobs:
                raise DemoFailedError(
                    f"{left.failed_deliveries} deliveries and {left.failed_jobs} jobs failed; the worker's log says why"
                )
            if expected:
                self._show(doing, max(expected - left.deliveries, 0), expected)
            if left.deliveries == 0 and left.jobs == 0:
                return
            await asyncio.sleep(0.25)

    async def _decide(self, truths: dict[tuple[str, int], str]) -> int:
        """Write the maintainers' comments, unless an earlier run has reported already; return how many."""
        if await self._read(_is_reported):
            return 0
        asked = await self._read(lambda session: questions(session, truths))
        async with self._database.sessions.begin() as session:
            await session.execute(update(Repository).values(notes=[SIMULATED]))
        said = [(question, text) for question in asked if (text := comment_for(question)) is not None]
        for question, text in said:
            self._sandbox.comment(question.repository, question.number, MAINTAINER, text)
        return len(said)

    async def _report(self) -> Played:
        first, last = await self._read(_first_and_last_closing)
        repository = await self._read(busiest_repository)
        period = f"{last:%Y-%m}"
        window = max(12, (last.year - first.year) * 12 + last.month - first.month + 1)
        if await self._read(lambda session: posted_report(session, repository.id, period)) is None:
            await defer_report(repository.id, period, window)
            await self._settle("building the report", 1)
        while self._sandbox.courier.pending():  # what the App's own writes made GitHub say
            await self._deliver("coming to rest")
            await self._settle("coming to rest", 0)
        report = await self._read(lambda session: posted_report(session, repository.id, period))
        if report is None:
            raise DemoFailedError("no report was posted; the worker's log says why")
        return Played(
            self._deliveries, await self._read(figures), repository, report, period, await self._read(inbox_to_show)
        )

    async def _read(self, query: Callable[[AsyncSession], Awaitable[T]]) -> T:
        async with self._database.sessions() as session:
            return await query(session)


def _busiest(issues: Sequence[dict[str, Any]]) -> str:
    """Return the repository with the most issues, the first by name among equals."""
    counts = Counter[str](issue["repository"] for issue in issues)
    return min(counts, key=lambda name: (-counts[name], name))


async def _is_reported(session: AsyncSession) -> bool:
    return (await session.execute(select(Report.id).limit(1))).first() is not None


async def _first_and_last_closing(session: AsyncSession) -> tuple[datetime, datetime]:
    ends = select(func.min(col(Record.closed_at)), func.max(col(Record.closed_at)))
    first, last = (await session.execute(ends)).one()
    if first is None:
        raise DemoFailedError("no issue was recorded; the worker's log says why")
    return first.astimezone(UTC), last.astimezone(UTC)
