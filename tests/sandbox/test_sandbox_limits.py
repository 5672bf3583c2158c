"""Rate limits on the injected clock, and faults to order."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest

from bot.sandbox.faults import Fault
from bot.sandbox.limits import Limits
from bot.sandbox.sandbox import Sandbox
from tests.sandbox.support import connected, small_github
from tests.support.clock import VirtualClock

COMMENTS = "/repos/acme/frame/issues/1/comments"


@pytest.fixture
def github(sandbox: Sandbox) -> Sandbox:
    """The local GitHub with one issue."""
    sandbox.open_issue("acme/frame", "stranger", "It leaks")
    return sandbox


async def test_content_is_limited_by_minute_and_by_hour(github: Sandbox, clock: VirtualClock) -> None:
    async with connected(github) as client:
        for _ in range(80):
            assert (await client.send("POST", COMMENTS, {"body": "x"})).status == 201
        refused = await client.send("POST", COMMENTS, {"body": "x"})
        assert refused.status == 403
        assert "secondary rate limit" in refused.body["message"]
        assert int(refused.headers["retry-after"]) == 61
        assert int(refused.headers["x-ratelimit-remaining"]) > 0
        clock.advance(seconds=61)
        for _ in range(420):
            clock.advance(seconds=2)
            assert (await client.send("POST", COMMENTS, {"body": "x"})).status == 201
        clock.advance(seconds=60)
        refused = await client.send("POST", COMMENTS, {"body": "x"})
        assert (refused.status, int(refused.headers["retry-after"])) == (403, 3600 - 61 - 840 - 60 + 1)
    clock.advance(seconds=int(refused.headers["retry-after"]))
    async with connected(github) as client:
        assert (await client.send("POST", COMMENTS, {"body": "x"})).status == 201
    assert {row.limit for row in github.violations} == {"content 80 a minute", "content 500 an hour"}


async def test_the_primary_limit_is_told_in_headers_and_starts_anew(clock: VirtualClock) -> None:
    github = small_github(clock, limits=Limits(primary=3))
    async with connected(github) as client:
        for remaining in (2, 1, 0):
            answer = await client.send("GET", "/repos/acme/frame")
            assert int(answer.headers["x-ratelimit-remaining"]) == remaining
        refused = await client.send("GET", "/repos/acme/frame")
        assert (refused.status, refused.headers["x-ratelimit-remaining"]) == (403, "0")
        reset = int(refused.headers["x-ratelimit-reset"])
        assert reset == int(clock.now().timestamp()) + 3600
        clock.advance(minutes=59)
        assert (await client.send("GET", "/repos/acme/frame")).status == 403
        clock.advance(seconds=60)
        assert (await client.send("GET", "/users/tess")).status == 401, "the token is an hour old too"
    async with connected(github) as client:
        assert (await client.send("GET", "/repos/acme/frame")).status == 200
    github.close_storage()


async def test_limits_that_are_not_enforced_are_counted(clock: VirtualClock) -> None:
    github = small_github(clock, limits=Limits(enforce=False, content_a_minute=1))
    github.open_issue("acme/frame", "stranger", "x")
    async with connected(github) as client:
        for _ in range(3):
            assert (await client.send("POST", COMMENTS, {"body": "x"})).status == 201
    assert len(github.violations) == 2
    github.close_storage()


async def test_graphql_over_the_limit_answers_200_with_an_error(clock: VirtualClock) -> None:
    github = small_github(clock, limits=Limits(primary=2))
    async with connected(github) as client:
        for _ in range(2):
            assert "data" in await client.graphql("{ rateLimit { remaining } }")
        answer = await client.send("POST", "/graphql", {"query": "{ rateLimit { remaining } }"})
    assert (answer.status, answer.body["errors"][0]["type"]) == (200, "RATE_LIMITED")
    assert answer.headers["x-ratelimit-remaining"] == "0"
    assert [row.limit for row in github.violations] == ["primary graphql"]
    github.close_storage()


async def test_requests_at_the_same_time_are_limited(clock: VirtualClock) -> None:
    github = small_github(clock, limits=Limits(concurrent=1))
    github.faults.add("GET", "/repos/acme/frame", Fault.HANG)
    async with connected(github) as client:
        waiting = asyncio.create_task(client.send("GET", "/repos/acme/frame"))
        while not github.faults.struck:  # noqa: ASYNC110 - the other side is this very loop
            await asyncio.sleep(0)
        refused = await client.send("GET", "/repos/acme/frame")
        assert (refused.status, refused.headers["retry-after"]) == (403, "60")
        waiting.cancel()
    assert [row.limit for row in github.violations] == ["concurrent"]
    github.close_storage()


@pytest.mark.parametrize(
    ("fault", "status", "retry_after"),
    [
        (Fault.SERVER_ERROR, 500, None),
        (Fault.BAD_GATEWAY, 502, None),
        (Fault.SECONDARY_LIMIT, 403, "60"),
        (Fault.SECONDARY_LIMIT_SILENT, 403, None),
        (Fault.TOO_MANY_REQUESTS, 429, "60"),
        (Fault.ARCHIVED, 403, None),
        (Fault.FORBIDDEN, 403, None),
        (Fault.NOT_FOUND, 404, None),
        (Fault.GONE, 410, None),
        (Fault.INVALID, 422, None),
        (Fault.TOKEN_EXPIRED, 401, None),
    ],
)
async def test_a_fault_strikes_as_often_as_ordered(
    github: Sandbox, fault: Fault, status: int, retry_after: str | None
) -> None:
    github.faults.add("POST", "/repos/acme/frame/issues/*/comments", fault)
    async with connected(github) as client:
        refused = await client.send("POST", COMMENTS, {"body": "x"})
        assert (refused.status, refused.headers.get("retry-after")) == (status, retry_after)
        assert github.comments("acme/frame", 1) == []
        assert (await client.send("POST", COMMENTS, {"body": "x"})).status == 201
    assert github.faults.struck == [("POST", COMMENTS, fault)]


async def test_the_right_answer_may_come_late(github: Sandbox) -> None:
    github.faults.slow_seconds = 0.05
    github.faults.add("POST", COMMENTS, Fault.SLOW)
    started = asyncio.get_running_loop().time()
    async with connected(github) as client:
        assert (await client.send("POST", COMMENTS, {"body": "x"})).status == 201
    assert asyncio.get_running_loop().time() - started >= 0.05


async def test_a_500_may_have_written(github: Sandbox) -> None:
    github.faults.add("*", COMMENTS, Fault.SERVER_ERROR_AFTER)
    async with connected(github) as client:
        assert (await client.send("POST", COMMENTS, {"body": "x"})).status == 500
    assert [comment.body for comment in github.comments("acme/frame", 1)] == ["x"]


@pytest.mark.parametrize(("fault", "written"), [(Fault.DROPPED, 0), (Fault.DROPPED_AFTER, 1)])
async def test_a_connection_may_drop(github: Sandbox, fault: Fault, written: int) -> None:
    github.faults.add("POST", COMMENTS, fault)
    async with connected(github) as client:
        with pytest.raises(aiohttp.ClientError):
            await client.send("POST", COMMENTS, {"body": "x"})
    assert len(github.comments("acme/frame", 1)) == written


async def test_an_answer_may_never_come(github: Sandbox) -> None:
    github.faults.add("GET", "/repos/*", Fault.HANG)
    async with connected(github) as client:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await client.send("GET", "/repos/acme/frame")
        assert (await client.send("GET", "/repos/acme/frame")).status == 200
