"""GraphQL: the App's own queries run, cost what GitHub would charge, and are refused where GitHub refuses."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from graphql import GraphQLObjectType

from bot.github import queries
from bot.sandbox.graphql import PLAIN_TYPES, load_schema
from bot.sandbox.sandbox import Sandbox
from bot.sandbox.state import Review, ReviewComment
from tests.sandbox.support import connected
from tests.support.clock import VirtualClock

MERGED = datetime(2026, 11, 1, 8, 0, tzinfo=UTC)
FILES = [{"path": "src/a.py", "status": "removed", "additions": 3, "deletions": 1}]
ISSUE = '{ repository(owner: "acme", name: "frame") { issue(number: 1) { %s } } }'

TOO_MANY = """{ repository(owner: "acme", name: "frame") { issues(first: 100) { nodes {
    timelineItems(first: 100) { nodes { ... on ReferencedEvent {
        commit { associatedPullRequests(first: 100) { nodes { id } } } } } } } } } }"""


@pytest.fixture
def github(sandbox: Sandbox) -> Sandbox:
    """The local GitHub with an issue that a merged pull request closed."""
    sandbox.open_issue("acme/frame", "stranger", "It leaks", "At first.", ("bug",))
    commit = sandbox.add_commit("acme/frame", "a" * 40, "Free it (#2)\n\nFixes #1", login="walt", files=FILES)
    remark = ReviewComment(sandbox.account("ada").id, "Why?", "src/a.py", MERGED)
    answer = ReviewComment(sandbox.account("walt").id, "So.", "src/a.py", MERGED, reply=True)
    review = Review(sandbox.account("ada").id, "APPROVED", "Good.", MERGED, [remark, answer])
    pull = sandbox.add_pull_request(
        "acme/frame", "Free it", "walt", files=FILES, closes=[1], merged_at=MERGED, merged_by="ada",
        merge_commit_sha=commit.sha, reviews=[review],
    )  # fmt: skip
    sandbox.close("acme/frame", 1, "ada", "completed", pull)
    return sandbox


def test_every_field_of_the_schema_has_a_resolver() -> None:
    for name, kind in load_schema().type_map.items():
        if isinstance(kind, GraphQLObjectType) and not name.startswith("__") and name not in PLAIN_TYPES:
            for field_name, field in kind.fields.items():
                assert field.resolve is not None, f"{name}.{field_name}"


async def ask(sandbox: Sandbox, fields: str) -> Any:
    """Ask for fields of the one issue."""
    async with connected(sandbox) as client:
        answer = await client.graphql(ISSUE % fields)
    assert "errors" not in answer, answer
    return answer["data"]["repository"]["issue"]


async def test_the_apps_own_queries_run(github: Sandbox) -> None:
    here = {"owner": "acme", "name": "frame"}
    async with connected(github) as client:
        evidence = await client.graphql(queries.ISSUE_EVIDENCE, **here, number=1)
        pull = await client.graphql(queries.PULL_REQUEST, **here, number=2)
    assert "errors" not in evidence
    assert "errors" not in pull
    (closing,) = evidence["data"]["repository"]["issue"]["closing"]["nodes"]
    assert closing["closer"]["__typename"] == "PullRequest"
    assert closing["closer"]["files"]["nodes"] == [{"path": "src/a.py", "additions": 3, "deletions": 1}]


async def test_the_evidence_of_an_issue_costs_one_point(github: Sandbox) -> None:
    async with connected(github) as client:
        body = {"query": queries.ISSUE_EVIDENCE, "variables": {"owner": "acme", "name": "frame", "number": 1}}
        answer = await client.send("POST", "/graphql", body)
    assert answer.headers["x-ratelimit-used"] == "1"
    assert answer.headers["x-ratelimit-resource"] == "graphql"


async def test_reviews_threads_and_commits_of_a_pull_request(github: Sandbox) -> None:
    query = """{ repository(owner: "acme", name: "frame") { pullRequest(number: 2) {
        state mergeCommit { oid associatedPullRequests(first: 5) { nodes { number } } }
        reviews(first: 5) { nodes { state author { login } comments { totalCount } } }
        reviewThreads(first: 5) { nodes { comments(first: 5) { nodes { body } } } }
        commits(first: 5) { nodes { commit { oid messageHeadline author { user { login } } } } }
        files(first: 5) { nodes { changeType } }
        closingIssuesReferences(first: 5) { nodes { number } } } } }"""
    async with connected(github) as client:
        pull = (await client.graphql(query))["data"]["repository"]["pullRequest"]
    assert pull["state"] == "MERGED"
    assert pull["mergeCommit"] == {"oid": "a" * 40, "associatedPullRequests": {"nodes": [{"number": 2}]}}
    assert pull["reviews"]["nodes"] == [
        {"state": "APPROVED", "author": {"login": "ada"}, "comments": {"totalCount": 2}}
    ]
    assert pull["reviewThreads"]["nodes"] == [{"comments": {"nodes": [{"body": "Why?"}, {"body": "So."}]}}]
    (commit,) = pull["commits"]["nodes"]
    assert commit["commit"]["messageHeadline"] == "Free it (#2)"
    assert commit["commit"]["author"] == {"user": {"login": "walt"}}
    assert pull["files"]["nodes"] == [{"changeType": "DELETED"}]
    assert pull["closingIssuesReferences"]["nodes"] == [{"number": 1}]


async def test_linked_pull_requests_are_hidden_once_closed_unless_asked_for(github: Sandbox) -> None:
    fields = """open: closedByPullRequestsReferences(first: 5) { totalCount }
        all: closedByPullRequestsReferences(first: 5, includeClosedPrs: true) { nodes { number } }
        byHand: closedByPullRequestsReferences(first: 5, includeClosedPrs: true, userLinkedOnly: true) { totalCount }"""
    issue = await ask(github, fields)
    assert issue == {"open": {"totalCount": 0}, "all": {"nodes": [{"number": 2}]}, "byHand": {"totalCount": 0}}


async def test_a_duplicate_is_told_only_to_those_who_ask(github: Sandbox) -> None:
    github.reopen("acme/frame", 1, "ada")
    github.close("acme/frame", 1, "ada", "duplicate")
    issue = await ask(github, "stateReason full: stateReason(enableDuplicate: true)")
    assert issue == {"stateReason": "NOT_PLANNED", "full": "DUPLICATE"}


async def test_every_version_of_a_body_is_kept(github: Sandbox, clock: VirtualClock) -> None:
    clock.advance(hours=1)
    github.edit_issue("acme/frame", 1, "ada", body="Then.")
    fields = (
        "body lastEditedAt includesCreatedEdit userContentEdits(first: 9) { nodes { editedAt diff editor { login } } }"
    )
    issue = await ask(github, fields)
    assert (issue["body"], issue["lastEditedAt"], issue["includesCreatedEdit"]) == (
        "Then.",
        "2026-11-02T10:00:00Z",
        True,
    )
    assert [(row["diff"], row["editor"]["login"]) for row in issue["userContentEdits"]["nodes"]] == [
        ("Then.", "ada"),
        ("At first.", "stranger"),
    ]


async def test_a_deleted_account_is_null(github: Sandbox) -> None:
    github.comment("acme/frame", 1, None, "Gone.")
    issue = await ask(github, "comments(last: 1) { nodes { author { login } authorAssociation } }")
    assert issue["comments"]["nodes"] == [{"author": None, "authorAssociation": "NONE"}]


async def test_a_closer_in_a_repository_that_cannot_be_read_is_forbidden(github: Sandbox) -> None:
    hidden = github.add_pull_request("acme/hidden", "Secret", "ada", merged_at=MERGED)
    github.reopen("acme/frame", 1, "ada")
    github.close("acme/frame", 1, "ada", "completed", hidden)
    fields = (
        "timelineItems(last: 1, itemTypes: [CLOSED_EVENT]) { nodes { ... on ClosedEvent { closer { __typename } } } }"
    )
    async with connected(github) as client:
        answer = await client.graphql(ISSUE % fields)
    assert answer["data"]["repository"]["issue"]["timelineItems"]["nodes"] == [{"closer": None}]
    assert answer["errors"][0]["type"] == "FORBIDDEN"
    assert answer["errors"][0]["path"] == ["repository", "issue", "timelineItems", "nodes", 0, "closer"]


async def test_comments_are_paged_by_cursor(github: Sandbox) -> None:
    for number in range(5):
        github.comment("acme/frame", 1, "tess", str(number))
    query = """query($after: String) { repository(owner: "acme", name: "frame") { issue(number: 1) {
        comments(first: 2, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes { body } } } } }"""
    seen, cursor = [], None
    async with connected(github) as client:
        while True:
            page = (await client.graphql(query, after=cursor))["data"]["repository"]["issue"]["comments"]
            seen += [row["body"] for row in page["nodes"]]
            cursor = page["pageInfo"]["endCursor"]
            if not page["pageInfo"]["hasNextPage"]:
                break
    assert (seen, page["totalCount"]) == (list("01234"), 5)


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        (ISSUE % "comments { nodes { body } }", "MISSING_PAGINATION_BOUNDARIES"),
        (ISSUE % "comments(first: 101) { nodes { body } }", "EXCESSIVE_PAGINATION"),
        ('{ repository(owner: "acme", name: "nothing") { id } }', "NOT_FOUND"),
        ('{ repository(owner: "acme", name: "hidden") { id } }', "NOT_FOUND"),
        ('{ repository(owner: "acme", name: "frame") { issue(number: 99) { id } } }', "NOT_FOUND"),
        ('{ node(id: "I_nothing") { id } }', "NOT_FOUND"),
        (TOO_MANY, "MAX_NODE_LIMIT_EXCEEDED"),
    ],
)
async def test_queries_are_refused_with_githubs_types(github: Sandbox, query: str, kind: str) -> None:
    async with connected(github) as client:
        answer = await client.send("POST", "/graphql", {"query": query})
    assert (answer.status, answer.body["errors"][0]["type"]) == (200, kind)


async def test_an_unknown_field_and_a_mutation_are_errors(github: Sandbox) -> None:
    async with connected(github) as client:
        unknown = await client.graphql('{ repository(owner: "acme", name: "frame") { secrets } }')
        broken = await client.graphql("{ repository(")
    assert "data" not in unknown
    assert "secrets" in unknown["errors"][0]["message"]
    assert "data" not in broken


async def test_points_grow_with_the_pages_of_nested_connections(github: Sandbox) -> None:
    query = """query($n: Int = 100) { rateLimit { cost nodeCount } repository(owner: "acme", name: "frame") {
        issues(first: $n) { nodes { labels(first: 60) { nodes { name } } comments(first: 1) { totalCount } } } } }"""
    async with connected(github) as client:
        answer = await client.graphql(query)
    assert answer["data"]["rateLimit"] == {"cost": 2, "nodeCount": 100 + 100 * 60 + 100}


async def test_nodes_are_found_by_the_ids_of_rest(github: Sandbox) -> None:
    async with connected(github) as client:
        issue = (await client.send("GET", "/repos/acme/frame/issues/1")).body
        query = "query($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on Issue { number } } }"
        answer = await client.graphql(query, ids=[issue["node_id"]])
    assert answer["data"]["nodes"] == [{"__typename": "Issue", "number": 1}]
