"""Read the latest closings into a tried repository's database; what is there and untouched since is not read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.progress import Progress
from sqlmodel import select

from bot.backfill.access import Access
from bot.backfill.command import Show, go_on
from bot.backfill.course import Parameters
from bot.clock import Clock
from bot.features.people import read_people
from bot.github.errors import RateLimited
from bot.github.latest import Closing, latest_closed
from bot.github.thrifty import ThriftyClient
from bot.store.among import among
from bot.store.backfills import begin_listed
from bot.store.database import Database
from bot.store.tables import Backfill, Record


@dataclass(frozen=True)
class Latest:
    """The numbers of the latest closings, and how the reading of them went."""

    numbers: tuple[int, ...]
    surely_latest: bool
    read: int
    unreadable: tuple[int, ...]
    knows_people: bool


async def read_latest(
    client: ThriftyClient, store: Database, clock: Clock, access: Access, most: int, bar: Progress
) -> Latest:
    """Bring the `most` latest closings up to date, with a bar of what is done and the time left.

    What was read is stored page by page, so a run that is stopped loses nothing. Raises GitHub's errors, but where
    only the people's profiles are missing when the limit is reached.
    """
    name = access.repository.full_name
    task = bar.add_task(f"{name}: finding the latest closings", total=None)
    closings, surely = await latest_closed(client, name, most)
    due = await _due(store, access.repository.id, closings)
    ended: Backfill | None = None
    if due:

        def show(row: Backfill) -> None:
            done = min(row.place, len(due)) if row.state == "going_on" else len(due)
            bar.update(task, description=name, completed=done, total=len(due))

        ended = await _read(client, store, clock, access, due, show)
    bar.update(task, description=f"{name}: people", completed=len(due), total=len(due))
    knows_people = True
    try:
        await read_people(client, store, clock, [access.repository.id])
    except RateLimited:
        knows_people = False
    return Latest(
        numbers=tuple(one.number for one in closings),
        surely_latest=surely,
        read=len(due),
        unreadable=tuple(ended.unreadable) if ended is not None else (),
        knows_people=knows_people,
    )


async def _due(store: Database, repository_id: int, closings: Sequence[Closing]) -> list[int]:
    """Return the issues that are not recorded, or were touched since, the latest closing first."""
    async with store.sessions() as session:
        rows = await session.execute(
            select(Record.number, Record.gathered_at).where(
                Record.repository_id == repository_id, among(Record.number, [one.number for one in closings])
            )
        )
        gathered = {row.number: row.gathered_at for row in rows}
    return [one.number for one in closings if one.number not in gathered or gathered[one.number] <= one.updated_at]


async def _read(
    client: ThriftyClient, store: Database, clock: Clock, access: Access, numbers: Sequence[int], show: Show
) -> Backfill:
    parameters = Parameters(listed=len(numbers)).written()
    async with store.sessions.begin() as session:
        row = await begin_listed(session, access.repository.id, parameters, numbers, clock.now())
    return await go_on(client, store, clock, access, row, show)
