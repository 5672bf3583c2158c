"""Backfills against the sandbox, and what they asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from pydantic import SecretStr
from sqlmodel import SQLModel, col, select

from bot.backfill.access import Access
from bot.backfill.command import read_to_the_end, thrifty
from bot.backfill.course import Parameters
from bot.clock import Clock
from bot.github.client import GitHubClient
from bot.sandbox.sandbox import Sandbox
from bot.settings import Settings
from bot.store.database import Database
from bot.store.read_budget import READ_TOKEN
from bot.store.repositories import see_repository
from bot.store.tables import Backfill, Record

DIFFERS_BY_NATURE = {"gathered_at", "asked_at", "backfilled", "selection", "selection_probability", "blind"}
"""Fields of a record that tell when and how it was made, and what was asked about it."""


class WatchedClient(GitHubClient):
    """A client that lists what it asks for."""

    asked: list[tuple[str, Mapping[str, Any]]]

    async def graphql(
        self, query: str, variables: Mapping[str, Any] | None = None, *, attempts: int = 3
    ) -> dict[str, Any]:
        name = query.split("(")[0].split()[-1]
        answer = await super().graphql(query, variables, attempts=attempts)
        self.asked.append((name, dict(variables or {})))
        return answer

    async def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        self.asked.append((path, dict(params or {})))
        return await super().get(path, params)


@dataclass
class Backfilling:
    """A sandbox with a read token on it, and a database to fill."""

    sandbox: Sandbox
    database: Database
    clock: Clock
    client: WatchedClient
    settings: Settings = field(default_factory=Settings)

    @property
    def pages(self) -> list[str | None]:
        """The cursors of the pages that were answered, in order."""
        return [variables["after"] for name, variables in self.client.asked if name == "IssuesPage"]

    async def access(self, name: str) -> Access:
        kept = self.sandbox.repository(name)
        async with self.database.sessions.begin() as session:
            facts = {"id": kept.id, "full_name": self.sandbox.world.full_name(kept), "archived": kept.archived}
            row = await see_repository(session, facts, None, self.clock.now(), 7.0, crowded=False)
        return Access(self.client, READ_TOKEN, self.sandbox.app.bot_id, row)

    async def run(self, name: str, **parameters: Any) -> Backfill:
        """Read a history to its end."""
        access = await self.access(name)
        wanted = Parameters(**parameters)
        client = thrifty(self.settings, self.database, self.clock, access, lambda _: None)
        return await read_to_the_end(client, self.database, self.clock, access, wanted, lambda _: None)

    async def records(self) -> list[Record]:
        async with self.database.sessions() as session:
            return list((await session.execute(select(Record).order_by(col(Record.number)))).scalars())


@asynccontextmanager
async def backfilling(
    sandbox: Sandbox, database: Database, clock: Clock, **settings: Any
) -> AsyncIterator[Backfilling]:
    """Serve the sandbox and read it with a personal token."""
    sandbox.add_user("reader")
    token = SecretStr(sandbox.personal_token("reader"))
    async with sandbox.running() as url, aiohttp.ClientSession() as session:
        client = WatchedClient.with_token(
            token, api_url=url, graphql_url=f"{url}/graphql", session=session, clock=clock
        )
        assert isinstance(client, WatchedClient)
        client.asked = []
        yield Backfilling(sandbox, database, clock, client, Settings(**settings))


def compared(row: SQLModel) -> dict[str, Any]:
    """Return what of a row must be the same however it was made."""
    return {name: value for name, value in row.model_dump().items() if name not in DIFFERS_BY_NATURE}
