"""Matching of the stored repositories: their indicators read if asked for, the pairs kept for the reports."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import aiohttp
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.clock import SystemClock
from bot.decisions.errors import StudyError
from bot.github.auth import FixedToken
from bot.github.client import GitHubClient
from bot.github.errors import GraphQLError, NotFound
from bot.github.popularity import Popularity, read_popularity
from bot.github.transport import Transport
from bot.settings import Settings
from bot.store.tables import Repository
from bot.study.desk import Desk
from bot.study.pairing import frameworks_of, left_out_text
from reports.errors import ReportInputError
from reports.matching import Matching, match


def match_stored(desk: Desk, settings: Settings, *, refresh: bool) -> tuple[Matching, list[str]]:
    """Match the stored repositories that have a paradigm, and keep the pairs.

    Returns them and the names of those that lack an indicator.

    Raises:
        StudyError: too few of them have indicators, or `refresh` is asked for without a token.
        GitHubError: GitHub does not answer.
    """
    if refresh:
        names = [one.full_name for one in desk.run(_with_paradigm)]
        desk.run(lambda session: _refresh(session, settings, names))
    repositories = desk.run(_with_paradigm)
    frameworks, lacking = frameworks_of(repositories)
    try:
        matching = match(frameworks)
    except ReportInputError as error:
        words = (str(error), left_out_text(lacking), "--refresh reads them; --table2 shows the study's own.")
        raise StudyError(" ".join(word for word in words if word)) from error
    desk.run(lambda session: _keep(session, matching))
    return matching, lacking


async def _with_paradigm(session: AsyncSession) -> Sequence[Repository]:
    wanted = select(Repository).where(col(Repository.paradigm).is_not(None)).order_by(col(Repository.full_name))
    return (await session.execute(wanted)).scalars().all()


async def _keep(session: AsyncSession, matching: Matching) -> None:
    """Write each repository's match beside it; what was not matched this time loses an older match."""
    by_name = {one.full_name: one for one in await _with_paradigm(session)}
    for repository in by_name.values():
        repository.matched_with = None
    for pair in matching.pairs:
        ml, traditional = by_name[pair.ml.name], by_name[pair.traditional.name]
        ml.matched_with, traditional.matched_with = traditional.id, ml.id


async def _refresh(session: AsyncSession, settings: Settings, names: Sequence[str]) -> None:
    """Read the indicators of these repositories, then write them all; one that cannot be read keeps what it has."""
    if settings.read_token is None:
        raise StudyError("Set ROOTCAUSE_READ_TOKEN to a token that may read public repositories.")
    clock = SystemClock()
    read: dict[str, Popularity] = {}
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
        transport = Transport(http, clock, settings.github_api_url, settings.graphql_url)
        client = GitHubClient(transport, FixedToken(settings.read_token))
        for name in names:
            with suppress(GraphQLError, NotFound):
                read[name] = await read_popularity(client, name)
    now = clock.now()
    for repository in await _with_paradigm(session):
        found = read.get(repository.full_name)
        if found is not None:
            repository.watches, repository.stars, repository.forks = found.watches, found.stars, found.forks
            repository.commits, repository.contributors = found.commits, found.contributors
            repository.indicators_at = now
