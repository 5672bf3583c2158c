"""Read people from GitHub in batches: who they say they are, and how much they contributed in a year."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

import structlog

from bot.evidence.profile import ProfileRole, role_of
from bot.github.errors import GraphQLError, NotFound, TooExpensive, Transient
from bot.github.people_queries import BATCH, CONTRIBUTIONS, PROFILES_BY_ID, PROFILES_BY_LOGIN
from bot.github.reading import EvidenceClient

Wanted = TypeVar("Wanted")
Found = TypeVar("Found")
Node = Mapping[str, Any]

_HIDDEN = frozenset({"NOT_FOUND", "FORBIDDEN"})
_GAVE_UP = frozenset({502, 504})
"""How GitHub answers a query that ran into its 10 seconds; also how a gateway answers while GitHub is away."""

_KINDS = ("Commit", "Issue", "PullRequest", "PullRequestReview")
log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Known:
    """An account as far as it is known: its number, the login it was last seen with, and its node id once read."""

    id: int
    login: str | None
    node_id: str | None = None


@dataclass(frozen=True)
class Profile:
    """What an account shows of itself; `role` is read from its words, which are not kept."""

    node_id: str
    login: str
    created_at: datetime
    followers: int
    role: ProfileRole


@dataclass(frozen=True)
class Contributed:
    """How much a person contributed in a year, None where GitHub does not tell.

    `in_repository`: commits on the default branch by that account, and pull requests opened. `everywhere`: commits,
    issues, pull requests and reviews in public repositories, by GitHub's own count; what a few people choose to show
    of their private work is left out, so that people can be compared.
    """

    in_repository: int | None
    everywhere: int | None


async def profiles(client: EvidenceClient, people: Sequence[Known]) -> AsyncIterator[dict[int, Profile | None]]:
    """Yield the profiles of so many people as they come, by account number, 20 people a request.

    None stands for an account that cannot be read: deleted, no person's, or hidden behind a login that belongs to
    another account by now.
    """
    for by_id in (False, True):
        asked = [one for one in people if (one.node_id is not None) is by_id]
        async for batch, found in _in_batches(asked, lambda part: _ask_profiles(client, part)):
            yield {
                one.id: _profile(node) if node and node.get("databaseId") == one.id else None
                for one, node in zip(batch, found, strict=True)
            }


async def contributions(
    client: EvidenceClient, repository: str, year: int, people: Sequence[Known], now: datetime
) -> AsyncIterator[dict[int, Contributed]]:
    """Yield what people contributed in a calendar year (UTC), by account number, 20 people a request.

    `repository` is "owner/name". People must have been read before: only those with a node id can be asked for.
    """
    asked = [one for one in people if one.node_id is not None]
    async for batch, found in _in_batches(asked, lambda part: _ask_contributions(client, repository, year, part, now)):
        yield {one.id: answer or Contributed(None, None) for one, answer in zip(batch, found, strict=True)}


async def _in_batches(
    wanted: Sequence[Wanted], ask: Callable[[Sequence[Wanted]], Awaitable[Sequence[Found | None]]]
) -> AsyncIterator[tuple[Sequence[Wanted], Sequence[Found | None]]]:
    """Ask for all in batches of at most 20; where that was too much, in halves from then on.

    Whoever is too much alone stays unknown. Where a gateway answers even then, GitHub may only be away: that is raised.
    """
    size, position = BATCH, 0
    while position < len(wanted):
        batch = wanted[position : position + size]
        try:
            found = await ask(batch)
        except Transient as error:
            if len(batch) > 1 and (isinstance(error, TooExpensive) or error.status in _GAVE_UP):
                size = len(batch) // 2
                continue
            if not isinstance(error, TooExpensive):
                raise
            log.warning("one person is too much to ask for", error=str(error))
            found = [None]
        position += len(batch)
        yield batch, found


async def _ask_profiles(client: EvidenceClient, people: Sequence[Known]) -> list[Node | None]:
    if people[0].node_id is not None:
        data = await _query(client, PROFILES_BY_ID, {"ids": [one.node_id for one in people]})
        return list(data.get("people") or [None] * len(people))
    variables: dict[str, Any] = {}
    for place, one in enumerate(people):
        variables |= {f"ask{place}": one.login is not None, f"login{place}": one.login or ""}
    data = await _query(client, PROFILES_BY_LOGIN, variables)
    return [data.get(f"person{place}") for place in range(len(people))]


async def _ask_contributions(
    client: EvidenceClient, repository: str, year: int, people: Sequence[Known], now: datetime
) -> list[Contributed | None]:
    owner, _, name = repository.partition("/")
    start, end = datetime(year, 1, 1, tzinfo=UTC), min(datetime(year, 12, 31, 23, 59, 59, tzinfo=UTC), now)
    since, until = (moment.strftime("%Y-%m-%dT%H:%M:%SZ") for moment in (start, end))
    variables: dict[str, Any] = {"owner": owner, "name": name, "ids": [one.node_id for one in people]}
    variables |= {"from": since, "to": until, "since": since, "until": until}
    for place, one in enumerate(people):
        pulls = f"repo:{repository} is:pr author:{one.login} created:{start:%Y-%m-%d}..{end:%Y-%m-%d}"
        variables |= {f"ask{place}": True, f"id{place}": one.node_id, f"pulls{place}": pulls}
    data = await _query(client, CONTRIBUTIONS, variables)
    everywhere = data.get("people") or [None] * len(people)
    return [Contributed(_in_repository(data, place), _everywhere(everywhere[place])) for place in range(len(people))]


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


def _profile(node: Node) -> Profile:
    return Profile(
        node_id=node["id"],
        login=node["login"],
        created_at=datetime.fromisoformat(node["createdAt"]),
        followers=node["followers"]["totalCount"],
        role=role_of(node["bio"], node["company"]),
    )


def _everywhere(node: Node | None) -> int | None:
    collection = (node or {}).get("contributionsCollection")
    return None if collection is None else sum(collection[f"total{kind}Contributions"] for kind in _KINDS)


def _in_repository(data: Node, place: int) -> int | None:
    """Add commits and pull requests; a repository without a branch has no commits, a hidden one says nothing."""
    repository, pulls = data.get("repository"), data.get(f"pulls{place}")
    if repository is None or pulls is None:
        return None
    tip = (repository["defaultBranchRef"] or {}).get("target")
    commits = 0 if tip is None else tip[f"commits{place}"]["totalCount"]
    return int(commits + pulls["issueCount"])
