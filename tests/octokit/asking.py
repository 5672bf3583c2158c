"""Asks the sandbox, as the App, each of the App's GraphQL queries that nothing led it to ask by itself."""

from __future__ import annotations

from typing import Any

from graphql import OperationDefinitionNode, parse, print_ast

from bot.github.client import GitHubClient
from bot.sandbox.identifiers import node_id
from bot.sandbox.sandbox import Sandbox

OWNER, NAME = "pytorch", "pytorch"
PLACES_ASKED = 2


async def ask(client: GitHubClient, sandbox: Sandbox, texts: list[str]) -> None:
    """Send each query with variables that lead to something."""
    for text in texts:
        await client.graphql(text, variables(text, sandbox))


def variables(text: str, sandbox: Sandbox) -> dict[str, Any]:
    """Return values for the variables that a query declares; raises KeyError for one that is not known here."""
    document = parse(text)
    (operation,) = [one for one in document.definitions if isinstance(one, OperationDefinitionNode)]
    declared = {one.variable.name.value: print_ast(one.type) for one in operation.variable_definitions}
    return {name: _value(name, kind, text, sandbox) for name, kind in declared.items() if not _is_spare_place(name)}


def _is_spare_place(name: str) -> bool:
    """Whether a variable belongs to one of the numbered places of a batch that is left empty here."""
    number = name.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return number.isdigit() and int(number) >= PLACES_ASKED


def _value(name: str, kind: str, text: str, sandbox: Sandbox) -> Any:
    if kind.startswith("Boolean"):
        return True
    people = [node_id("account", sandbox.account(login).id) for login in ("writer", "triager")]
    known: dict[str, Any] = {
        "owner": OWNER,
        "name": NAME,
        "number": 901 if "pullRequest(number" in text else 1,
        "first": 2,
        "filter": {"since": "2026-01-01T00:00:00Z"},
        "ids": people,
        "id": people[0],
        "person": people[0],
        "repository": node_id("repository", sandbox.repository(f"{OWNER}/{NAME}").id),
        "login": "writer",
        "pulls": f"repo:{OWNER}/{NAME} is:pr author:writer created:2026-01-01..2026-12-31",
        "from": "2026-01-01T00:00:00Z",
        "since": "2026-01-01T00:00:00Z",
        "to": "2026-12-31T00:00:00Z",
        "until": "2026-12-31T00:00:00Z",
    }
    return None if name.endswith(("after", "After")) else known[name.rstrip("0123456789")]
