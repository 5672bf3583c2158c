"""The App's client at home in a sandbox, and a writer through it: what a test of a single request or write needs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp

from bot.clock import Clock
from bot.github.app import GitHubApp
from bot.github.limits import Pacer
from bot.github.writer import Writer
from bot.sandbox.sandbox import Sandbox
from tests.support.writing import Forgetful


@asynccontextmanager
async def running_app(sandbox: Sandbox, clock: Clock) -> AsyncIterator[GitHubApp]:
    """Serve the sandbox and yield the App that is registered there."""
    async with sandbox.running() as url, aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        yield GitHubApp(
            app_id=sandbox.app.id,
            private_key=sandbox.private_key,
            api_url=url,
            graphql_url=url + "/graphql",
            session=session,
            clock=clock,
        )


async def forgetful_writer(app: GitHubApp, installation_id: int, pacer: Pacer, clock: Clock) -> Writer:
    """Return a writer that has to find everything on GitHub."""
    return Writer(
        client=app.installation(installation_id),
        pacer=pacer,
        clock=clock,
        written=Forgetful(),
        installation_id=installation_id,
        bot_user_id=await app.bot_user_id(),
        slug=await app.slug(),
        observe=False,
    )
