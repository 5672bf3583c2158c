"""Gather the evidence of many issues of one repository: a page of them in one request, and little more beside."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal

import structlog

from bot.clock import Clock
from bot.evidence.model import Evidence
from bot.github.answers import Node, moment
from bot.github.errors import Gone, GraphQLError, NotFound
from bot.github.gather import MAY_BE_HIDDEN, complete, gather
from bot.github.linking import ManualFix
from bot.github.loader import TogetherClient
from bot.github.page_queries import ISSUE_NUMBERS, ISSUES_PAGE
from bot.github.reading import EvidenceClient

log = structlog.get_logger(__name__)

NO_FIXES: Mapping[int, ManualFix] = MappingProxyType({})

_Outcome = Evidence | Literal["gone", "not readable"]


@dataclass(frozen=True)
class IssuePage:
    """What came of one page: evidence in the order of the issues' numbers on it, and which could not be read.

    `cursor` says where the next page begins, None where this was the last; `total` counts the issues of all pages, or
    of the list that was asked for; `seconds` is how long GitHub took. Issues that are gone meanwhile are in no list.
    """

    evidence: tuple[Evidence, ...]
    unreadable: tuple[int, ...]
    cursor: str | None
    total: int
    seconds: float


@dataclass(frozen=True)
class Listed:
    """A closed issue as the list of numbers shows it."""

    issue_id: int
    number: int
    created_at: datetime
    closed_at: datetime


async def read_page(
    client: EvidenceClient,
    clock: Clock,
    repository: str,
    size: int,
    after: str | None,
    since: datetime | None = None,
    bots: frozenset[str] = frozenset(),
    fixes: Mapping[int, ManualFix] = NO_FIXES,
) -> IssuePage:
    """Read the next `size` closed issues after a cursor, the oldest first; `since` skips those not touched after it.

    `fixes` are the changes that people named, by the issues' numbers.

    Raises `TooExpensive` or another `Transient` where GitHub could not answer so much at once: nothing was read then,
    and half as much may do. An issue of which GitHub tells an error is asked for alone.
    """
    variables = _variables(repository, size, after, since)
    asked_at = clock.now()
    where, errors = await _ask(client, ISSUES_PAGE, variables, repository)
    seconds = (clock.now() - asked_at).total_seconds()
    connection = where["issues"]
    told: dict[int, list[Sequence[Any]]] = {}
    for path in errors:
        told.setdefault(int(path[3]), []).append(path)
    hidden = {at for at, paths in told.items() if all(MAY_BE_HIDDEN.intersection(map(str, path)) for path in paths)}
    nodes: list[Node | None] = list(connection["nodes"])
    alone = {at for at, node in enumerate(nodes) if node is None or (at in told and at not in hidden)}
    numbers = {at: node["number"] for at, node in enumerate(nodes) if node is not None}
    if any(node is None for node in nodes):
        again, _ = await _ask(client, ISSUE_NUMBERS, variables, repository)
        numbers |= {at: node["number"] for at, node in enumerate(again["issues"]["nodes"]) if node is not None}
    loader = TogetherClient(client, most=size)
    outcomes = await _side_by_side(
        {
            numbers[at]: _one_alone(loader, repository, numbers[at], bots, fixes)
            if at in alone or node is None
            else complete(loader, where, node, hidden=at in hidden, fix=fixes.get(numbers[at]), bots=bots)
            for at, node in enumerate(nodes)
            if at in numbers
        }
    )
    page = connection["pageInfo"]
    cursor = page["endCursor"] if page["hasNextPage"] else None
    return _page(outcomes, cursor, connection["totalCount"], seconds)


async def read_numbers(
    client: EvidenceClient,
    clock: Clock,
    repository: str,
    numbers: Sequence[int],
    bots: frozenset[str] = frozenset(),
    fixes: Mapping[int, ManualFix] = NO_FIXES,
) -> IssuePage:
    """Read the issues of these numbers in one request where GitHub answers it; raises what concerns all of them."""
    loader = TogetherClient(client, most=max(1, len(numbers)))
    asked_at = clock.now()
    outcomes = await _side_by_side({number: _one_alone(loader, repository, number, bots, fixes) for number in numbers})
    return _page(outcomes, None, len(numbers), (clock.now() - asked_at).total_seconds())


async def list_closed(
    client: EvidenceClient, repository: str, after: str | None, since: datetime | None = None
) -> tuple[tuple[Listed, ...], str | None]:
    """Return the numbers of the next 100 closed issues and where the ones after them begin, None at the end."""
    where, _ = await _ask(client, ISSUE_NUMBERS, _variables(repository, 100, after, since), repository)
    connection = where["issues"]
    listed = tuple(
        Listed(int(node["fullDatabaseId"]), node["number"], moment(node["createdAt"]), moment(node["closedAt"]))
        for node in connection["nodes"]
        if node is not None and node["closedAt"] is not None
    )
    page = connection["pageInfo"]
    return listed, page["endCursor"] if page["hasNextPage"] else None


async def _one_alone(
    client: EvidenceClient, repository: str, number: int, bots: frozenset[str], fixes: Mapping[int, ManualFix]
) -> _Outcome:
    try:
        return await gather(client, repository, number, fixes.get(number), bots)
    except (NotFound, Gone):
        return "gone"
    except GraphQLError as error:
        log.warning("issue not readable", repository=repository, number=number, error=str(error))
        return "not readable"


async def _side_by_side(readers: Mapping[int, Coroutine[Any, Any, _Outcome]]) -> dict[int, _Outcome]:
    """Let readers run together, so that their client can ask together; the first error ends them all."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = {number: group.create_task(reader) for number, reader in readers.items()}
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return {number: task.result() for number, task in tasks.items()}


def _page(outcomes: Mapping[int, _Outcome], cursor: str | None, total: int, seconds: float) -> IssuePage:
    return IssuePage(
        evidence=tuple(one for one in outcomes.values() if isinstance(one, Evidence)),
        unreadable=tuple(number for number, one in outcomes.items() if one == "not readable"),
        cursor=cursor,
        total=total,
        seconds=seconds,
    )


def _variables(repository: str, size: int, after: str | None, since: datetime | None) -> dict[str, Any]:
    owner, _, name = repository.partition("/")
    touched = {} if since is None else {"filter": {"since": since.isoformat()}}
    return {"owner": owner, "name": name, "first": size, "after": after, **touched}


async def _ask(
    client: EvidenceClient, query: str, variables: Mapping[str, Any], repository: str
) -> tuple[Node, list[Sequence[Any]]]:
    """Return the repository's part of the answer, and the places of errors that concern single issues of it."""
    paths: list[Sequence[Any]] = []
    try:
        data = await client.graphql(query, variables)
    except GraphQLError as error:
        data = error.data or {}
        if data.get("repository") is None and "NOT_FOUND" in error.types:
            raise NotFound(str(error), status=error.status) from error
        paths = [item.get("path") or () for item in error.errors if isinstance(item, Mapping)]
        if not _is_about_issues(paths, len(error.errors)) or not (data.get("repository") or {}).get("issues"):
            raise
    where = data.get("repository")
    if where is None:
        raise NotFound(f"{repository} cannot be read")
    return where, paths


def _is_about_issues(paths: Iterable[Sequence[Any]], errors: int) -> bool:
    found = [path for path in paths if len(path) > 3 and tuple(path[:3]) == ("repository", "issues", "nodes")]
    return len(found) == errors
