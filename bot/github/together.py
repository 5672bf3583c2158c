"""Several runs of one query as one query: each run under an alias with variables of its own; pure."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    NameNode,
    OperationDefinitionNode,
    VariableDefinitionNode,
    VariableNode,
    Visitor,
    parse,
    print_ast,
    visit,
)

from bot.github.errors import GitHubError, GraphQLError, NotFound
from bot.github.page_queries import RATE_LIMIT


@functools.lru_cache(maxsize=256)
def together(query: str, count: int) -> str:
    """Return one query that runs a query of a single root field `count` times, and asks what it all cost.

    Raises ValueError for a query that has more than one root field, or whose fragments use variables.
    """
    document = parse(query)
    (operation,) = (one for one in document.definitions if isinstance(one, OperationDefinitionNode))
    fragments = [one for one in document.definitions if isinstance(one, FragmentDefinitionNode)]
    (root,) = (one for one in operation.selection_set.selections if isinstance(one, FieldNode))
    if any("$" in print_ast(fragment) for fragment in fragments):
        raise ValueError("a fragment with variables cannot be asked twice in one query")
    definitions = [
        print_ast(_numbered(definition, run)) for run in range(count) for definition in operation.variable_definitions
    ]
    fields = [f"{alias(run)}: {print_ast(_numbered(_without_alias(root), run))}" for run in range(count)]
    name = operation.name.value if operation.name else ""
    text = f"query {name}Together({', '.join(definitions)}) {{ {RATE_LIMIT} {' '.join(fields)} }}"
    return "\n".join([print_ast(parse(text)), *map(print_ast, fragments)])


def alias(run: int) -> str:
    """Return the name that a run's answer stands under."""
    return f"run{run}"


def variables_together(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the variables of all runs under their numbered names."""
    return {f"{name}_{run}": value for run, variables in enumerate(runs) for name, value in variables.items()}


def apart(
    root: str, count: int, data: Mapping[str, Any], errors: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any] | GitHubError]:
    """Return for each run its own data, or the error that it would have got alone where GitHub told one of its place.

    `root` is the name of the query's root field. An error without a place concerns every run.
    """
    outcomes: list[dict[str, Any] | GitHubError] = []
    for run in range(count):
        name = alias(run)
        mine = {root: data.get(name)}
        told = [
            {**error, "path": [root, *path[1:]]} if path else dict(error)
            for error in errors
            for path in [error.get("path") or ()]
            if not path or path[0] == name
        ]
        message = str(told[0].get("message") or "query failed") if told else ""
        error = GraphQLError(message, told, mine)
        if told and mine[root] is None and "NOT_FOUND" in error.types:
            outcomes.append(NotFound(message, status=200))
        else:
            outcomes.append(error if told else mine)
    return outcomes


@functools.lru_cache(maxsize=64)
def root_field(query: str) -> str:
    """Return the name of a query's single root field."""
    (operation,) = (one for one in parse(query).definitions if isinstance(one, OperationDefinitionNode))
    (root,) = (one for one in operation.selection_set.selections if isinstance(one, FieldNode))
    return root.name.value


class _Numbering(Visitor):
    """Gives every variable the number of its run."""

    def __init__(self, run: int) -> None:
        super().__init__()
        self._run = run

    def leave_variable(self, node: VariableNode, *_: Any) -> VariableNode:
        return VariableNode(name=NameNode(value=f"{node.name.value}_{self._run}"))


def _numbered(node: FieldNode | VariableDefinitionNode, run: int) -> FieldNode | VariableDefinitionNode:
    numbered: FieldNode | VariableDefinitionNode = visit(node, _Numbering(run))
    return numbered


def _without_alias(field: FieldNode) -> FieldNode:
    return FieldNode(
        name=field.name, arguments=field.arguments, directives=field.directives, selection_set=field.selection_set
    )
