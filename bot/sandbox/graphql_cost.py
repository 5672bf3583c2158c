"""What a GraphQL query costs by GitHub's published formula, and the refusals that follow from its shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
)
from graphql.utilities import value_from_ast_untyped

MOST_NODES = 500_000
LARGEST_PAGE = 100
POINTS_PER = 100


@dataclass(frozen=True)
class Cost:
    """Points (the requests needed to fill every connection, divided by 100, at least 1) and possible nodes.

    Source: GitHub's documentation, "Rate limits and query limits for the GraphQL API".
    """

    points: int
    nodes: int


class QueryError(GraphQLError):
    """An error of GitHub's own kind; `kind` is printed as its `type`."""

    def __init__(self, kind: str, message: str, nodes: list[FieldNode] | None = None) -> None:
        super().__init__(message, nodes)
        self.kind = kind


class CostCounter:
    """Walks one operation with its variables; `connections` are the names of fields that page."""

    def __init__(self, document: DocumentNode, variables: Mapping[str, Any], connections: frozenset[str]) -> None:
        self._fragments = {
            definition.name.value: definition
            for definition in document.definitions
            if isinstance(definition, FragmentDefinitionNode)
        }
        self._variables = dict(variables)
        self._connections = connections
        self._requests = 0
        self._nodes = 0

    def count(self, operation: OperationDefinitionNode) -> Cost:
        """Return the cost; raise QueryError for a page without or beyond bounds, or for too many nodes."""
        for definition in operation.variable_definitions:
            if definition.default_value is not None:
                self._variables.setdefault(
                    definition.variable.name.value, value_from_ast_untyped(definition.default_value)
                )
        self._walk(operation.selection_set, 1)
        return Cost(max(1, round(self._requests / POINTS_PER)), self._nodes)

    def _walk(self, selections: SelectionSetNode, parents: int) -> None:
        for selection in selections.selections:
            if isinstance(selection, FragmentSpreadNode):
                self._walk(self._fragments[selection.name.value].selection_set, parents)
            elif isinstance(selection, InlineFragmentNode):
                self._walk(selection.selection_set, parents)
            elif isinstance(selection, FieldNode) and selection.selection_set is not None and self._included(selection):
                self._field(selection, selection.selection_set, parents)

    def _field(self, field: FieldNode, selections: SelectionSetNode, parents: int) -> None:
        name = field.name.value
        if name == "nodes" and any(argument.name.value == "ids" for argument in field.arguments):
            ids = self._arguments(field)["ids"]
            self._walk(selections, len(ids) if isinstance(ids, list) else 1)
            return
        if name not in self._connections:
            self._walk(selections, parents)
            return
        page = self._page(field, selections)
        self._requests += parents
        self._nodes += parents * page
        if self._nodes > MOST_NODES:
            message = (
                f"By the time this query traverses to the {name} connection, it is requesting up to {self._nodes:,}"
            )
            message += f" possible nodes which exceeds the maximum limit of {MOST_NODES:,}."
            raise QueryError("MAX_NODE_LIMIT_EXCEEDED", message, [field])
        self._walk(selections, parents * max(page, 1))

    def _page(self, field: FieldNode, selections: SelectionSetNode) -> int:
        """Return how many rows are asked for; a connection asked only for its count needs no bounds."""
        arguments, name = self._arguments(field), field.name.value
        for bound in ("first", "last"):
            rows = arguments.get(bound)
            if rows is None:
                continue
            if rows > LARGEST_PAGE:
                message = f"Requesting {rows} records on the `{name}` connection exceeds the `{bound}` limit of"
                raise QueryError("EXCESSIVE_PAGINATION", f"{message} {LARGEST_PAGE} records.", [field])
            if rows < 1:
                message = f"`{bound}` on the `{name}` connection cannot be less than one."
                raise QueryError("INVALID_CURSOR_ARGUMENTS", message, [field])
            return int(rows)
        if self._names(selections) & {"nodes", "edges", "pageInfo"}:
            message = f"You must provide a `first` or `last` value to properly paginate the `{name}` connection."
            raise QueryError("MISSING_PAGINATION_BOUNDARIES", message, [field])
        return 0

    def _names(self, selections: SelectionSetNode) -> set[str]:
        names: set[str] = set()
        for selection in selections.selections:
            if isinstance(selection, FieldNode):
                names.add(selection.name.value)
            elif isinstance(selection, InlineFragmentNode):
                names |= self._names(selection.selection_set)
            elif isinstance(selection, FragmentSpreadNode):
                names |= self._names(self._fragments[selection.name.value].selection_set)
        return names

    def _arguments(self, field: FieldNode) -> dict[str, Any]:
        return {
            argument.name.value: value_from_ast_untyped(argument.value, self._variables) for argument in field.arguments
        }

    def _included(self, field: FieldNode) -> bool:
        for directive in field.directives:
            arguments = {
                argument.name.value: value_from_ast_untyped(argument.value, self._variables)
                for argument in directive.arguments
            }
            if arguments.get("if") is (directive.name.value == "skip"):
                return False
        return True
