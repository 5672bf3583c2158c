"""Every answer GitHub refuses with, and the error it must mean."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.github import errors
from bot.github.classify import UNNAMED_WAIT, classify, classify_graphql
from tests.support.clock import START

RESET = str(int((START + timedelta(minutes=20)).timestamp()))

EMPTY = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": RESET}


def _body(message: str, **more: Any) -> bytes:
    return json.dumps({"message": message, **more}).encode()


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, _body("Bad credentials"), errors.Unauthorized),
        (403, _body("Must have admin rights to Repository."), errors.Forbidden),
        (404, _body("Not Found"), errors.NotFound),
        (409, _body("Git Repository is empty."), errors.Conflict),
        (410, _body("Issues are disabled for this repo"), errors.IssuesDisabled),
        (410, _body("This issue was deleted"), errors.Gone),
        (413, _body("Payload too big"), errors.PayloadTooLarge),
        (422, _body("Validation Failed", errors=[{"code": "invalid", "field": "assignees"}]), errors.Invalid),
        (400, _body("Problems parsing JSON"), errors.Invalid),
        (451, _body("Repository access blocked"), errors.Forbidden),
        (500, b"", errors.Transient),
        (502, b"<html>Unicorn!</html>", errors.Transient),
        (503, b"[1, 2", errors.Transient),
        (408, b"", errors.Transient),
    ],
)
def test_status_decides(status: int, body: bytes, kind: type[errors.GitHubError]) -> None:
    error = classify(status, {}, body, START)
    assert type(error) is kind
    assert error.status == status


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("Unable to create comment because issue is locked.", "locked"),
        ("Repository was archived so is read-only.", "archived"),
        ("This installation has been suspended", "suspended"),
        ("Resource not accessible by integration", "permission"),
        ("Must have admin rights to Repository.", "permission"),
        ("Sorry. Your account was blocked.", "other"),
    ],
)
def test_forbidden_says_why(message: str, reason: str) -> None:
    error = classify(403, {"x-ratelimit-remaining": "4000"}, _body(message), START)
    assert isinstance(error, errors.Forbidden)
    assert error.reason == reason


@pytest.mark.parametrize(
    ("status", "headers", "message", "kind", "wait", "named"),
    [
        (403, EMPTY, "API rate limit exceeded", "primary", 1200, True),
        (403, {"x-ratelimit-remaining": "4000"}, "You have exceeded a secondary rate limit.", "secondary", 60, False),
        (403, {"x-ratelimit-remaining": "4000", "retry-after": "37"}, "Wait a bit", "secondary", 37, True),
        (403, {"x-ratelimit-reset": RESET, "retry-after": "x"}, "secondary rate limit", "secondary", 60, False),
        (429, {}, "Too many requests", "secondary", 60, False),
        (429, {"retry-after": "5"}, "Too many requests", "secondary", 5, True),
        (429, EMPTY, "Too many requests", "primary", 1200, True),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"}, "API rate limit exceeded", "primary", 1, True),
        (403, {"retry-after": "36000"}, "Wait", "secondary", 36000, True),
        (403, {"retry-after": "99999999999"}, "Wait", "secondary", 86400, True),
        (422, {}, "Validation Failed: was submitted too quickly", "secondary", 60, False),
    ],
)  # fmt: skip
def test_limits(status: int, headers: dict[str, str], message: str, kind: str, wait: int, named: bool) -> None:
    error = classify(status, headers, _body(message), START)
    assert isinstance(error, errors.RateLimited)
    assert (error.kind, error.named) == (kind, named)
    assert error.retry_at == START + timedelta(seconds=wait)


def test_a_refusal_with_requests_remaining_is_no_limit() -> None:
    assert isinstance(classify(403, {"x-ratelimit-remaining": "1"}, _body("No"), START), errors.Forbidden)


def test_invalid_keeps_the_list_of_what_is_wrong() -> None:
    wrong = [{"resource": "Issue", "code": "custom", "field": "body", "message": "body is too long"}]
    error = classify(422, {}, _body("Validation Failed", errors=wrong), START)
    assert isinstance(error, errors.Invalid)
    assert error.errors == tuple(wrong)


@given(
    status=st.integers(400, 599),
    headers=st.dictionaries(
        st.sampled_from(["retry-after", "x-ratelimit-remaining", "x-ratelimit-reset"]), st.text(max_size=20)
    ),
    body=st.binary(max_size=80),
)
def test_no_answer_breaks_the_classifier(status: int, headers: dict[str, str], body: bytes) -> None:
    error = classify(status, headers, body, START)
    if isinstance(error, errors.RateLimited):
        assert START < error.retry_at <= START + timedelta(days=1)


def _failed(kind: str | None, message: str, data: Any = None) -> dict[str, Any]:
    return {"data": data, "errors": [{"message": message} | ({"type": kind} if kind else {})]}


@pytest.mark.parametrize("kind", ["RATE_LIMITED", "RATE_LIMIT"])
def test_graphql_limit_inside_200(kind: str) -> None:
    reset = START + timedelta(minutes=9)
    error = classify_graphql(_failed(kind, "API rate limit already exceeded"), 0, reset, START)
    assert isinstance(error, errors.RateLimited)
    assert (error.retry_at, error.kind) == (reset, "primary")
    unnamed = classify_graphql(_failed(kind, "API rate limit already exceeded"), 10, reset, START)
    assert isinstance(unnamed, errors.RateLimited)
    assert (unnamed.retry_at, unnamed.named) == (START + UNNAMED_WAIT, False)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (_failed("NOT_FOUND", "Could not resolve"), errors.NotFound),
        (_failed("NOT_FOUND", "Could not resolve", {"repository": None}), errors.NotFound),
        (_failed("NOT_FOUND", "Could not resolve", {"repository": {"id": 1}}), errors.GraphQLError),
        (_failed("FORBIDDEN", "Resource not accessible by integration"), errors.Forbidden),
        (_failed("RESOURCE_LIMITS_EXCEEDED", "Too much"), errors.TooExpensive),
        (_failed(None, "You have exceeded a secondary rate limit."), errors.RateLimited),
        (_failed(None, "Something went wrong while executing your query."), errors.Transient),
        (_failed(None, "Field 'x' doesn't exist on type 'Issue'"), errors.GraphQLError),
        ({}, errors.Transient),
        ([1], errors.Transient),
        (None, errors.Transient),
    ],
)
def test_graphql_errors(answer: Any, kind: type[errors.GitHubError]) -> None:
    assert type(classify_graphql(answer, None, None, START)) is kind


def test_graphql_partial_data_is_kept() -> None:
    error = classify_graphql(_failed("FORBIDDEN", "No", {"repository": {"name": "a"}}), None, None, START)
    assert isinstance(error, errors.GraphQLError)
    assert error.data == {"repository": {"name": "a"}}
    assert error.types == {"FORBIDDEN"}


def test_the_query_that_uses_up_the_last_point_is_an_answer() -> None:
    assert classify_graphql({"data": {"a": 1}}, 0, START + timedelta(hours=1), START) is None
