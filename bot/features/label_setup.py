"""The set-up of our labels in one repository: the only place where they are ever made.

Purpose: labels appear because somebody wants them, never by accident. Trigger: `rootcause labels setup`. Effects: the
labels of the 15 categories that the repository lacks are made; those it has stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Literal

from bot.clock import Clock
from bot.config import FILE, OWNERS_REPOSITORY, BadConfiguration, Configuration, read
from bot.config.merging import merged
from bot.features.configuration import read_by_either_name
from bot.github.actions import CreateLabel
from bot.github.app import GitHubApp
from bot.github.client import GitHubClient
from bot.github.contents import File
from bot.github.errors import Forbidden, NotFound
from bot.github.writer import Writer
from bot.services import open_github
from bot.settings import Settings
from bot.store.database import database
from bot.store.pacing import PostgresPacer
from bot.store.repositories import see_installation
from bot.store.shown import note_labels_missing
from bot.store.written import PostgresWritten
from classifier.taxonomy import NONE, TAXONOMY

COLOR = "c5def5"
"""Of all our labels: a pale blue of GitHub's own palette, which shouts at nobody."""

LONGEST_DESCRIPTION = 100
"""Characters of a label's description (GitHub's own limit)."""


class CannotSetUpError(Exception):
    """Labels cannot be made there; the message says why and what to do."""


@dataclass(frozen=True)
class MadeLabel:
    """What became of one label."""

    name: str
    outcome: Literal["made", "there already"]


def labels_to_make(repository_id: int, repository: str, prefix: str) -> list[CreateLabel]:
    """Return the label of each category; `none` has none, since an issue without a cause carries no label."""
    return [
        CreateLabel(
            repository_id=repository_id,
            repository=repository,
            prefix=prefix,
            category=category.key,
            color=COLOR,
            description=category.definition[:LONGEST_DESCRIPTION],
        )
        for category in TAXONOMY
        if category.key != NONE
    ]


async def set_up(settings: Settings, clock: Clock, full_name: str, tell: Callable[[MadeLabel], None]) -> None:
    """Make what is missing and tell of each label; doing it again changes nothing.

    Raises `CannotSetUpError`, `NotConfiguredError` without the App's own settings, `DatabaseUnavailable`, and GitHub's
    errors where it does not answer.
    """
    async with AsyncExitStack() as stack:
        github = await stack.enter_async_context(open_github(settings, clock))
        installation = await _installation(github, full_name)
        client = github.installation(installation["id"])
        facts = await client.get(f"/repos/{full_name}")
        configuration = await _configuration(client, facts["full_name"])
        store = await stack.enter_async_context(database(settings))
        async with store.sessions.begin() as session:
            await see_installation(session, installation, clock.now())  # its writes are paced together
        writer = Writer(
            client=client,
            pacer=PostgresPacer(store.sessions, settings, clock),
            clock=clock,
            written=PostgresWritten(store.sessions, facts["id"], clock),
            installation_id=installation["id"],
            bot_user_id=await github.bot_user_id(),
            slug=await github.slug(),
            observe=False,  # a person asks for it, whether the repository is only observed or not
        )
        for action in labels_to_make(facts["id"], facts["full_name"], configuration.labels.prefix):
            outcome = await writer.perform(action)
            if outcome.status == "skipped":
                raise CannotSetUpError(f"{full_name} takes no labels: {outcome.reason}.")
            tell(MadeLabel(action.name, "made" if outcome.status == "done" else "there already"))
        async with store.sessions.begin() as session:
            await note_labels_missing(session, facts["id"], missing=False)


async def _installation(github: GitHubApp, full_name: str) -> Mapping[str, Any]:
    try:
        found: Mapping[str, Any] = await github.app_get(f"/repos/{full_name}/installation")
    except NotFound:
        raise CannotSetUpError(
            f"The App is not installed on {full_name!r}, so it may make no labels there: install it first, and write "
            "the repository as owner/name."
        ) from None
    if found.get("suspended_at"):
        raise CannotSetUpError(f"The installation on {full_name} is suspended: its owner has to unsuspend it first.")
    return found


async def _configuration(client: GitHubClient, full_name: str) -> Configuration:
    """Read what holds for a repository from its file and its owner's."""
    owner = full_name.partition("/")[0]
    documents = [await _document(client, home) for home in (f"{owner}/{OWNERS_REPOSITORY}", full_name)]
    return Configuration.of(merged(*documents))


async def _document(client: GitHubClient, home: str) -> dict[str, object]:
    try:
        found = await read_by_either_name(client, home, None)
    except Forbidden:
        return {}
    if not isinstance(found, File) or found.content is None:
        return {}
    try:
        return read(found.content, found.size).document()
    except BadConfiguration as error:
        first = error.mistakes[0]
        raise CannotSetUpError(
            f"{FILE} in {home} has a mistake in line {first.line}: {first.sentence}. Mend it first, since it names how "
            "the labels begin."
        ) from None
