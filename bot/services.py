"""What a unit of work may use: built once a process, passed to every feature, never global."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from psycopg import AsyncConnection
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from bot.clock import Clock, SystemClock
from bot.commands.rights import Rights
from bot.config import Configuration
from bot.github.app import GitHubApp
from bot.github.client import GitHubClient
from bot.github.rights import RightsLookup
from bot.github.thrifty import ThriftyClient
from bot.github.writer import Writer
from bot.settings import Settings
from bot.store.breaking import PostgresBreaker
from bot.store.database import Database
from bot.store.limits import postgres_gates
from bot.store.pacing import PostgresPacer
from bot.store.read_budget import SharedReadBudget
from bot.store.tables import Repository
from bot.store.written import PostgresWritten
from classifier import Classifier


class NotConfiguredError(Exception):
    """The App's own settings are missing; the message names them."""


@dataclass
class Services:
    """The database, GitHub, the classifier and the clock, behind the names that features use."""

    settings: Settings
    database: Database
    pool: AsyncConnectionPool
    github: GitHubApp
    classifier: Classifier
    clock: Clock = field(default_factory=SystemClock)
    _rights: dict[int, RightsLookup] = field(default_factory=dict)

    def client(self, installation_id: int) -> GitHubClient:
        """Return the one client of an installation."""
        return self.github.installation(installation_id)

    def background_client(self, installation_id: int) -> ThriftyClient:
        """Return a client for what nobody waits for: it raises `RateLimited` where its share of the limits is used."""
        sessions, share = self.database.sessions, self.settings.backfill_share
        budget = SharedReadBudget(sessions, self.clock, installation_id, share)
        return ThriftyClient(self.client(installation_id), budget, self.clock, patient=False)

    async def rights_of(self, repository: Repository, person: Mapping[str, Any]) -> Rights:
        """Return what a person, by a payload's user object, may do in a repository, as its installation sees it."""
        installation_id = repository.installation_id or 0
        if installation_id not in self._rights:
            self._rights[installation_id] = RightsLookup(self.client(installation_id), self.clock)
        lookup = self._rights[installation_id]
        return await lookup.of(repository.id, repository.full_name, person["id"], person["login"])

    def bots(self, configuration: Configuration) -> frozenset[str]:
        """Return the logins of accounts that count as bots: those the operator names, and the repository's own."""
        return self.settings.bot_logins | frozenset(configuration.eligibility.bots)

    async def writer(self, installation_id: int, repository_id: int, *, observe: bool, live: bool = True) -> Writer:
        """Return a writer for one repository; with `observe` it performs nothing.

        One that is not `live`, as of a monthly report, leaves room for the writes that people wait for.
        """
        return Writer(
            client=self.client(installation_id),
            pacer=PostgresPacer(self.database.sessions, self.settings, self.clock, live=live),
            clock=self.clock,
            written=PostgresWritten(self.database.sessions, repository_id, self.clock),
            installation_id=installation_id,
            bot_user_id=await self.github.bot_user_id(),
            slug=await self.github.slug(),
            observe=observe,
            breaker=PostgresBreaker(self.database.sessions, repository_id),
        )


async def _autocommit(connection: AsyncConnection[TupleRow]) -> None:
    # Given as a keyword to the pool instead, it would kill procrastinate's LISTEN connection.
    await connection.set_autocommit(True)


@asynccontextmanager
async def open_pool(conninfo: str, size: int) -> AsyncIterator[AsyncConnectionPool]:
    """Open an autocommit psycopg pool for the queue and the deliveries."""
    pool = AsyncConnectionPool(
        conninfo,
        min_size=1,
        max_size=size,
        open=False,
        configure=_autocommit,
        check=AsyncConnectionPool.check_connection,
        timeout=10,
        reconnect_timeout=4,  # the waits between its attempts double, and may not outlast the outage by far
    )
    await pool.open(wait=True, timeout=30)
    try:
        yield pool
    finally:
        await pool.close()


@asynccontextmanager
async def open_github(settings: Settings, clock: Clock, store: Database | None = None) -> AsyncIterator[GitHubApp]:
    """Open the App's connection to GitHub, whose limits are kept in the database where one is given.

    Raises `NotConfiguredError` where the App's settings are missing.
    """
    if settings.app_id is None or settings.private_key is None:
        raise NotConfiguredError("settings of the App are missing: " + "; ".join(settings.missing()))
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        yield GitHubApp(
            app_id=settings.app_id,
            private_key=settings.private_key.get_secret_value(),
            api_url=settings.github_api_url,
            graphql_url=settings.graphql_url,
            session=session,
            clock=clock,
            gates=None if store is None else postgres_gates(store.sessions, clock),
        )
