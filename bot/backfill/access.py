"""Who may read a repository's history: the App's installation there, else the read token; and the repository's row."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import aiohttp

from bot.clock import Clock
from bot.github.app import GitHubApp
from bot.github.client import GitHubClient
from bot.github.errors import Forbidden, Gone, NotFound, Unauthorized
from bot.services import open_github
from bot.settings import Settings
from bot.store.database import Database
from bot.store.limits import PostgresGate
from bot.store.read_budget import READ_TOKEN
from bot.store.repositories import see_repository
from bot.store.tables import Repository


class NoAccessError(Exception):
    """A repository cannot be read; the message says why and what to do."""


@dataclass(frozen=True)
class Access:
    """How a repository is read: `installation_id` is `READ_TOKEN` where a token reads it.

    `own_user_id` and `slug` are the App's account and name, where there is an App; `bots` are logins that count as
    bots besides those GitHub marks.
    """

    client: GitHubClient
    installation_id: int
    own_user_id: int | None
    repository: Repository
    slug: str = ""
    bots: frozenset[str] = frozenset()


async def find_access(
    stack: AsyncExitStack, settings: Settings, database: Database, clock: Clock, full_name: str
) -> Access:
    """Find out who may read a repository and store its row; connections stay open as long as the stack.

    Raises `NoAccessError` with a sentence, and GitHub's errors where it does not answer.
    """
    is_app = settings.app_id is not None and settings.private_key is not None
    github = await stack.enter_async_context(open_github(settings, clock, database)) if is_app else None
    installation = await _installation(github, full_name) if github is not None else None
    own_user_id = await github.bot_user_id() if github is not None else None
    slug = await github.slug() if github is not None else ""
    if github is not None and installation is not None:
        client = github.installation(installation["id"])
    elif settings.read_token is not None:
        client = await token_client(stack, settings, clock, database)
    else:
        raise NoAccessError(
            f"{full_name} cannot be read: the App is not installed there, and no read token is set. Install the App, "
            "or set ROOTCAUSE_READ_TOKEN to a token that may read public repositories."
        )
    repository = await _store(database, settings, clock, await repository_facts(client, full_name))
    return Access(
        client, installation["id"] if installation else READ_TOKEN, own_user_id, repository, slug, settings.bot_logins
    )


async def token_client(
    stack: AsyncExitStack, settings: Settings, clock: Clock, database: Database | None = None
) -> GitHubClient:
    """Return a client that reads with the read token; its connection stays open as long as the stack.

    The token's limits are kept in the database where one is given.
    """
    session = await stack.enter_async_context(aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()))
    return GitHubClient.with_token(
        settings.read_token,
        api_url=settings.github_api_url,
        graphql_url=settings.graphql_url,
        session=session,
        clock=clock,
        gate=None if database is None else PostgresGate(database.sessions, clock, READ_TOKEN),
    )


async def access_by_token(
    client: GitHubClient, settings: Settings, database: Database, clock: Clock, facts: Mapping[str, Any]
) -> Access:
    """Store the row of a repository that is read with the token, from what `repository_facts` returned."""
    repository = await _store(database, settings, clock, facts)
    return Access(client, READ_TOKEN, None, repository, bots=settings.bot_logins)


async def _store(database: Database, settings: Settings, clock: Clock, facts: Mapping[str, Any]) -> Repository:
    async with database.sessions.begin() as session:
        # Without the installation: reading a history does not make the App listen or write there.
        return await see_repository(session, facts, None, clock.now(), settings.observe_days, crowded=False)


async def _installation(github: GitHubApp, full_name: str) -> Mapping[str, Any] | None:
    try:
        found: Mapping[str, Any] = await github.app_get(f"/repos/{full_name}/installation")
    except NotFound:
        return None
    return None if found.get("suspended_at") else found


async def repository_facts(client: GitHubClient, full_name: str) -> Mapping[str, Any]:
    """Return GitHub's description of a repository; raise `NoAccessError` with a sentence where there is none."""
    try:
        facts: Mapping[str, Any] = await client.get(f"/repos/{full_name}")
    except (NotFound, Gone):
        raise NoAccessError(
            f"GitHub shows no repository {full_name}: the name is misspelt, or it is private and may not be read."
        ) from None
    except Unauthorized:
        raise NoAccessError("GitHub refuses the token: make a new one and set ROOTCAUSE_READ_TOKEN to it.") from None
    except Forbidden as error:
        raise NoAccessError(f"GitHub does not let {full_name} be read: {error}") from None
    return facts
