"""Read people from GitHub in batches: who they say they are, and how much they contributed in a year."""

from __future__ import annotations

from collections import deque
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
    size, waiting = BATCH, deque([(tuple(accounts), tuple(years))])
    while waiting:
        some, stints = waiting.popleft()
        if max(len(some), len(stints)) > size:
            waiting.appendleft((some[size:], stints[size:]))
            some, stints = some[:size], stints[:size]
        if not some and not stints:
            continue
        try:
            found = await _ask(client, some, stints, now)
        except Transient as error:
            too_much = isinstance(error, TooExpensive)
            alone = len(some) + len(stints) == 1
            if (alone and not too_much) or not (too_much or error.status in _GAVE_UP):
                raise
            if not alone:
                size = max(1, max(len(some), len(stints)) // 2)
                apart = len(some) == len(stints) == 1
                waiting.extendleft([((), stints), (some, ())] if apart else [(some, stints)])
                continue
            log.warning("one person is too much to ask for", error=str(error))
            found = Found({one.id: None for one in some}, dict.fromkeys(stints, Contributed(None, None)))
        yield found


async def _ask(
    client: EvidenceClient, accounts: Sequence[Account], years: Sequence[PersonYear], now: datetime
) -> Found:
    variables: dict[str, Any] = {"ids": [one.node_id for one in accounts]}
    for place, one in enumerate(years):
        variables |= {f"{name}{place}": value for name, value in _asked(one, now).items()}
    data = await _query(client, PEOPLE, variables)
    shown = data.get("profiles") or [None] * len(accounts)
    return Found(
        {account.id: _profile(node) for account, node in zip(accounts, shown, strict=True)},
        {one: _contributed(data, place, one) for place, one in enumerate(years)},
    )


def _asked(one: PersonYear, now: datetime) -> dict[str, Any]:
    """Return the variables of one place, without its number; a year that is not over ends now."""
    start, end = datetime(one.year, 1, 1, tzinfo=UTC), min(datetime(one.year, 12, 31, 23, 59, 59, tzinfo=UTC), now)
    owner, _, name = one.repository.partition("/")
    since, until = (moment.strftime("%Y-%m-%dT%H:%M:%SZ") for moment in (start, end))
    return {
        "ask": True,
        "person": one.account.node_id,
        "owner": owner,
        "name": name,
        "pulls": f"repo:{one.repository} is:pr author:{one.login} created:{start:%Y-%m-%d}..{end:%Y-%m-%d}",
        "from": since,
        "to": until,
        "since": since,
        "until": until,
    }


async def _query(client: EvidenceClient, text: str, variables: Mapping[str, Any]) -> Node:
    """Return what came, with null for what is not there or hidden; every other error is raised."""
    try:
        return await client.graphql(text, variables)
    except NotFound:
        return {}
    except GraphQLError as error:
        typed = all(isinstance(one, Mapping) and one.get("type") for one in error.errors)
        if typed and error.types <= _HIDDEN:
            return error.data or {}
        if "something went wrong" in str(error).lower():
            raise TooExpensive(str(error), status=error.status) from error
        raise


def _profile(node: Node | None) -> Profile | None:
    if not node:
        return None
    return Profile(
        login=node["login"],
        created_at=datetime.fromisoformat(node["createdAt"]),
        followers=node["followers"]["totalCount"],
        role=role_of(node["bio"], node["company"]),
    )


def _contributed(data: Node, place: int, asked: PersonYear) -> Contributed:
    """Read one place; of a person who is gone nothing is known.

    Pull requests are searched by login: where it is another one by now, what came is not this person's. A repository
    without a branch has no commits; a hidden one says nothing.
    """
    person, repository = data.get(f"everywhere{place}"), data.get(f"commits{place}")
    if not person:
        return Contributed(None, None)
    totals, pulls = person["contributionsCollection"], data.get(f"pulls{place}")
    everywhere = sum(totals[f"total{kind}Contributions"] for kind in _KINDS)
    if repository is None or pulls is None or person["login"].lower() != asked.login.lower():
        return Contributed(None, everywhere)
    tip = (repository["defaultBranchRef"] or {}).get("target")
    commits = tip["history"]["totalCount"] if tip else 0
    return Contributed(commits + pulls["issueCount"], everywhere)
