"""Which issues of a repository were closed last; GitHub lists issues in no such order, so it is worked out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.github.answers import moment
from bot.github.page_queries import RATE_LIMIT
from bot.github.reading import EvidenceClient

LATEST_CLOSED = f"""
query LatestClosed($owner: String!, $name: String!, $after: String) {{
  {RATE_LIMIT}
  repository(owner: $owner, name: $name) {{
    issues(states: CLOSED, first: 100, after: $after, orderBy: {{field: UPDATED_AT, direction: DESC}}) {{
      pageInfo {{ hasNextPage endCursor }}
      nodes {{ number closedAt updatedAt }}
    }}
  }}
}}
"""
"""Closed issues, those touched last first, at one point a hundred."""

MOST_PAGES = 60
"""Pages of a hundred after which the best list so far must do: somebody touched thousands of old issues at once."""


@dataclass(frozen=True)
class Closing:
    """A closed issue as the list shows it."""

    number: int
    closed_at: datetime
    updated_at: datetime


async def latest_closed(client: EvidenceClient, repository: str, most: int) -> tuple[list[Closing], bool]:
    """Return the `most` issues closed last, the latest first, and whether they surely are.

    A closing touches its issue, so no issue was closed after it was last touched: once the list holds enough closings
    that are younger than the last touch on a page, nothing that follows can be among them. Raises the client's errors.
    """
    owner, _, name = repository.partition("/")
    found: dict[int, Closing] = {}
    after: str | None = None
    for _ in range(MOST_PAGES):
        data = await client.graphql(LATEST_CLOSED, {"owner": owner, "name": name, "after": after})
        connection = data["repository"]["issues"]
        page = [
            Closing(node["number"], moment(node["closedAt"]), moment(node["updatedAt"]))
            for node in connection["nodes"]
            if node is not None and node["closedAt"] is not None
        ]
        found |= {one.number: one for one in page}
        latest = sorted(found.values(), key=lambda one: (one.closed_at, one.number), reverse=True)[:most]
        over = not connection["pageInfo"]["hasNextPage"]
        touched = min((one.updated_at for one in page), default=None)
        settled = len(latest) == most and touched is not None and latest[-1].closed_at >= touched
        if over or settled:
            return latest, True
        after = connection["pageInfo"]["endCursor"]
    return latest, False
