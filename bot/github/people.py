"""Read people from GitHub in batches: who they say they are, and how much they contributed in a year."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import structlog

from bot.evidence.profile import ProfileRole, role_of
from bot.github.errors import GraphQLError, NotFound, TooExpensive, Transient
from bot.github.people_queries import BATCH, PEOPLE
from bot.github.reading import EvidenceClient

Node = Mapping[str, Any]

_HIDDEN = frozenset({"NOT_FOUND", "FORBIDDEN"})
_GAVE_UP = frozenset({502, 504})
"""How GitHub answers a query that ran into its 10 seconds; also how a gateway answers while GitHub is away."""

_KINDS = ("Commit", "Issue", "PullRequest", "PullRequestReview")
log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Account:
    """A person's account: its number, and its id in GraphQL, which stays the same whatever the account is called."""

    id: int
    node_id: str


@dataclass(frozen=True)
class Profile:
    """What an account shows of itself; `role` is read from its words, which are not kept."""

    login: str
    created_at: datetime
    followers: int
    role: ProfileRole


@dataclass(frozen=True)
class PersonYear:
    """A person's calendar year (UTC) in a repository ("owner/name"); `login` is the last one that is known."""

    account: Account
    login: str
    repository_id: int
    repository: str
    year: int


@dataclass(frozen=True)
class Contributed:
    """How much a person contributed in a year, None where GitHub does not tell.

    `in_repository`: commits on the default branch by that account, and pull requests opened. `everywhere`: commits,
    issues, pull requests and reviews in public repositories, by GitHub's own count; what a few people choose to show
    of their private work is left out, so that people can be compared.
    """

    in_repository: int | None
    everywhere: int | None


@dataclass(frozen=True)
class Found:
    """What one request brought; None stands for an account that cannot be read, mostly since it was deleted."""

    profiles: dict[int, Profile | None]
    contributions: dict[PersonYear, Contributed]


async def read(
    client: EvidenceClient, accounts: Sequence[Account], years: Sequence[PersonYear], now: datetime
) -> AsyncIterator[Found]:
    """Yield profiles by account number, and contributions, as they come: up to 20 of each a request.

    After a query that was too much for GitHub batches are half as large. One person, or one year, that is too much
    alone stays unknown; where a gateway answers even then, GitHub may only be away, and that is raised like every
    other error of the client.
    """
    size, asked, counted = BATCH, 0, 0
    while asked < len(accounts) or counted < len(years):
        batch, stint = accounts[asked : asked + size], years[counted : counted + size]
        largest = max(len(batch), len(stint))
        try:
            yield await _ask(client, batch, stint, now)
        except Transient as error:
            if not isinstance(error, TooExpensive) and error.status not in _GAVE_UP:
                raise
            if largest > 1:
                size = largest // 2
                continue
            if batch and stint:
                years, counted = [], counted
            raise
        asked, counted = asked + len(batch), counted + len(stint)
