"""Spoils a few pieces of a recording, each in one way, so that a judge who is asleep is found out."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

EXPECTED = (
    "GET /repos/pytorch/pytorch/colours: the App asks for what is no operation of GitHub's",
    "request GET /app/installations: GitHub knows no query parameter 'colour'",
    "request POST /repos/{owner}/{repo}/issues: body / must not have the key 'colour'",
    "request POST /repos/{owner}/{repo}/issues: body / must have required property 'title'",
    "answer GET /app 200: / must not have the key 'colour'",
    "answer GET /app 200: / must have required property 'owner'",
    "answer GET /app 200: /id must be integer",
    "webhook issues.closed by webhooks-schemas: /issue must not have the key 'colour'",
    "webhook issues.closed by webhooks-schemas: / must have required property 'sender'",
    "webhook issues.closed by openapi: / must have required property 'sender'",
    'query Spoiled: Cannot query field "colour" on type "Issue".',
    "answer to IssueEvidence: repository/issue/title Cannot return null for non-nullable field Issue.title.",
    "the sandbox's schema: Issue.colour was removed.",
)
"""What is to be found in a spoiled recording."""


def spoiled(content: dict[str, Any]) -> dict[str, Any]:
    """Return a small recording in which everything is wrong that `EXPECTED` names; the given one stays as it is."""
    exchanges = [one for one in deepcopy(content["exchanges"]) if one["by_app"]]
    installations = _first(exchanges, path="/app/installations")
    application = _first(exchanges, path="/app")
    created = next(one for one in exchanges if one["method"] == "POST" and one["path"].endswith("/issues"))
    asked = next(
        one for one in exchanges if one["path"] == "/graphql" and "query IssueEvidence" in one["body"]["query"]
    )
    closed = _first(deepcopy(content["webhooks"]), event="issues", action="closed")
    nowhere = installations | {"path": "/repos/pytorch/pytorch/colours"}
    installations["query"]["colour"] = "blue"
    application["answer"] |= {"colour": "blue", "id": "4711"}
    del application["answer"]["owner"]
    created["body"]["colour"] = "blue"
    del created["body"]["title"]
    asked["answer"]["data"]["repository"]["issue"]["title"] = None
    closed["payload"]["issue"]["colour"] = "blue"
    del closed["payload"]["sender"]
    return {
        "exchanges": [installations, application, created, asked, nowhere],
        "webhooks": [closed],
        "queries": ['query Spoiled { repository(owner: "a", name: "b") { issue(number: 1) { colour } } }'],
        "sandbox_schema": content["sandbox_schema"] + "\nextend type Issue { colour: String }\n",
    }


def _first(rows: list[dict[str, Any]], **facts: str) -> dict[str, Any]:
    return next(row for row in rows if facts.items() <= row.items())
