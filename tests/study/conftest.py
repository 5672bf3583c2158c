"""A database with closed issues, and the command line in front of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import pytest
from sqlalchemy.ext.asyncio import AsyncSession
from typer.testing import CliRunner

from bot.cli import app
from bot.evidence.prose import pack
from bot.store.database import normalise_url, open_database
from bot.store.tables import EvidenceText, Record, Repository
from classifier import CommentText, FixFileText, FixText, IssueText
from tests.support.factories import a_record, a_repository
from tests.support.promised import kept_promise

CLOSED = datetime(2026, 10, 1, tzinfo=UTC)
Result = TypeVar("Result")


@dataclass(frozen=True)
class Said:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str


@dataclass
class Study:
    """The study's commands on a database of their own."""

    url: str

    def __call__(self, *words: str, typed: str = "") -> Said:
        """Run `rootcause study ...` with what is typed into it."""
        result = CliRunner().invoke(app, ["study", *words], input=typed, env={"DATABASE_URL": self.url})
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        return Said(result.exit_code, result.stdout, result.stderr)

    def json(self, *words: str) -> Any:
        """Return what a command that succeeds prints for a script, as its help says."""
        said = self(*words, "--json")
        assert (said.code, said.err) == (0, "")
        return kept_promise(("study", *words), said.out)

    def look(self, work: Callable[[AsyncSession], Awaitable[Result]]) -> Result:
        """Return what `work` finds in the database, or do what it does there."""

        async def run() -> Result:
            async with open_database(normalise_url(self.url)) as opened, opened.sessions.begin() as session:
                return await work(session)

        return asyncio.run(run())

    def record(self, issue_id: int) -> Record:
        """Return a record as it is now."""

        async def read(session: AsyncSession) -> Record:
            return await session.get_one(Record, issue_id)

        return self.look(read)


def repository(number: int, name: str, **facts: Any) -> Repository:
    return a_repository(number, name, **facts)


def closed_issue(repository_id: int, number: int, **facts: Any) -> tuple[Record, EvidenceText]:
    """Return a closed issue and its text; its id is `repository_id` * 1000 + `number`."""
    issue_id = repository_id * 1000 + number
    text = IssueText(
        title=f"Memory grows in loader {number}",
        body="It grows by 40 MB an epoch.\x1b[31m",
        comments=(CommentText("=cmd() is what I ran", True), CommentText("Gone with the fix.", False)),
        fix=FixText("Free the cache", 12, 4, (FixFileText("src/loader.py", 12, 4),)),
    )
    about = {"title": text.title, "created_at": CLOSED - timedelta(days=number), "closed_at": CLOSED}
    eligible = {"eligible_system": True, "eligible_bug": True}
    record = a_record(issue_id, repository_id, number=number, **about | eligible | facts)
    evidence = EvidenceText(issue_id=issue_id, repository_id=repository_id, text=pack(text), gathered_at=CLOSED)
    return record, evidence


@pytest.fixture
def study(database_url: str) -> Study:
    """Two repositories, one with six and one with three closed issues, and one issue that is open again."""
    made = Study(database_url)

    async def fill(session: AsyncSession) -> None:
        session.add_all([repository(1, "acme/frame", paradigm="ml"), repository(2, "Acme/UI", paradigm="traditional")])
        for number in range(1, 7):
            session.add_all(closed_issue(1, number, eligible_system=number != 6))
        session.add_all(closed_issue(1, 7, is_open=True))
        for number in range(1, 4):
            session.add_all(closed_issue(2, number))

    made.look(fill)
    return made
