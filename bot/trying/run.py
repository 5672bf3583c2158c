"""`rootcause try`: read, build the report, write the page, and serve it."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import select

from bot.backfill.access import Access, access_by_token, repository_facts, token_client
from bot.backfill.command import progress_bar
from bot.clock import Clock
from bot.frameworks import present_name
from bot.github.thrifty import ThriftyClient
from bot.settings import Settings
from bot.store.among import among
from bot.store.database import Database, database
from bot.store.read_budget import SharedReadBudget
from bot.store.rows import load_rows
from bot.store.tables import Record
from bot.trying.notes import notes_of, period_of
from bot.trying.outcome import Tried, coverage, say, tell
from bot.trying.page import page
from bot.trying.place import apart, by_token_alone, folder_for
from bot.trying.reading import Latest, read_latest
from bot.trying.serving import served
from bot.trying.undecided import Named, undecided
from bot.working import working
from reports import Report, Rows, build_report, render, title, write_report
from reports.periods import parse_period


async def try_repository(
    settings: Settings, clock: Clock, full_name: str, most: int, *, as_json: bool
) -> tuple[Tried, Path]:
    """Read a repository's latest closings, say how many, and write the page; return where that is too.

    Raises `NoAccessError`, `DatabaseUnavailable`, `OSError` where the page cannot be written, and GitHub's errors.
    """
    settings = by_token_alone(settings)
    async with AsyncExitStack() as stack:
        with working("opening the database"):
            client = await token_client(stack, settings, clock)
            facts = await repository_facts(client, present_name(full_name))
            folder = folder_for(settings, facts["full_name"])
            own = apart(settings, folder)
            store = await stack.enter_async_context(database(own))
            access = await access_by_token(client, own, store, clock, facts)
        tried = await read_and_build(own, store, clock, access, most)
    written = write(tried, folder)
    say(coverage(tried), as_json=as_json)
    return tried, written


async def serve(tried: Tried, written: Path, *, as_json: bool) -> None:
    """Serve the page until the task is cancelled, and say where."""
    async with served(tried.html) as address:
        tell(tried, written, address, as_json=as_json)
        await asyncio.Event().wait()


async def read_and_build(settings: Settings, store: Database, clock: Clock, access: Access, most: int) -> Tried:
    """Bring the database of a tried repository up to date and build its report and page."""
    budget = SharedReadBudget(store.sessions, clock, access.installation_id, settings.backfill_share)
    client = ThriftyClient(access.client, budget, clock, patient=False)
    with progress_bar() as bar:
        latest = await read_latest(client, store, clock, access, most, bar)
    with working("building the report"):
        return await _built(store, clock, access, latest, client)


async def _built(store: Database, clock: Clock, access: Access, latest: Latest, client: ThriftyClient) -> Tried:
    repository, numbers = access.repository, set(latest.numbers)
    async with store.sessions() as session:
        stored = select(Record).where(Record.repository_id == repository.id, among(Record.number, numbers))
        recorded = [one for one in (await session.execute(stored)).scalars() if not one.is_open]
        closings = [one.closed_at for one in recorded]
        period, months = period_of(closings, clock.now())
        rows = await _rows(session, repository.id, numbers, period, months)
    named = {one.issue_id: Named(one.title, one.html_url) for one in recorded}
    notes = notes_of(
        repository.full_name,
        closings,
        months,
        surely_latest=latest.surely_latest,
        knows_people=latest.knows_people,
    )

    def compose() -> tuple[Report, str]:
        built = build_report(rows, period, months, repository_id=repository.id, notes=notes)
        html = page(repository.full_name, title(built.period), render(built), undecided(rows.records, named))
        return built, html

    report, html = await asyncio.to_thread(compose)
    return Tried(repository.full_name, latest, rows.records, report, html, client.requests, client.cost)


async def _rows(session: AsyncSession, repository_id: int, numbers: set[int], period: str, months: int) -> Rows:
    """Return the rows of the latest closings alone; an earlier run may have read more."""
    window = parse_period(period, months).window
    rows = await load_rows(session, repository_id, window.start, window.end)
    records = tuple(one for one in rows.records if one.number in numbers)
    ids = {one.issue_id for one in records}
    people = None if rows.participants is None else tuple(one for one in rows.participants if one.issue_id in ids)
    return replace(rows, records=records, participants=people)


def write(tried: Tried, folder: Path) -> Path:
    """Write the page, and the report as a report command writes it; return the page's path."""
    write_report(tried.report, folder)
    path = folder / "report.html"
    path.write_text(tried.html, encoding="utf-8", newline="\n")
    return path
