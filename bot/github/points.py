"""What a query will cost by GitHub's published formula, reckoned before it is asked; pure."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
    parse,
)

_PER_POINT = 100


def points(query: str, variables: Mapping[str, Any]) -> int:
    """Return the points of a query: the requests needed to fill every connection in it, divided by 100, at least 1.

    Source: GitHub's documentation, "Rate limits and query limits for the GraphQL API". A connection is told by its
    `first` or `last`; one behind a false `@include` costs nothing.
    """
    operation, fragments = _read(query)
    usual = {
        one.variable.name.value: int(one.default_value.value)
        for one in operation.variable_definitions
        if isinstance(one.default_value, IntValueNode)
    }
    variables = {**usual, **variables}
    return max(1, round(_requests(operation.selection_set, fragments, variables, 1) / _PER_POINT))


def _requests(
    selections: SelectionSetNode,
    fragments: Mapping[str, FragmentDefinitionNode],
    variables: Mapping[str, Any],
    parents: int,
) -> int:
    total = 0
    for node in selections.selections:
        if isinstance(node, FragmentSpreadNode):
            total += _requests(fragments[node.name.value].selection_set, fragments, variables, parents)
        elif isinstance(node, InlineFragmentNode):
            total += _requests(node.selection_set, fragments, variables, parents)
        elif isinstance(node, FieldNode) and node.selection_set is not None and not _left_out(node, variables):
            size = _page(node, variables)
            total += parents if size else 0
            total += _requests(node.selection_set, fragments, variables, parents * (size or 1))
    return total


def _page(node: FieldNode, variables: Mapping[str, Any]) -> int | None:
    for argument in node.arguments:
        if argument.name.value in ("first", "last"):
            if isinstance(argument.value, IntValueNode):
                return int(argument.value.value)
            if isinstance(argument.value, VariableNode):
                return int(variables[argument.value.name.value])
    return None


def _left_out(node: FieldNode, variables: Mapping[str, Any]) -> bool:
    return any(
        directive.name.value == "include"
        and isinstance(argument.value, VariableNode)
        and not variables.get(argument.value.name.value)
        for directive in node.directives
        for argument in directive.arguments
    )


@functools.lru_cache(maxsize=256)
def _read(query: str) -> tuple[OperationDefinitionNode, dict[str, FragmentDefinitionNode]]:
    document = parse(query)
    (operation,) = (one for one in document.definitions if isinstance(one, OperationDefinitionNode))
    fragments = {one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)}
    return operation, fragments
