"""What the local GitHub says of people: profiles, contributions, the history of a branch, searches by author."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.sandbox.sandbox import Sandbox
from tests.sandbox.support import connected
from tests.support.clock import START

PLACE = "acme/frame"
HISTORY = """{ repository(owner: "acme", name: "frame") { defaultBranchRef { target { oid
    ... on Commit { history(%s) { totalCount nodes { oid } } } } } } }"""


@pytest.fixture
def worked(sandbox: Sandbox) -> Sandbox:
    """Three commits by two people a day apart, and a pull request."""
    files = [{"path": "src/a.py", "additions": 1, "deletions": 0}]
    for number, login in enumerate(["tess", "walt", "tess"]):
        at = START - timedelta(days=number)
        sandbox.add_commit(PLACE, f"{number:040x}", "Work", login=login, at=at, files=files if number else ())
    sandbox.add_pull_request(PLACE, "Mine", "tess", at=START)
    return sandbox


async def ask(sandbox: Sandbox, query: str, **variables: Any) -> Any:
    async with connected(sandbox) as client:
        return await client.graphql(query, **variables)


@pytest.mark.parametrize(
    ("arguments", "numbers"),
    [
        ("first: 9", [0, 1, 2]),
        ("first: 1, after: null", [0]),
        ('first: 9, since: "2026-11-01T09:00:00Z"', [0, 1]),
        ('first: 9, until: "2026-11-01T09:00:00Z"', [1, 2]),
        ('first: 9, path: "src"', [1, 2]),
        ('first: 9, path: "sr"', []),
        ('first: 9, author: {emails: ["somebody@example.com"]}', [0, 1, 2]),
        ('first: 9, author: {emails: ["other@example.com"]}', []),
    ],
)
async def test_the_history_of_the_default_branch(worked: Sandbox, arguments: str, numbers: list[int]) -> None:
    answer = await ask(worked, HISTORY % arguments)
    tip = answer["data"]["repository"]["defaultBranchRef"]["target"]
    assert tip["oid"] == f"{0:040x}"
    assert [int(row["oid"], 16) for row in tip["history"]["nodes"]] == numbers


async def test_the_history_by_author(worked: Sandbox) -> None:
    person = (await ask(worked, '{ user(login: "tess") { id } }'))["data"]["user"]["id"]
    answer = await ask(worked, HISTORY % f'first: 9, author: {{id: "{person}"}}')
    assert answer["data"]["repository"]["defaultBranchRef"]["target"]["history"]["totalCount"] == 2


async def test_a_repository_without_commits_has_no_tip(sandbox: Sandbox) -> None:
    answer = await ask(sandbox, HISTORY % "first: 1")
    assert answer["data"]["repository"]["defaultBranchRef"] == {"target": None}


async def test_contributions_of_a_year_and_of_more(worked: Sandbox) -> None:
    query = """query($from: DateTime, $to: DateTime) { user(login: "tess") {
        contributionsCollection(from: $from, to: $to) {
        startedAt endedAt totalCommitContributions totalPullRequestContributions restrictedContributionsCount } } }"""
    answer = await ask(worked, query, **{"from": "2026-11-01T00:00:00Z"})
    assert answer["data"]["user"]["contributionsCollection"] == {
        "startedAt": "2026-11-01T00:00:00Z",
        "endedAt": "2027-11-01T00:00:00Z",
        "totalCommitContributions": 1,
        "totalPullRequestContributions": 1,
        "restrictedContributionsCount": 0,
    }
    last = (await ask(worked, query))["data"]["user"]["contributionsCollection"]
    assert (last["endedAt"], last["totalCommitContributions"]) == ("2026-11-02T09:00:00Z", 2)
    refused = await ask(worked, query, **{"from": "2024-01-01T00:00:00Z", "to": "2026-01-01T00:00:00Z"})
    assert "must not exceed 1 year" in refused["errors"][0]["message"]


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("repo:acme/frame is:pr author:tess created:2026-11-02..2026-11-02", 1),
        ("repo:acme/frame is:issue author:tess created:2026-11-02..2026-11-02", 0),
        ("repo:acme/frame is:pr author:tess created:2026-11-03..2026-11-04", 0),
        ("repo:acme/frame is:pr author:nobody-at-all created:2026-11-02..2026-11-02", 0),
        ("repo:acme/hidden is:pr author:tess created:2026-11-02..2026-11-02", 0),
        ("repo:acme/frame is:pr author:tess created:2026-11-02..2026-11-02 label:bug", None),
        ("leak in:title", None),
    ],
)
async def test_searches_by_author(worked: Sandbox, words: str, count: int | None) -> None:
    answer = await ask(worked, "query($q: String!) { search(query: $q, type: ISSUE) { issueCount } }", q=words)
    if count is None:
        assert "cannot search" in answer["errors"][0]["message"]
    else:
        assert answer["data"] == {"search": {"issueCount": count}}


async def test_a_deleted_account_is_nobody_and_a_renamed_one_stays_itself(worked: Sandbox) -> None:
    worked.open_issue(PLACE, "tess", "It leaks")
    worked.open_issue(PLACE, "walt", "It leaks too")
    number = worked.account("walt").id
    worked.delete_user("tess")
    worked.rename_user("walt", "walter")
    query = """{ gone: user(login: "tess") { id } moved: user(login: "walt") { id }
        now: user(login: "walter") { databaseId }
        repository(owner: "acme", name: "frame") { issues(first: 9) { nodes { author { login } } } } }"""
    async with connected(worked) as client:
        answer = await client.graphql(query)
        rest = (await client.send("GET", f"/repos/{PLACE}/issues/2")).body
    assert [error["type"] for error in answer["errors"]] == ["NOT_FOUND", "NOT_FOUND"]
    assert answer["data"]["now"] == {"databaseId": number}
    authors = [row["author"] for row in answer["data"]["repository"]["issues"]["nodes"]]
    assert authors == [None, {"login": "walter"}]
    assert rest["user"] is None


async def test_one_missing_node_leaves_the_others(worked: Sandbox) -> None:
    person = (await ask(worked, '{ user(login: "tess") { id } }'))["data"]["user"]["id"]
    query = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on User { login } } }"
    answer = await ask(worked, query, ids=[person, "U_nobody"])
    assert answer["data"] == {"nodes": [{"login": "tess"}, None]}
    assert [(error["type"], error["path"]) for error in answer["errors"]] == [("NOT_FOUND", ["nodes", 1])]


def test_a_profile_has_only_what_profiles_have(sandbox: Sandbox) -> None:
    assert sandbox.describe_user("tess", bio="Engineer").bio == "Engineer"
    with pytest.raises(TypeError, match="salary"):
        sandbox.describe_user("tess", salary=1)
