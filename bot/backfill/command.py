"""`rootcause backfill`: read one repository's history to its end, with a progress bar, and say what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, AsyncExitStack
from datetime import datetime
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.backfill.access import Access, find_access
from bot.backfill.course import Parameters
from bot.backfill.reading import Brought, Place, read_next
from bot.backfill.storing import Storage
from bot.clock import Clock
from bot.features.people import read_people
from bot.github.reading import EvidenceClient
from bot.github.thrifty import ThriftyClient
from bot.learning.running import RunningModel
from bot.settings import Settings
from bot.store.backfills import begin
from bot.store.database import Database, database
from bot.store.migrate import require_up_to_date
from bot.store.read_budget import SharedReadBudget
from bot.store.statements import fixes_by_number
from bot.store.tables import Backfill
from bot.working import progress
from classifier import Classifier, load_classifier

Show = Callable[[Backfill], None]
"""Told of the backfill's row after every page."""


def progress_bar() -> AbstractContextManager[Progress]:
    """Return a bar with what is done and the time left."""
    return progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())


async def run(settings: Settings, clock: Clock, full_name: str, parameters: Parameters) -> tuple[str, Backfill]:
    """Read a history to its end or go on where an earlier run with the same parameters stopped.

    Returns the repository's present name and what came of it. Raises `NoAccessError`, `DatabaseUnavailable`, and
    GitHub's errors where it does not answer for long.
    """
    async with AsyncExitStack() as stack:
        bar = stack.enter_context(progress_bar())
        task = bar.add_task("opening the database", total=None)
        store = await stack.enter_async_context(database(settings))
        await asyncio.to_thread(require_up_to_date, store.url)
        bar.update(task, description=full_name)
        access = await find_access(stack, settings, store, clock, full_name)

        def show(row: Backfill) -> None:
            done = row.place if row.phase == "numbers" else row.recorded if parameters.limit else row.seen
            name = "drawing the sample" if row.phase == "listing" else access.repository.full_name
            bar.update(task, description=name, completed=done, total=row.total)

        def waiting(until: datetime) -> None:
            bar.update(task, description=f"{access.repository.full_name} waits for GitHub until {until:%H:%M:%S} UTC")

        client = thrifty(settings, store, clock, access, waiting)
        model = await RunningModel(store, settings.data_dir).look()
        ended = await read_to_the_end(client, store, clock, access, parameters, show, model)
        bar.update(task, description=f"{access.repository.full_name}: people")
        await read_people(client, store, clock, [access.repository.id])
    return access.repository.full_name, ended


def thrifty(
    settings: Settings, store: Database, clock: Clock, access: Access, waiting: Callable[[datetime], None]
) -> ThriftyClient:
    """Return a client that sleeps where its share of the limits is used up, and tells `waiting` until when."""
    budget = SharedReadBudget(store.sessions, clock, access.installation_id, settings.backfill_share)
    return ThriftyClient(access.client, budget, clock, patient=True, waiting=waiting)


async def read_to_the_end(
    client: EvidenceClient,
    store: Database,
    clock: Clock,
    access: Access,
    parameters: Parameters,
    show: Show,
    classifier: Classifier | None = None,
) -> Backfill:
    """Begin to read, or go on where an earlier run stopped, and return the finished backfill."""
    async with store.sessions.begin() as session:
        row = await begin(session, access.repository.id, parameters.written(), clock.now())
    return await go_on(client, store, clock, access, row, show, classifier)


async def go_on(
    client: EvidenceClient,
    store: Database,
    clock: Clock,
    access: Access,
    row: Backfill,
    show: Show,
    classifier: Classifier | None = None,
) -> Backfill:
    """Read page by page and return the finished backfill; while one page is stored the next is being asked for.

    Without a `classifier` the shipped one predicts.
    """
    parameters = Parameters.read(row.parameters)
    storage = Storage(store, classifier or load_classifier(), clock, access.own_user_id, access.slug)
    show(row)

    async def bring(place: Place, drawn: Backfill) -> Brought:
        numbers, name = drawn.draw.get("numbers", []), access.repository.full_name
        async with store.sessions() as session:
            fixes = await fixes_by_number(session, access.repository.id)
        return await read_next(client, clock, name, place, parameters, numbers, access.bots, fixes)

    def ask(place: Place, drawn: Backfill) -> asyncio.Task[Brought]:
        return asyncio.create_task(bring(place, drawn), name="next page")

    coming = ask(Place.of(row), row)
    try:
        while row.state == "going_on":
            brought = await coming
            # The list of a sample has to be whole before the first of its issues can be asked for.
            if brought.next is not None and brought.issues is not None:
                coming = ask(brought.next, row)
                row = await storage.store(row, brought)
            else:
                row = await storage.store(row, brought)
                if row.state == "going_on":
                    coming = ask(Place.of(row), row)
            show(row)
    finally:
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)
    return row


def figures(full_name: str, row: Backfill) -> dict[str, Any]:
    """Return what a backfill came to, for a script."""
    names = ("state", "seen", "recorded", "eligible", "with_fix", "unknown", "unreadable", "error")
    return {"repository": full_name, **{name: getattr(row, name) for name in names}}


def coverage(full_name: str, row: Backfill) -> str:
    """Say what a backfill came to, in one line."""
    line = (
        f"{full_name}: {row.seen:,} issues seen, {row.recorded:,} recorded, {row.eligible:,} eligible, "
        f"{row.with_fix:,} with a fix, {row.unknown:,} unknown."
    )
    if row.unreadable:
        line += " Not readable: " + ", ".join(f"#{number}" for number in row.unreadable) + "."
    return line if row.state == "done" else f"{line} Not finished: {row.error or 'run it again to go on'}."
