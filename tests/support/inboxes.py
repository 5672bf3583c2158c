"""What people do with an inbox on its page, and what a test reads there."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from sqlmodel import col, update

from bot.store.tables import Record
from bot.texts.boxes import states
from tests.support.closed_issues import REPOSITORY
from tests.support.running import Running


def lines(body: str | None) -> list[int]:
    """Return the numbers of the issues that an inbox asks about."""
    return [int(number) for number in re.findall(r"^- .*?\[#(\d+)\]", body or "", re.MULTILINE)]


def ticked(body: str) -> tuple[int, ...]:
    """Return the ids of the issues whose boxes are ticked, in order."""
    return tuple(issue_id for issue_id, is_ticked in states(body).items() if is_ticked)


async def set_records(bot: Running, number: int, **values: Any) -> None:
    """Change a record as time or another run would have done."""
    async with bot.services.database.sessions.begin() as session:
        await session.execute(update(Record).where(col(Record.number) == number).values(**values))


async def tick(bot: Running, login: str, *numbers: int, emit: bool = True) -> None:
    """Tick lines of the inbox as a person does on its page."""
    inbox = await bot.inbox()
    body = inbox.body or ""
    for number in numbers:
        body, found = re.subn(rf"^- \[ \](.*\[#{number}\])", r"- [x]\1", body, flags=re.MULTILINE)
        assert found == 1, f"#{number} has no box"
    bot.sandbox.edit_issue(REPOSITORY, inbox.number, login, body=body, emit=emit)


async def unblind(bot: Running) -> None:
    """Show every proposal, so that a test can tick any line; the draw is by the issues' own ids."""
    async with bot.services.database.sessions.begin() as session:
        await session.execute(update(Record).values(asked_at=datetime.now(UTC), blind=False))
    await bot.refresh()
