"""A command that a mistake of ours keeps from being carried out.

Purpose: one such command blocks neither its issue's other commands nor the issue itself. Trigger: something nobody
foresaw while a command is carried out; and its delivery, tried for the last time. Effects: the command is `confused`
from then on, its writer is told, and the delivery goes on without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col

from bot.github.errors import GitHubError
from bot.queue import DATABASE_AWAY
from bot.services import Services
from bot.store.tables import Command
from bot.texts.answers import went_wrong


class CommandBroke(Exception):  # noqa: N818  it says which command; the error is its cause
    """Something nobody foresaw happened while `command` was carried out; what it was is the cause."""

    def __init__(self, command: Command) -> None:
        super().__init__(f"a command about #{command.number} broke")
        self.command = Command(**command.model_dump())


@contextmanager
def blaming(command: Command, *passing: type[Exception]) -> Iterator[None]:
    """Raise `CommandBroke` for whatever nobody foresaw; what passes by itself, and `passing`, is raised as it is."""
    foreseen: tuple[type[Exception], ...] = (CommandBroke, GitHubError, *DATABASE_AWAY, *passing)
    try:
        yield
    except foreseen:
        raise
    except Exception as error:  # nothing ends here: it goes on to `bot.drain`, which logs it and its cause
        raise CommandBroke(command) from error


async def give_up(services: Services, command: Command, delivery: str) -> None:
    """Note that a command is not carried out; whoever handles `delivery` tells it, where the command stood in that."""
    now = services.clock.now()
    row = command.model_dump(exclude={"id"}) | {
        "state": "confused",
        "words": went_wrong(command.text, command.number),
        "done_at": now if command.delivery == delivery else None,
    }
    changed = {name: row[name] for name in ("state", "words", "done_at")}
    same = [col(Command.delivery), col(Command.position), col(Command.number)]
    async with services.database.sessions.begin() as session:
        statement = insert(Command).values(**row)
        await session.execute(statement.on_conflict_do_update(index_elements=same, set_=changed))
