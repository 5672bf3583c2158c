"""A client that asks what many readers ask for at the same time in one request, and shares out the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.github import queries
from bot.github.errors import GitHubError, GraphQLError, Transient
from bot.github.page_queries import PULL_REQUEST_OF_MANY
from bot.github.page_size import FIRST_SIZE, halved
from bot.github.reading import EvidenceClient
from bot.github.together import apart, root_field, together, variables_together

_CHEAPER = {queries.PULL_REQUEST: PULL_REQUEST_OF_MANY}


@dataclass
class _Wish:
    """One reader's query, and where its answer goes."""

    variables: Mapping[str, Any]
    answer: asyncio.Future[dict[str, Any]]


@dataclass
class TogetherClient:
    """Implements `EvidenceClient` for readers that run side by side in one task group.

    At most `most` runs of a query go into one request. Each reader gets what it would have got alone, errors included.
    What GitHub breaks off is asked again in halves, and `most` stays at what it could answer.
    """

    client: EvidenceClient
    most: int = FIRST_SIZE
    _waiting: dict[str, list[_Wish]] = field(default_factory=dict)

    async def graphql(self, query: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the data of a query that is asked together with all that are waiting by then."""
        wish = _Wish(variables or {}, asyncio.get_running_loop().create_future())
        is_first = not self._waiting
        self._waiting.setdefault(_CHEAPER.get(query, query), []).append(wish)
        if is_first:
            await asyncio.sleep(0)  # until every reader that was woken at the same moment has asked
            waiting, self._waiting = self._waiting, {}
            for each, wishes in waiting.items():
                await self._ask_all(each, wishes)
        return await wish.answer

    async def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        """Return the decoded JSON of a REST path."""
        return await self.client.get(path, params)

    async def _ask_all(self, query: str, wishes: Sequence[_Wish]) -> None:
        first = 0
        while first < len(wishes):
            now = wishes[first : first + self.most]
            try:
                outcomes = await self._outcomes(query, now)
            except Transient as error:
                if len(now) > 1:
                    self.most = halved(len(now))
                    continue
                outcomes = [error]
            except GitHubError as error:
                outcomes = [error] * len(now)
            for wish, outcome in zip(now, outcomes, strict=True):
                _settle(wish.answer, outcome)
            first += len(now)

    async def _outcomes(self, query: str, wishes: Sequence[_Wish]) -> list[dict[str, Any] | GitHubError]:
        text = together(query, len(wishes))
        errors: Sequence[Mapping[str, Any]] = ()
        try:
            data = await self.client.graphql(text, variables_together([wish.variables for wish in wishes]))
        except GraphQLError as error:
            if error.data is None:
                raise
            data, errors = error.data, [one for one in error.errors if isinstance(one, Mapping)]
        return apart(root_field(query), len(wishes), data, errors)


def _settle(answer: asyncio.Future[dict[str, Any]], outcome: dict[str, Any] | GitHubError) -> None:
    if answer.done():  # its reader was cancelled meanwhile
        return
    if isinstance(outcome, GitHubError):
        answer.set_exception(outcome)
    else:
        answer.set_result(outcome)
