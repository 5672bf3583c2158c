"""Issues that were transferred: their records, with all that belongs to them, go where the issue went."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import SQLModel, col, select, update

from bot.store.decisions import settle_record
from bot.store.records import delete_record, find_record
from bot.store.tables import Command, LeftAlone, MovedIssue, Record, Repository
from bot.text import storable

_APART = frozenset({"record", "moved_issue", "report", "imported", "shown"})
"""Tables whose `issue_id` means something else, or whose rows are of the one place alone."""


async def moved_to(session: AsyncSession, repository_id: int, number: int) -> MovedIssue | None:
    """Return where an issue was transferred to, from there on as well; None where it was not."""
    last: MovedIssue | None = None
    while True:
        found = select(MovedIssue).where(MovedIssue.repository_id == repository_id, MovedIssue.number == number)
        step = (await session.execute(found.order_by(col(MovedIssue.moved_at).desc()).limit(1))).scalars().first()
        if step is None:
            return last
        last, repository_id, number = step, step.to_repository_id, step.to_number


async def move_issue(
    session: AsyncSession, old: Mapping[str, Any], source: Repository, new: Mapping[str, Any], target: Repository,
    now: datetime,
) -> None:  # fmt: skip
    """Let what is stored of an issue follow it; `old` and `new` are GitHub's two issues.

    What people decided and said goes along. A question that nobody answered is none any more: whether it is asked
    again is up to the repository where the issue is now. Where the issue was recorded there already, only what people
    said is added.
    """
    moved = MovedIssue(
        issue_id=old["id"], repository_id=source.id, number=old["number"], to_issue_id=new["id"],
        to_repository_id=target.id, to_number=new["number"], moved_at=now,
    )  # fmt: skip
    await session.execute(insert(MovedIssue).values(**moved.model_dump()).on_conflict_do_nothing())
    there = await session.get(Record, new["id"], with_for_update=True)
    record = await find_record(session, source.id, old["number"], lock=True)
    place = {"issue_id": new["id"], "repository_id": target.id, "number": new["number"]}
    for table in SQLModel.metadata.sorted_tables:
        may_stay_twice = there is None or "issue_id" not in table.primary_key.columns
        if "issue_id" in table.c and table.name not in _APART and may_stay_twice:
            await _point(session, table, old["id"], place)
    if record is not None and there is None:
        await _point(session, SQLModel.metadata.tables["record"], old["id"], place)
        there = await session.get_one(Record, new["id"], populate_existing=True)
        there.title, there.html_url = storable(new["title"]), new.get("html_url")
        if there.decided_at is None:
            there.selection, there.selection_probability, there.asked_at, there.blind = None, None, None, False
    await _move_commands(session, source.id, old["number"], target.id, new["number"])
    left_alone = await session.get(LeftAlone, (source.id, old["number"]))
    if left_alone is not None:
        await session.merge(LeftAlone(repository_id=target.id, number=new["number"], left_at=left_alone.left_at))
        await session.delete(left_alone)
    await delete_record(session, source.id, old["number"], old["id"])
    if there is not None:
        await settle_record(session, there)


async def _point(session: AsyncSession, table: Table, old_id: int, place: Mapping[str, Any]) -> None:
    """Give the rows of an issue its new id, repository and number, as far as the table has them."""
    values = {name: value for name, value in place.items() if name in table.c}
    await session.execute(table.update().where(table.c["issue_id"] == old_id).values(**values))


async def _move_commands(session: AsyncSession, source_id: int, number: int, target_id: int, to_number: int) -> None:
    """Let waiting commands be carried out, and answered, where the issue is now.

    The same comment may name another issue that has the new number in the old place, so their positions in it are
    given up.
    """
    waiting = update(Command).where(
        col(Command.repository_id) == source_id, col(Command.number) == number, col(Command.state) == "pending"
    )
    place = {"repository_id": target_id, "number": to_number, "written_in": to_number}
    await session.execute(waiting.values(**place, position=-col(Command.id)))
