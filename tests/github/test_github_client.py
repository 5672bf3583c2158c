"""Reads as the program makes them: retried, paged, cached, redirected, and stopped by limits."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.github.errors import GitHubError, GraphQLError, Invalid, Moved, NotFound, RateLimited, Transient
from tests.support.clock import START
from tests.support.scripted_github import Answer, Seen, Stage


def _window(remaining: int, reset_in: float, resource: str = "core") -> dict[str, str]:
    reset = START + timedelta(seconds=reset_in)
    return {
        "x-ratelimit-limit": "5000",
        "x-ratelimit-remaining": str(remaining),
        "x-ratelimit-reset": str(int(reset.timestamp())),
        "x-ratelimit-resource": resource,
    }


async def test_a_passing_failure_of_a_read_is_tried_again_with_growing_waits(stage: Stage) -> None:
    stage.github.on("GET", "/x", Answer(502, raw=b"<html>"), Answer(504), Answer(200, {"ok": 1}))
    assert await stage.client().get("/x") == {"ok": 1}
    first, second = stage.clock.slept
    assert 0.5 <= first < 1.5
    assert 1.0 <= second < 3.0


async def test_three_failures_are_told(stage: Stage) -> None:
    stage.github.on("GET", "/x", Answer(503))
    with pytest.raises(Transient, match="GET /x"):
        await stage.client().get("/x")
    assert len(stage.github.seen) == 3


async def test_a_server_that_does_not_answer_times_out(stage: Stage) -> None:
    stage.github.on("GET", "/x", Answer(silent=True), Answer(200, {"ok": 1}))
    assert await stage.client(timeout=0.1).get("/x") == {"ok": 1}


async def test_an_answer_cut_short_is_tried_again(stage: Stage) -> None:
    broken = Answer(200, raw=b'{"ok": ', headers={"content-type": "application/json"})
    stage.github.on("GET", "/x", broken, Answer(200, {"ok": 1}))
    assert await stage.client().get("/x") == {"ok": 1}


@pytest.mark.parametrize("method", ["post", "patch"])
async def test_a_write_is_never_repeated_blindly(stage: Stage, method: str) -> None:
    stage.github.on(method.upper(), "/x", Answer(500))
    with pytest.raises(Transient):
        await getattr(stage.client(), method)("/x", {"a": 1})
    assert len(stage.github.seen) == 1


async def test_delete_and_empty_answers(stage: Stage) -> None:
    stage.github.on("DELETE", "/x", Answer(204))
    await stage.client().delete("/x")
    stage.github.on("POST", "/y", Answer(204))
    assert await stage.client().post("/y") is None


async def test_pages_are_followed_and_limited(stage: Stage) -> None:
    def page(seen: Seen) -> Answer:
        number = int(seen.query.get("page", "1"))
        address = f"{stage.github.url}/list?per_page=100&state=all&page"
        more = f'<{address}={number + 1}>; rel="next", <{address}=3>; rel="last"'
        return Answer(200, [number * 10, number * 10 + 1], {"link": more} if number < 3 else {})

    stage.github.on("GET", "/list", page)
    client = stage.client()
    assert await client.get_all("/list", {"state": "all"}) == [10, 11, 20, 21, 30, 31]
    assert [seen.query["state"] for seen in stage.github.seen] == ["all"] * 3
    stage.github.seen.clear()
    assert await client.get_all("/list", limit=3) == [10, 11, 20]
    assert len(stage.github.seen) == 2
    assert stage.github.seen[0].query["per_page"] == "3"


async def test_a_wrapped_list_is_a_list(stage: Stage) -> None:
    stage.github.on("GET", "/installation/repositories", Answer(200, {"total_count": 1, "repositories": [{"id": 1}]}))
    assert await stage.client().get_all("/installation/repositories") == [{"id": 1}]


async def test_parameters_arrive_as_they_were_given(stage: Stage) -> None:
    stage.github.on("GET", "/search/issues", Answer(200, {}))
    await stage.client().get("/search/issues", {"q": "author:x[bot] {a} + 50% é", "content": "+1"})
    assert stage.github.seen[0].query == {"q": "author:x[bot] {a} + 50% é", "content": "+1"}


async def test_an_unchanged_answer_comes_from_the_cache(stage: Stage) -> None:
    def conditional(seen: Seen) -> Answer:
        if seen.headers.get("if-none-match") == '"v1"':
            return Answer(304, headers=_window(4000, 600))
        return Answer(200, {"n": 1}, {"etag": '"v1"', **_window(4001, 600)})

    stage.github.on("GET", "/x", conditional)
    client, other = stage.client(), stage.client()
    assert client.budget is None
    assert [await client.get("/x"), await client.get("/x")] == [{"n": 1}, {"n": 1}]
    assert client.budget is not None
    assert client.budget.remaining == 4000
    assert await other.get("/x") == {"n": 1}
    assert ["if-none-match" in seen.headers for seen in stage.github.seen] == [False, True, False]


async def test_the_cache_is_bounded(stage: Stage) -> None:
    for number in range(140):
        stage.github.on("GET", f"/{number}", Answer(200, {}, {"etag": '"a"'}))
    stage.github.on("GET", "/large", Answer(200, {"text": "x" * 70_000}, {"etag": '"a"'}))
    client = stage.client()
    for path in [*range(140), 0, 139, "large", "large"]:
        await client.get(f"/{path}")
    conditional = ["if-none-match" in seen.headers for seen in stage.github.seen]
    assert conditional[140:] == [False, True, False, False]


async def test_a_renamed_repository_is_followed_by_reads(stage: Stage) -> None:
    for status, name in ((301, "a"), (302, "b"), (307, "c"), (308, "d")):
        stage.github.on(
            "GET", f"/repos/o/{name}", Answer(status, {}, {"location": f"{stage.github.url}/repositories/1"})
        )
    stage.github.on("GET", "/repositories/1", Answer(200, {"id": 1}))
    client = stage.client()
    assert [await client.get(f"/repos/o/{name}") for name in "abcd"] == [{"id": 1}] * 4
    assert stage.github.seen[-1].headers["authorization"] == "Bearer ghs_fixed"


async def test_a_write_that_has_moved_is_told_and_not_sent_on(stage: Stage) -> None:
    stage.github.on("POST", "/repos/o/old/issues", Answer(307, {}, {"location": "/repositories/1/issues"}))
    with pytest.raises(Moved) as caught:
        await stage.client().post("/repos/o/old/issues", {})
    assert caught.value.location == f"{stage.github.url}/repositories/1/issues"
    assert len(stage.github.seen) == 1


@pytest.mark.parametrize("where", ["https://example.com/x", "//example.com/x"])
async def test_the_token_goes_to_no_other_host(stage: Stage, where: str) -> None:
    stage.github.on("GET", "/x", Answer(301, {}, {"location": where}))
    stage.github.on("GET", "/list", Answer(200, [1], {"link": '<https://example.com/list?page=2>; rel="next"'}))
    with pytest.raises(GitHubError, match="another host"):
        await stage.client().get("/x")
    with pytest.raises(GitHubError, match="another host"):
        await stage.client().get_all("/list")


async def test_a_circle_of_redirects_ends(stage: Stage) -> None:
    stage.github.on("GET", "/x", Answer(301, {}, {"location": "/x"}))
    with pytest.raises(GitHubError, match="leads nowhere"):
        await stage.client().get("/x")
    assert len(stage.github.seen) == 6


async def test_a_primary_limit_is_raised_with_its_moment_and_obeyed_without_asking(stage: Stage) -> None:
    refused = Answer(403, {"message": "API rate limit exceeded for installation ID 5."}, _window(0, 900))
    stage.github.on("GET", "/x", refused, Answer(200, {"ok": 1}, _window(4999, 4500)))
    client = stage.client()
    for _ in range(2):
        with pytest.raises(RateLimited) as caught:
            await client.get("/x")
        assert caught.value.retry_at == START + timedelta(seconds=900)
    assert len(stage.github.seen) == 1
    assert stage.clock.slept == []
    stage.clock.advance(seconds=900)
    assert await client.get("/x") == {"ok": 1}


async def test_the_last_request_of_a_window_is_answered_and_the_next_waits_a_few_seconds(stage: Stage) -> None:
    stage.github.on("GET", "/x", Answer(200, {"n": 1}, _window(0, 4)), Answer(200, {"n": 2}, _window(4999, 3600)))
    client = stage.client()
    assert [await client.get("/x"), await client.get("/x")] == [{"n": 1}, {"n": 2}]
    assert stage.clock.slept == [4.0]


@pytest.mark.parametrize("status", [403, 429])
async def test_a_secondary_limit_with_requests_remaining_closes_everything(stage: Stage, status: int) -> None:
    message = {"message": "You have exceeded a secondary rate limit."}
    stage.github.on("GET", "/x", Answer(status, message, _window(4000, 900)), Answer(status, message), Answer(200, {}))
    client = stage.client()
    with pytest.raises(RateLimited) as caught:
        await client.get("/x")
    assert caught.value.retry_at == START + timedelta(seconds=60)
    with pytest.raises(RateLimited):
        await client.post("/y", {})
    assert len(stage.github.seen) == 1
    stage.clock.advance(seconds=60)
    with pytest.raises(RateLimited) as caught:
        await client.get("/x")
    assert caught.value.retry_at == START + timedelta(seconds=60 + 120)


async def test_retry_after_is_obeyed(stage: Stage) -> None:
    refused = Answer(403, {"message": "secondary rate limit"}, {"retry-after": "90", **_window(4000, 900)})
    stage.github.on("GET", "/x", refused)
    with pytest.raises(RateLimited) as caught:
        await stage.client().get("/x")
    assert caught.value.retry_at == START + timedelta(seconds=90)


async def test_a_limit_of_a_few_seconds_is_waited_for_even_by_a_write(stage: Stage) -> None:
    stage.github.on("POST", "/x", Answer(429, {"message": "wait"}, {"retry-after": "3"}), Answer(201, {"id": 1}))
    assert await stage.client().post("/x", {}) == {"id": 1}
    assert stage.clock.slept == [3.0]


async def _graphql(stage: Stage, *answers: Answer) -> dict[str, Any]:
    stage.github.on("POST", "/graphql", *answers)
    return await stage.client().graphql("query($query: String!) { a }", {"query": "x", "endpoint": "y"})


async def test_a_query_takes_variables_of_any_name(stage: Stage) -> None:
    assert await _graphql(stage, Answer(200, {"data": {"a": 1}})) == {"a": 1}
    (seen,) = stage.github.seen
    assert seen.body == {"query": "query($query: String!) { a }", "variables": {"query": "x", "endpoint": "y"}}
    assert seen.headers["authorization"] == "Bearer ghs_fixed"


async def test_a_query_is_tried_again(stage: Stage) -> None:
    failed = {"data": None, "errors": [{"message": "Something went wrong while executing your query."}]}
    assert await _graphql(stage, Answer(502), Answer(200, failed), Answer(200, {"data": {"a": 1}})) == {"a": 1}


async def test_a_graphql_limit_inside_200_is_a_limit(stage: Stage) -> None:
    refused = {"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}
    with pytest.raises(RateLimited) as caught:
        await _graphql(stage, Answer(200, refused, _window(0, 700, "graphql")))
    assert caught.value.retry_at == START + timedelta(seconds=700)
    assert len(stage.github.seen) == 1


async def test_an_unnamed_graphql_limit_closes_the_client_for_doubling_waits(stage: Stage) -> None:
    refused = {"errors": [{"message": "You have exceeded a secondary rate limit."}]}
    stage.github.on("POST", "/graphql", Answer(200, refused, _window(4000, 700, "graphql")))
    client = stage.client()
    for wait in (60, 120, 240):
        asked = stage.clock.now()
        with pytest.raises(RateLimited) as caught:
            await client.graphql("query { a }")
        assert caught.value.retry_at == asked + timedelta(seconds=wait)
        with pytest.raises(RateLimited):
            await client.get("/x")
        stage.clock.advance(seconds=wait)
    assert len(stage.github.seen) == 3


async def test_graphql_errors_keep_the_data_that_came(stage: Stage) -> None:
    answer = {"data": {"repository": {"id": 1}}, "errors": [{"type": "FORBIDDEN", "message": "No files"}]}
    with pytest.raises(GraphQLError) as caught:
        await _graphql(stage, Answer(200, answer))
    assert caught.value.data == {"repository": {"id": 1}}
    missing = {"data": {"repository": None}, "errors": [{"type": "NOT_FOUND", "message": "Could not resolve"}]}
    with pytest.raises(NotFound):
        await _graphql(stage, Answer(200, missing))


async def test_a_client_changes_nothing_through_graphql(stage: Stage) -> None:
    with pytest.raises(ValueError, match="only the writer"):
        await stage.client().graphql("\n mutation { a }")
    assert stage.github.seen == []


async def test_github_list_of_errors_is_kept(stage: Stage) -> None:
    wrong = [{"resource": "Issue", "field": "assignees", "code": "invalid", "value": "ghost"}]
    stage.github.on("POST", "/x", Answer(422, {"message": "Validation Failed", "errors": wrong}))
    with pytest.raises(Invalid, match="POST /x: Validation Failed") as caught:
        await stage.client().post("/x", {})
    assert caught.value.errors == tuple(wrong)


async def test_the_bot_account_is_asked_for_with_a_token_that_may(stage: Stage) -> None:
    stage.github.on("GET", "/app", Answer(200, {"slug": "rootcause"}))
    installed = [{"id": 4, "suspended_at": "2026-01-01T00:00:00Z"}, {"id": 5, "suspended_at": None}]
    stage.github.on("GET", "/app/installations", Answer(200, installed))
    token = {"token": "ghs_five", "expires_at": "2026-11-02T10:00:00Z"}
    stage.github.on("POST", "/app/installations/5/access_tokens", Answer(201, token))
    stage.github.on("GET", "/users/rootcause[bot]", Answer(200, {"id": 4242}))
    app = stage.app()
    assert [await app.bot_user_id(), await app.bot_user_id()] == [4242, 4242]
    (seen,) = stage.github.asked("GET", "/users/rootcause[bot]")
    assert seen.headers["authorization"] == "Bearer ghs_five"


async def test_before_the_first_installation_the_bot_account_is_asked_for_anonymously(stage: Stage) -> None:
    stage.github.on("GET", "/app", Answer(200, {"slug": "rootcause"}))
    stage.github.on("GET", "/app/installations", Answer(200, []))
    stage.github.on("GET", "/users/rootcause[bot]", Answer(200, {"id": 4242}))
    assert await stage.app().bot_user_id() == 4242
    assert "authorization" not in stage.github.asked("GET", "/users/rootcause[bot]")[0].headers


async def test_a_tag_from_elsewhere_costs_nothing_where_nothing_changed(stage: Stage) -> None:
    def answer(seen: Seen) -> Answer:
        tag = 'W/"2"'
        return Answer(304) if seen.headers.get("if-none-match") == tag else Answer(200, {"ok": 2}, {"etag": tag})

    stage.github.on("GET", "/file", answer)
    assert await stage.client().get_tagged("/file", None) == ({"ok": 2}, 'W/"2"')
    assert await stage.client().get_tagged("/file", 'W/"2"') is None, "another process read it"
    client = stage.client()
    assert await client.get_tagged("/file", 'W/"1"') == ({"ok": 2}, 'W/"2"')
    assert await client.get_tagged("/file", 'W/"2"') is None, "and what this one holds itself is not asked for instead"
    assert await client.get("/file") == {"ok": 2}
    stage.github.on("GET", "/file", Answer(404))
    with pytest.raises(NotFound):
        await client.get_tagged("/file", 'W/"2"')
