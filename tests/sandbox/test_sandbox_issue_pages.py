"""Pages of a repository's issues: cursors that name an issue, the filter by change, and queries broken off."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from bot.sandbox.limits import Limits
from bot.sandbox.sandbox import Sandbox
from tests.sandbox.support import connected, small_github
from tests.support.clock import START, VirtualClock

FRAME = "acme/frame"
PAGE = """
query ($first: Int!, $after: String, $filter: IssueFilters) {
  repository(owner: "acme", name: "frame") {
    issues(
      states: CLOSED, first: $first, after: $after, filterBy: $filter
      orderBy: {field: CREATED_AT, direction: ASC}
    ) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes { number comments(first: 100) { nodes { id } } }
    }
  }
}
"""


def filled(limits: Limits | None = None) -> Sandbox:
    github = small_github(VirtualClock(START + timedelta(days=10)), limits=limits)
    for hour in range(6):
        moment = START + timedelta(hours=hour)
        number = github.open_issue(FRAME, "tess", "It crashes", at=moment).number
        for _ in range(4):
            github.comment(FRAME, number, "walt", "Me too", at=moment)
        github.close(FRAME, number, "tess", at=moment)
        github.issue(FRAME, number).updated_at = moment
    return github


def numbers(answer: Any) -> list[int]:
    return [node["number"] for node in answer["data"]["repository"]["issues"]["nodes"]]


async def test_a_cursor_names_an_issue_whatever_happens_before_it() -> None:
    github = filled()
    async with connected(github) as client:
        first = await client.graphql(PAGE, first=3)
        github.reopen(FRAME, 1, "tess")
        cursor = first["data"]["repository"]["issues"]["pageInfo"]["endCursor"]
        rest = await client.graphql(PAGE, first=3, after=cursor)
    assert (numbers(first), numbers(rest)) == ([1, 2, 3], [4, 5, 6])
    assert rest["data"]["repository"]["issues"]["pageInfo"]["hasNextPage"] is False
    assert rest["data"]["repository"]["issues"]["totalCount"] == 5


async def test_a_cursor_that_is_none_is_refused() -> None:
    async with connected(filled()) as client:
        for cursor in ("!", "Y3Vyc29yOnYyOngi", "bm8="):
            answer = await client.graphql(PAGE, first=3, after=cursor)
            assert answer["errors"][0]["type"] == "INVALID_CURSOR_ARGUMENTS"


async def test_only_issues_changed_since_are_listed() -> None:
    async with connected(filled()) as client:
        answer = await client.graphql(PAGE, first=9, filter={"since": (START + timedelta(hours=4)).isoformat()})
    assert numbers(answer) == [5, 6]


async def test_a_query_with_too_many_rows_is_broken_off() -> None:
    async with connected(filled(Limits(rows_a_query=10))) as client:
        assert numbers(await client.graphql(PAGE, first=2)) == [1, 2]
        refused = await client.graphql(PAGE, first=3)
        assert refused["data"] == {"repository": None}
        assert refused["errors"][0]["type"] == "RESOURCE_LIMITS_EXCEEDED"
        too_slow = await client.send("POST", "/graphql", {"query": PAGE, "variables": {"first": 5}})
        assert too_slow.status == 502
